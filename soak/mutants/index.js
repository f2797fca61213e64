require("../../scripts/setup/nodeVersion");
const { command } = require("../../scripts/command");
const { prepareBuild } = require("../../scripts/setup");
const { SetupFailure } = require("../../scripts/setup/failure");
const { groups } = require("./groups");
const { survivorsOf } = require("./survivors");

/** `npm run mutants`: all groups, or those that are named. Fails when a bar is missed. */
command(async () => {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !groups[name]);
  if (unknown.length > 0) {
    const known = Object.keys(groups).join(", ");
    throw new SetupFailure(`No group is called ${unknown.join(", ")}. There are: ${known}`);
  }
  await prepareBuild();
  let met = true;
  for (const [name, { mutate, tests, bar }] of Object.entries(groups)) {
    if (named.length > 0 && !named.includes(name)) continue;
    process.env.MUTANTS_TESTS = tests;
    const { Stryker } = await import("@stryker-mutator/core");
    const results = await new Stryker({ mutate: [...mutate] }).runMutationTest();
    const { score, count, equivalent, survivors, stale } = survivorsOf(results);
    const ok = score >= bar && stale.length === 0;
    met &&= ok;
    console.log(
      `${ok ? "met   " : "MISSED"} ${name}: ${score.toFixed(1)} % of ${count} mutants found, at least ${bar} %`,
    );
    console.log(`       ${equivalent} more are equivalent: soak/mutants/equivalent.json says why`);
    for (const survivor of survivors) console.log(`       ${survivor}`);
    for (const entry of stale) console.log(`       no longer equivalent, or gone: ${entry}`);
  }
  return met ? 0 : 1;
});
