require("../setup/nodeVersion");
const path = require("node:path");
const { command } = require("../setup/command");
const { prepare, preparePackages, root } = require("../setup");
const { SetupFailure } = require("../setup/failure");
const { handOver } = require("../setup/run");
const { isTier, tiers, variable } = require("./tiers");

/** Whose tests use the sources alone: neither what is built of them nor an engine. */
const folders = ["api", "connection", "credentials", "expectations", "lifecycles", "lookups", "texts"];
const ofSources = new RegExp(`^test/(${folders.join("|")})(/|$)`);

/**
 * `npm test`, or with `--tier` that of another command: all set-up that the tests need, then jest with the other arguments as
 * they are.
 */
command(async () => {
  const args = process.argv.slice(2);
  const tier = tierIn(args);
  const isOfSources = args.length > 0 && args.every((arg) => ofSources.test(arg));
  await (isOfSources ? preparePackages() : prepare());
  const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
  return handOver(process.execPath, [jest, ...args], {
    cwd: root,
    env: { ...process.env, [variable]: tier },
  });
});

/** Takes the tier out of the arguments. @param {string[]} args */
function tierIn(args) {
  const at = args.indexOf("--tier");
  const [, name = ""] = at === -1 ? ["", "main"] : args.splice(at, 2);
  if (!isTier(name))
    throw new SetupFailure(`--tier takes one of ${Object.keys(tiers).join(", ")}, not ${name || "nothing"}.`);
  return name;
}
