const fs = require("node:fs");
const path = require("node:path");
const { program: extension } = require("../engine/usable");
const { fingerprint } = require("../languages/cache");
const { prepareProgram } = require("../languages/goPrograms");
const { root } = require("../setup");
const { SetupFailure } = require("../setup/failure");
const { withLock } = require("../setup/lock");
const { run } = require("../setup/run");

/** @type {import("../engine/goBuild").Program} */
const generator = {
  title: "the generator of the SDKs",
  module: path.join(__dirname, "generator"),
  command: ".",
  ldflags: "-s -w",
  file: `sdk-generator${extension}`,
  coreMinutes: 3,
};

const schema = path.join(root, "plugin", "schema.json");
const folder = path.join(root, "sdks");
const stamp = path.join(folder, ".sources");

/** Generates the SDKs, and an archive of each, unless they are current. @returns {Promise<string>} their folder */
async function prepareSdks() {
  const program = await prepareProgram(generator);
  const sources = fingerprint(program, fs.readFileSync(schema));
  await withLock(path.join(root, ".setup.lock"), async () => {
    if (fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === sources) return;
    fs.rmSync(folder, { recursive: true, force: true });
    const { ok, output } = await run(program, [schema, folder]);
    if (!ok)
      throw new SetupFailure(`The SDKs could not be generated from plugin/schema.json:\n${output.trim()}`);
    fs.writeFileSync(stamp, sources);
  });
  return folder;
}

module.exports = { generator, prepareSdks };
