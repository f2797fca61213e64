const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../failure");
const { npm } = require("../npm");
const { stamped } = require("./stamp");
const manifest = require("../../../package.json");

/** Everything that the archive has, or by which it was made. @param {string} root */
function inputsOf(root) {
  const made = ["dist/.sources", "dist/bundle/.sources", "plugin/schema.json", "plugin/sdks/.sources"];
  const written = [
    "package.json",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "plugin/pulumi-resource-monitoring",
  ];
  return [...made, ...written].map((name) => path.join(root, name));
}

/** The archive that `npm pack` makes of this checkout, for tests. @param {string} root */
function archiveOf(root) {
  return path.join(root, "node_modules", ".cache", "packed", `${manifest.name}-${manifest.version}.tgz`);
}

/** @param {string} root */
async function make(root) {
  const folder = path.dirname(archiveOf(root));
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  // The scripts of the package would build what is built already, beside the tests that use it.
  const args = ["pack", "--ignore-scripts", "--pack-destination", folder];
  const { ok, output } = await npm(args, { cwd: root });
  if (!ok) throw new SetupFailure(`npm pack failed:\n${output.trim()}`);
}

module.exports = { archiveOf, packed: stamped("node_modules/.cache/packed/.sources", inputsOf, make) };
