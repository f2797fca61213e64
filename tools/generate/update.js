require("../setup/nodeVersion");
const { argumentsOf, command } = require("../setup/command");
const { generators } = require("./generated");
const { preparePackages } = require("../setup");
const { Passed } = require("../setup/passed");
const { readsOf } = require("../setup/reads");

/**
 * `npm run update`: runs every generator, or the named ones: `npm run update -- schema docs`. With `--check`: writes nothing,
 * and fails where something is stale. The SDKs need Go, and only where the schema differs from that of the committed ones.
 * What found nothing stale isn't run again until a file that it reads has changed.
 */
command(async () => {
  const { names, values } = argumentsOf("generator", generators, { check: { type: "boolean" } });
  const check = values.check === true;
  await preparePackages();
  let count = 0;
  for (const [name, generate] of Object.entries(generators).filter(([each]) => names.includes(each))) {
    // What one has written, the next one reads.
    const passed = new Passed();
    await passed.orRun(name, readsOf(name), async () => {
      const stale = await generate(check);
      count += stale.length;
      for (const file of stale)
        console.log(check ? `${file} is stale: run \`npm run update -- ${name}\`` : `${name}: ${file}`);
      return stale.length === 0;
    });
    passed.end();
  }
  if (!check) console.log(`${count} generated ${count === 1 ? "file" : "files"} changed`);
  return check && count > 0 ? 1 : 0;
});
