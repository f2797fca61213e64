require("../setup/nodeVersion");
const path = require("node:path");
const { generateSdks } = require("../generate/sdks");
const { postgresPrograms, postgresUser, s3Server } = require("../setup/backends");
const { SetupFailure, command } = require("../setup/command");
const { prepare, root } = require("../setup");
const { pack } = require("../setup/packages");
const { handOver } = require("../setup/run");
const { prepareLanguages } = require("./languages");
const { isTier, tiers, variable } = require("./tiers");

/** `npm test`, or with `--tier` that of another command: all set-up, then jest with the other arguments as they are. */
command(async () => {
  const args = process.argv.slice(2);
  const tier = tierIn(args);
  await prepareTier(tier);
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

/** @param {import("./tiers").TierName} tier */
async function prepareTier(tier) {
  if (tier === "backends") {
    // They say what is missing on this machine.
    postgresPrograms();
    postgresUser();
  }
  await prepare();
  if (tier === "backends") await s3Server();
  if (tier === "languages") {
    await generateSdks();
    await prepareLanguages();
  }
  if (tier !== "main") await pack();
}
