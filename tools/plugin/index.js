require("../setup/nodeVersion");
const path = require("node:path");
const { command } = require("../setup/command");
const { prepareBuild, root } = require("../setup");

const folder = path.join(root, "dist-plugin");

/** `npm run plugin`: writes the archives of the plugin that a release has, one for each platform, into dist-plugin/. */
command(async () => {
  await prepareBuild();
  const { writeArchives } = require("./archives");
  for (const name of await writeArchives(root, folder)) console.log(path.join("dist-plugin", name));
});
