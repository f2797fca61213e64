require("../../setup/nodeVersion");
const path = require("node:path");
const { argumentsOf, command, countIn } = require("../../setup/command");
const { prepareBuild, root } = require("../../setup");
const { SetupFailure } = require("../../setup/failure");
const { handOver } = require("../../setup/run");
const { filesOf, groups } = require("./groups");
const { addScores } = require("./scores");

/**
 * `npm run mutants`: all groups, or the named ones. `--slice 2/6` is the second of six parts of a group's files, and the results of
 * whole files are added to scores.json and to the table in tools/soak/README.md. `--every 10` tests every tenth part of the files, which
 * is a sample and isn't added. Fails when too many mutants survive.
 */
command(async () => {
  const every = /** @type {const} */ ({ type: "string", default: "1" });
  const slice = /** @type {const} */ ({ type: "string", default: "1/1" });
  const { names, values } = argumentsOf("group", groups, { every, slice });
  const sample = countIn("every", values.every);
  const [part, parts] = values.slice.split("/").map((text) => countIn("slice", text));
  if (part === undefined || parts === undefined || part > parts)
    throw new SetupFailure(
      `--slice takes the number of a part and of all parts, such as 2/6, not ${values.slice}.`,
    );
  await prepareBuild();
  const stryker = path.join(root, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  const config = path.join(__dirname, "stryker.config.js");
  let failed = 0;
  for (const name of names) {
    const files = filesOf(name).filter((_, index) => index % parts === part - 1);
    if (files.length === 0) continue;
    console.log(`Mutants of ${name}${parts === 1 ? "" : `, part ${values.slice}: ${files.join(", ")}`}`);
    const env = { ...process.env, MUTANTS_OF: name, MUTANTS_EVERY: String(sample), MUTANTS_IN: files.join() };
    const code = await handOver(process.execPath, [stryker, "run", config], { cwd: root, env });
    // Of whole files, what the explorer kills counts, too.
    const isEnough = sample === 1 ? await addScores(name, files) : code === 0;
    if (!isEnough) failed += 1;
  }
  return failed === 0 ? 0 : 1;
});
