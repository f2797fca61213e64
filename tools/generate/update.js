require("../setup/nodeVersion");
const { argumentsOf, command } = require("../setup/command");
const { prepareBuild } = require("../setup");

/**
 * `npm run update`: runs every generator, or the named ones: `npm run update -- schema docs`. With `--check`: writes nothing,
 * and fails where something is stale.
 */
command(async () => {
  const { generators } = require("./generated");
  const { names, values } = argumentsOf("generator", generators, { check: { type: "boolean" } });
  const check = values.check === true;
  await prepareBuild();
  let count = 0;
  for (const [name, generate] of Object.entries(generators).filter(([each]) => names.includes(each))) {
    const stale = await generate(check);
    count += stale.length;
    for (const file of stale)
      console.log(check ? `${file} is stale: run \`npm run update -- ${name}\`` : `${name}: ${file}`);
    // The next one reads what this one has written.
    if (!check && stale.length > 0) await prepareBuild();
  }
  if (!check) console.log(`${count} generated ${count === 1 ? "file" : "files"} changed`);
  return check && count > 0 ? 1 : 0;
});
