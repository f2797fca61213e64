// `node installProcess.js FOLDER VERSION` installs the Pulumi CLI by the npm package `pulumi`. A process of its own, which the caller
// can end together with the install script, and the only script that needs an installed package.

const path = require("node:path");

const { installCLI } = require(path.join(__dirname, "../../../node_modules/pulumi/lib/download.js"));

const [folder, version] = process.argv.slice(2);

installCLI(version, folder).catch((/** @type {unknown} */ error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
