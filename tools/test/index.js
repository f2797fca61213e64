require("../setup/nodeVersion");
const path = require("node:path");
const { generateSdks } = require("../generate/sdks");
const { postgresPrograms, postgresUser, s3Server } = require("../setup/backends");
const { command } = require("../setup/command");
const { prepare, root } = require("../setup");
const { pack } = require("../setup/packages");
const { handOver } = require("../setup/run");
const { prepareLanguages } = require("./languages");

/** `npm test`, or with `--tier` that of another command: all set-up, then jest with the other arguments as they are. */
command(async () => {
  const args = process.argv.slice(2);
  const at = args.indexOf("--tier");
  const [, tier = ""] = at === -1 ? ["", "main"] : args.splice(at, 2);
  process.env.TEST_TIER = tier;
  // Fails where there is no such tier.
  require("../../jest.config");
  await prepareTier(tier);
  const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
  return handOver(process.execPath, [jest, ...args], { cwd: root });
});

/** @param {string} tier */
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
