require("./setup/nodeVersion");
const path = require("node:path");
const { command } = require("./command");
const { prepare, root } = require("./setup");
const { handOver } = require("./setup/run");

/** `npm test` and `npm run test:docs`: all set-up, then jest with the arguments as they are. */
command(async () => {
  await prepare();
  const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
  return handOver(process.execPath, [jest, ...process.argv.slice(2)], { cwd: root });
});
