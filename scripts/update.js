require("./setup/nodeVersion");
const { argumentsOf, command } = require("./command");
const { generators } = require("./generated");

/**
 * `npm run update`: runs every generator, or the named ones: `npm run update -- schema docs`. With `--check`: writes nothing,
 * and fails where something is stale. The SDKs need Go, and only where the schema differs from that of the committed ones.
 */
command(async () => {
  const { names, values } = argumentsOf("generator", generators, { check: { type: "boolean" } });
  const check = values.check === true;
  let count = 0;
  for (const [name, generate] of Object.entries(generators)) {
    const stale = names.includes(name) ? await generate(check) : [];
    count += stale.length;
    for (const file of stale)
      console.log(check ? `${file} is stale: run \`npm run update -- ${name}\`` : `${name}: ${file}`);
  }
  if (!check) console.log(`${count} generated ${count === 1 ? "file" : "files"} changed`);
  return check && count > 0 ? 1 : 0;
});
