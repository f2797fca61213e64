require("../../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { archive } = require("../../plugin");
const { filesUnder, root } = require("../../setup");
const { version } = require("../../../package.json");
const { exe, prepareProgram } = require("../../setup/go");
const { command, run, SetupFailure } = require("../../setup/run");

/** @type {import("../../setup/go").Program} */
const generator = {
  title: "the generator of the SDKs",
  module: path.join(__dirname, "generator"),
  file: `sdk-generator${exe}`,
  coreMinutes: 3,
};

/** Their sources, and an archive of each. */
const folder = path.join(root, "sdks");
/** Where the package has the archives. */
const packed = path.join(root, "plugin", "sdks");

/** The archives by language: Python's packaging gives a source distribution this name. */
const archives = { python: `pulumi_monitoring-${version}`, go: `pulumi-monitoring-go-${version}` };

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
  for (const [language, name] of Object.entries(archives)) {
    const from = path.join(folder, language);
    const files = filesUnder(from).map((file) => path.relative(from, file));
    const file = path.join(folder, `${name}.tar.gz`);
    await archive(from, files.sort(), file, name);
    fs.copyFileSync(file, path.join(packed, path.basename(file)));
  }
  return folder;
}

/** `npm run sdks`: the SDKs of other languages, by Go, into sdks/ and, as archives, into plugin/sdks/. */
if (require.main === module)
  command(async () => {
    await generateSdks();
  });

module.exports = { folder, generateSdks, generator };
