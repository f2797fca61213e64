const path = require("node:path");
const { program: extension } = require("../engine/usable");
const { prepareProgram } = require("../languages/goPrograms");
const { root } = require("..");

/** Builds the S3-compatible server of the tests, unless it is built. @returns {Promise<string>} its file */
function s3Server() {
  return prepareProgram({
    title: "the S3-compatible server of the tests",
    module: path.join(root, "test", "backends", "s3"),
    command: ".",
    ldflags: "",
    file: `s3${extension}`,
    coreMinutes: 1,
  });
}

module.exports = { s3Server };
