const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { findGo } = require("../engine/go");
const { root } = require("../setup");
const { SetupFailure } = require("../setup/failure");
const { lastLines } = require("../setup/run");

/**
 * Builds the S3-compatible server of the tests; takes a second when it is built already.
 * @returns {Promise<string>} its file
 * @throws {SetupFailure} when it can't be built
 */
async function s3Server() {
  const module = path.join(root, "test", "backends", "s3");
  const folder = path.join(root, "dist", ".backends");
  fs.mkdirSync(folder, { recursive: true });
  const go = await findGo(module, folder, {
    HOME: os.homedir(),
    ...process.env,
    CGO_ENABLED: "0",
    GOWORK: "off",
  });
  const file = path.join(folder, `s3${process.platform === "win32" ? ".exe" : ""}`);
  const { ok, output } = await go(["build", "-trimpath", "-o", file, "."], { cwd: module });
  if (ok) return file;
  throw new SetupFailure(
    `The tests of remote backends need Go and its module proxy, for an S3-compatible server: ${lastLines(output)}`,
  );
}

module.exports = { s3Server };
