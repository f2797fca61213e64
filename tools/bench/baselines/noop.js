const path = require("node:path");
const { program: extension } = require("../../setup/engine/usable");
const { prepareProgram } = require("../../setup/goPrograms");

/**
 * Builds the no-op plugin, a native provider in Go, which is the fastest that the engine knows.
 * @returns {Promise<string>} the folder to be put on PATH
 */
async function noopPlugin() {
  const file = await prepareProgram({
    title: "the no-op plugin",
    module: path.join(__dirname, "noop"),
    file: `pulumi-resource-noop${extension}`,
    coreMinutes: 1,
  });
  return path.dirname(file);
}

module.exports = { noopPlugin };
