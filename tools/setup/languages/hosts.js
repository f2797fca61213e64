const path = require("node:path");
const { sdk } = require("../engine/source");
const { isExecutable, program: extension } = require("../engine/usable");
const { fileOf, prepareProgram } = require("./goPrograms");

/** @typedef {import("../engine/goBuild").Program} Program */

const engine = path.join(__dirname, "..", "engine");

/** @type {Program} */
const yamlHost = {
  title: "Pulumi's YAML language host",
  module: path.join(engine, "pulumi"),
  command: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
  ldflags: "-s -w",
  file: `pulumi-language-yaml${extension}`,
  coreMinutes: 3,
};

/** The last one that is part of the SDK's module, as the Node language host. @type {Program} */
const pythonHost = {
  title: "Pulumi's Python language host",
  module: path.join(engine, "host"),
  command: `${sdk}/python/cmd/pulumi-language-python`,
  ldflags: "-s -w",
  file: `pulumi-language-python${extension}`,
  coreMinutes: 1,
  beside: { module: sdk, file: "python/cmd/pulumi-language-python-exec" },
};

/**
 * The folders that hold the language hosts: the engine's own, which the official download brings, or those of the cache.
 * @param {import("../engine/usable").Engine} engine
 */
async function prepareHosts({ bin }) {
  const absent = [yamlHost, pythonHost].filter(({ file }) => !isExecutable(path.join(bin, file)));
  const folders = [];
  for (const host of absent) folders.push(path.dirname(await prepareProgram(host)));
  return folders;
}

/** Whether a run of the tests would not have to build the slowest one. */
const isYamlHostBuilt = () => isExecutable(fileOf(yamlHost));

module.exports = { prepareHosts, isYamlHostBuilt };
