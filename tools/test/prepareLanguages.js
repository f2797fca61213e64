const { prepare } = require("../setup");
const { generator, prepareSdks } = require("../generate/sdks/generate");
const { prepareGoFor } = require("../setup/languages/goPrograms");
const { isYamlHostBuilt, prepareHosts } = require("../setup/languages/hosts");
const { preparePython } = require("../setup/languages/python");

/**
 * Prepares the tests of the other languages, besides the engine. Takes well under a second when nothing is missing.
 */
async function prepareLanguages() {
  const engine = await prepare();
  const python = await preparePython();
  const go = await prepareGoFor(generator.module, "the SDK in Go");
  const hosts = await prepareHosts(engine);
  const sdks = await prepareSdks();
  return { go, hosts, python, sdks };
}

module.exports = { isYamlHostBuilt, prepareLanguages };
