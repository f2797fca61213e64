require("../nodeVersion");
const { command } = require("../command");
const { build } = require("./compile");
const { prepareBuild, root } = require("..");

/** `npm run build`: compiles dist/, bundles the plugin and links the package for the examples. */
command(async () => {
  await prepareBuild();
  await build(root);
});
