require("../setup/nodeVersion");
const path = require("node:path");
const { prepareBuild, prepareInstalled, root } = require("../setup");
const { command, handOver } = require("../setup/run");

/** `npm run sandbox`: runs the embedded service with the command `monitoring sandbox` and the same arguments. */
command(async () => {
  await prepareInstalled();
  await prepareBuild();
  const monitoring = path.join(root, "dist", "cli", "monitoring.js");
  return handOver(process.execPath, [monitoring, "sandbox", ...process.argv.slice(2)], { cwd: root });
});
