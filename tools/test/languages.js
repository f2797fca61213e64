const fs = require("node:fs");
const path = require("node:path");
const { folder, generateSdks, generator } = require("../generate/sdks");
const { prepareEngine, version } = require("../setup/engine");
const {
  exe,
  fileOf,
  fingerprint,
  isExecutable,
  languagesFolder,
  makeFolder,
  prepareGoFor,
  prepareProgram,
  sdk,
} = require("../setup/go");
const { lastLines, run, SetupFailure, step } = require("../setup/run");

/** @typedef {import("../setup/go").Program} Program */

/** Folder of the Go modules that pin the language hosts. */
const modules = path.join(__dirname, "..", "setup", "engine");

/** @type {Program} */
const yamlHost = {
  title: "Pulumi's YAML language host",
  module: path.join(modules, "pulumi"),
  command: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
  file: `pulumi-language-yaml${exe}`,
  coreMinutes: 3,
};

/** The last version in the SDK's module, as for the Node language host. @type {Program} */
const pythonHost = {
  title: "Pulumi's Python language host",
  module: path.join(modules, "host"),
  command: `${sdk}/python/cmd/pulumi-language-python`,
  file: `pulumi-language-python${exe}`,
  coreMinutes: 1,
  beside: { module: sdk, file: "python/cmd/pulumi-language-python-exec" },
};

/** Pulumi's SDK, the other requirements of a generated SDK, the tools that build an SDK from its archive, and a type checker. */
const requirements = [
  `pulumi==${version}`,
  "parver==1.0.1",
  "setuptools==80.9.0",
  "wheel==0.45.1",
  "mypy==2.4.1",
];

const python = process.platform === "win32" ? "python" : "python3";

/** Prepares the tests of the other languages, except for the engine. Takes well under a second if nothing is missing. */
async function prepareLanguages() {
  const engine = await prepareEngine();
  return {
    python: await preparePython(),
    go: await prepareGoFor(generator.module, "the SDK in Go"),
    hosts: await prepareHosts(engine),
    sdks: fs.existsSync(folder) ? folder : await generateSdks(),
  };
}

/**
 * Returns the folders with the language hosts that aren't in the engine's folder. The official download includes them; otherwise they are
 * built.
 * @param {import("../setup/engine").Engine} engine
 */
async function prepareHosts({ bin }) {
  const absent = [yamlHost, pythonHost].filter(({ file }) => !isExecutable(path.join(bin, file)));
  const folders = [];
  for (const host of absent) {
    const built = await prepareProgram(host);
    if (host === pythonHost) folders.push(await wrapPythonHost(built));
    folders.push(path.dirname(built));
  }
  return folders;
}

/**
 * Writes a script that passes the virtual environment in Pulumi.yaml to the Python host. The engine sends runtime options with its
 * requests, but the version that can be built reads them from its arguments.
 * @param {string} host
 * @returns {Promise<string>} the script's folder
 */
async function wrapPythonHost(host) {
  const option = "$(sed -n 's/^ *virtualenv: /-virtualenv=/p' Pulumi.yaml)";
  const script = `#!/bin/sh\nexec "${host}" ${option} "$@"\n`;
  const folder = path.join(languagesFolder(), `pulumi-language-python-script-${fingerprint(script)}`);
  await makeFolder(folder, (partial) =>
    fs.promises.writeFile(path.join(partial, pythonHost.file), script, { mode: 0o755 }),
  );
  return folder;
}

/** @returns {Promise<string>} folder of the packages that Python programs import */
async function preparePython() {
  const print = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])";
  const found = await run(python, ["-c", print]);
  if (!found.ok)
    throw new SetupFailure(explain("is needed on PATH, with its modules venv and pip", found.output));
  const python3 = `python${found.stdout.trim()}`;
  const packages = path.join(languagesFolder(), `${python3}-${fingerprint(...requirements)}`);
  await makeFolder(packages, (partial) =>
    step(`Installing Pulumi's SDK for ${python3}`, "about 20 s", () => install(partial)),
  );
  return packages;
}

/** @param {string} target */
async function install(target) {
  const quiet = ["--quiet", "--no-input", "--disable-pip-version-check", "--target", target];
  const { ok, output } = await run(python, ["-m", "pip", "install", ...quiet, ...requirements]);
  if (!ok) throw new SetupFailure(explain("could not install Pulumi's SDK from the package index", output));
}

/** @param {string} what @param {string} output */
function explain(what, output) {
  return (
    `Python 3 ${what} (${lastLines(output, 1)}). ` +
    "Get it from https://www.python.org/downloads, and run the same command again."
  );
}

// `node tools/test/languages.js` succeeds if `npm run test:languages` wouldn't have to build the slowest language host.
if (require.main === module) process.exitCode = isExecutable(fileOf(yamlHost)) ? 0 : 1;

module.exports = { prepareLanguages };
