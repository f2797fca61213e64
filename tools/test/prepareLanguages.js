const fs = require("node:fs");
const { prepareEngine } = require("../setup/engine");
const { folder, generateSdks, generator } = require("../generate/sdks/generate");
const { prepareGoFor } = require("../setup/languages/goPrograms");
const { prepareHosts } = require("../setup/languages/hosts");
const { preparePython } = require("../setup/languages/python");

/** Prepares the tests of the other languages, besides the engine. Takes well under a second when nothing is missing. */
async function prepareLanguages() {
  const engine = await prepareEngine();
  const python = await preparePython();
  const go = await prepareGoFor(generator.module, "the SDK in Go");
  const hosts = await prepareHosts(engine);
  const sdks = fs.existsSync(folder) ? folder : await generateSdks();
  return { go, hosts, python, sdks };
}

module.exports = { prepareLanguages };
