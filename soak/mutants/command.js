require("../../scripts/setup/nodeVersion");
const path = require("node:path");
const { command } = require("../../scripts/command");
const { prepareBuild, root } = require("../../scripts/setup");
const { SetupFailure } = require("../../scripts/setup/failure");
const { handOver } = require("../../scripts/setup/run");
const { groups } = require("./groups");

/** `npm run mutants`: all groups, or the named ones. Fails when too many mutants survive. */
command(async () => {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !Object.hasOwn(groups, name));
  if (unknown.length > 0) {
    const known = Object.keys(groups).join(", ");
    throw new SetupFailure(`Unknown group: ${unknown.join(", ")}. The groups are: ${known}`);
  }
  await prepareBuild();
  const stryker = path.join(root, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  let failed = 0;
  for (const name of named.length > 0 ? named : Object.keys(groups)) {
    console.log(`Mutants of ${name}`);
    const env = { ...process.env, MUTANTS_OF: name };
    const config = path.join(__dirname, "stryker.config.js");
    if ((await handOver(process.execPath, [stryker, "run", config], { cwd: root, env })) !== 0) failed += 1;
  }
  return failed === 0 ? 0 : 1;
});
