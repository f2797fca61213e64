const path = require("node:path");
const { version } = require("../engine/pinned");
const { SetupFailure } = require("../command");
const { lastLines, run, step } = require("../run");
const { fingerprint, languagesFolder, makeFolder } = require("./cache");

/** Pulumi's SDK, the other requirements of a generated SDK, the tools that build an SDK from its archive, and one that checks types. */
const requirements = [`pulumi==${version}`, "parver==1.0.1", "setuptools==80.9.0", "mypy==2.4.1"];

const python = process.platform === "win32" ? "python" : "python3";

/** @returns {Promise<string>} the folder of the packages that a Python program imports */
async function preparePython() {
  const found = await run(python, [
    "-c",
    "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])",
  ]);
  if (!found.ok)
    throw new SetupFailure(explain("is needed on PATH, with its modules venv and pip", found.output));
  const python3 = found.stdout.trim();
  const folder = path.join(languagesFolder(), `python${python3}-${fingerprint(...requirements)}`);
  await makeFolder(folder, (partial) =>
    step(`Installing Pulumi's SDK for Python ${python3}`, "about 20 s", () => install(partial)),
  );
  return folder;
}

/** @param {string} target */
async function install(target) {
  const quiet = ["--quiet", "--no-input", "--disable-pip-version-check"];
  const { ok, output } = await run(python, [
    "-m",
    "pip",
    "install",
    ...quiet,
    "--target",
    target,
    ...requirements,
  ]);
  if (!ok) throw new SetupFailure(explain("could not install Pulumi's SDK from the package index", output));
}

/** @param {string} what @param {string} output */
function explain(what, output) {
  return (
    `Python 3 ${what} (${lastLines(output, 1)}). ` +
    "Get it from https://www.python.org/downloads, and run the same command again."
  );
}

module.exports = { preparePython };
