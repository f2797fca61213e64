const fs = require("node:fs");
const path = require("node:path");
const { stamped } = require("./stamp");

/** The stamp of the build is a hash of the sources. @param {string} root */
function inputsOf(root) {
  return ["dist/.sources", "package.json", "tools/setup/steps/bundle.js"].map((name) =>
    path.join(root, name),
  );
}

/** Bundles the plugin with the packages that it needs: it starts in half of the time. @param {string} root */
async function make(root) {
  // Only now, because the packages may just have been installed.
  const { bundle } = require("./bundle");
  const folder = path.join(root, "dist", "bundle");
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  await bundle(root, folder, "../../plugin/schema.json");
}

module.exports = { pluginBundle: stamped("dist/bundle/.sources", inputsOf, make) };
