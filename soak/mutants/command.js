require("../../scripts/setup/nodeVersion");
const path = require("node:path");
const { parseArgs } = require("node:util");
const { command } = require("../../scripts/command");
const { prepareBuild, root } = require("../../scripts/setup");
const { SetupFailure } = require("../../scripts/setup/failure");
const { handOver } = require("../../scripts/setup/run");
const { groups } = require("./groups");

/**
 * `npm run mutants`: all groups, or the named ones; with `--every 10`, of every tenth part of their files. Fails when too
 * many mutants survive.
 */
command(async () => {
  const { every, named } = readArguments();
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
    const env = { ...process.env, MUTANTS_OF: name, MUTANTS_EVERY: every };
    const config = path.join(__dirname, "stryker.config.js");
    if ((await handOver(process.execPath, [stryker, "run", config], { cwd: root, env })) !== 0) failed += 1;
  }
  return failed === 0 ? 0 : 1;
});

function readArguments() {
  try {
    const options = /** @type {const} */ ({ every: { type: "string", default: "1" } });
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (!/^[1-9]\d*$/.test(values.every)) throw new Error("--every must be a positive integer");
    return { every: values.every, named: positionals };
  } catch (error) {
    throw new SetupFailure(error instanceof Error ? error.message : String(error));
  }
}
