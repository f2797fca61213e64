require("../../scripts/setup/nodeVersion");
const { command } = require("../../scripts/command");
const { prepareBuild } = require("../../scripts/setup");
const { SetupFailure } = require("../../scripts/setup/failure");
const { groups } = require("./groups");
const { keepFigures } = require("./lastFigures");
const { measure, remarksOn } = require("./measure");

/** `npm run mutants`: all groups, or the named ones. Writes the figures of the long ones. Fails when a bar is missed. */
command(async () => {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !Object.hasOwn(groups, name));
  if (unknown.length > 0) {
    const known = Object.keys(groups).join(", ");
    throw new SetupFailure(`Unknown group: ${unknown.join(", ")}. The groups are: ${known}`);
  }
  await prepareBuild();
  let all = true;
  for (const name of Object.keys(groups).filter((each) => named.length === 0 || named.includes(each))) {
    const measured = await measure(name);
    keepFigures(measured);
    const { met, score, count, bar, equivalent } = measured;
    all &&= met;
    console.log(
      `${met ? "met   " : "MISSED"} ${name}: ${score.toFixed(1)} % of ${count} mutants killed, at least ${bar} %`,
    );
    console.log(`       ${equivalent} more are equivalent, for the reasons in soak/mutants/equivalent.json`);
    for (const remark of remarksOn(measured)) console.log(`       ${remark}`);
  }
  return all ? 0 : 1;
});
