require("../../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { program: extension } = require("../../setup/engine/usable");
const { prepareProgram } = require("../../setup/goPrograms");
const { root } = require("../../setup");
const { SetupFailure, command } = require("../../setup/command");
const { run } = require("../../setup/run");

/** @type {import("../../setup/goPrograms").Program} */
const generator = {
  title: "the generator of the SDKs",
  module: path.join(__dirname, "generator"),
  file: `sdk-generator${extension}`,
  coreMinutes: 3,
};

/** Their sources, and an archive of each. */
const folder = path.join(root, "sdks");
/** Where the package has the archives. */
const packed = path.join(root, "plugin", "sdks");

/**
 * Generates the SDKs from plugin/schema.json, by Go, and puts their archives where `npm pack` finds them. Git ignores all of it.
 * @returns {Promise<string>} the folder of the SDKs
 */
async function generateSdks() {
  const program = await prepareProgram(generator);
  for (const each of [folder, packed]) fs.rmSync(each, { recursive: true, force: true });
  const { ok, output } = await run(program, [path.join(root, "plugin", "schema.json"), folder]);
  if (!ok)
    throw new SetupFailure(`The SDKs could not be generated from plugin/schema.json:\n${output.trim()}`);
  fs.mkdirSync(packed);
  for (const name of fs.readdirSync(folder).filter((each) => each.endsWith(".tar.gz")))
    fs.copyFileSync(path.join(folder, name), path.join(packed, name));
  return folder;
}

/** `npm run sdks`: the SDKs of other languages, by Go, into sdks/ and, as archives, into plugin/sdks/. */
if (require.main === module)
  command(async () => {
    await generateSdks();
  });

module.exports = { folder, generateSdks, generator };
