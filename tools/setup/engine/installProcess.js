// `node installProcess.js FOLDER VERSION` installs the Pulumi CLI. A process of its own, which the caller can end together
// with the install script, and the only script that needs an installed package.

const { PulumiCommand } = require("@pulumi/pulumi/automation");
const { SemVer } = require("semver");

const [root = "", version = ""] = process.argv.slice(2);

PulumiCommand.install({ root, version: new SemVer(version) }).catch((/** @type {unknown} */ error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
