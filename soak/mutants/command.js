require("../../scripts/setup/nodeVersion");
const path = require("node:path");
const { argumentsOf, command, countIn } = require("../../scripts/command");
const { prepareBuild, root } = require("../../scripts/setup");
const { handOver } = require("../../scripts/setup/run");
const { groups } = require("./groups");

/**
 * `npm run mutants`: all groups, or the named ones; with `--every 10`, of every tenth part of their files. Fails when too
 * many mutants survive.
 */
command(async () => {
  const every = /** @type {const} */ ({ type: "string", default: "1" });
  const { names, values } = argumentsOf("group", groups, { every });
  const sample = String(countIn("every", values.every));
  await prepareBuild();
  const stryker = path.join(root, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  let failed = 0;
  for (const name of names) {
    console.log(`Mutants of ${name}`);
    const env = { ...process.env, MUTANTS_OF: name, MUTANTS_EVERY: sample };
    const config = path.join(__dirname, "stryker.config.js");
    if ((await handOver(process.execPath, [stryker, "run", config], { cwd: root, env })) !== 0) failed += 1;
  }
  return failed === 0 ? 0 : 1;
});
