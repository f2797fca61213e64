require("../setup/nodeVersion");
const path = require("node:path");
const { command } = require("../setup/command");
const { prepare, preparePackages, root } = require("../setup");
const { handOver } = require("../setup/run");

/** Whose tests use the sources alone: neither what is built of them nor an engine. */
const folders = [
  "api",
  "connection",
  "credentials",
  "expectations",
  "lifecycles",
  "lookups",
  "texts",
  "values",
];
const ofSources = new RegExp(`^test/(${folders.join("|")})(/|$)`);

/** `npm test` and `npm run test:docs`: all set-up that the tests need, then jest with the arguments as they are. */
command(async () => {
  const args = process.argv.slice(2);
  const isOfSources = args.length > 0 && args.every((arg) => ofSources.test(arg));
  await (isOfSources ? preparePackages() : prepare());
  const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
  return handOver(process.execPath, [jest, ...args], { cwd: root });
});
