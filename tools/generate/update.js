require("../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { filesUnder, prepareBuild, root } = require("../setup");
const { argumentsOf, command, SetupFailure } = require("../setup/run");

/**
 * Makes something, or only checks whether it is current.
 * @typedef {(check: boolean) => Promise<string[]>} Generator returns the files that were stale
 */

/** All that is generated, each after what it is made from. @type {Record<string, Generator>} */
const generators = {
  schema: async (check) => {
    const { packageSpec } = require("./schema/package");
    const { specs, outputs } = packageSpec();
    const texts = new Map([
      ["plugin/schema.json", JSON.stringify(specs)],
      ["sdk/outputNames.json", JSON.stringify(outputs)],
    ]);
    return write(texts, { check, parser: "json" });
  },
  docs: async (check) => {
    const { brokenLinks } = require("./model/markdown");
    const { makePages } = require("./reference/pages");
    const folder = "docs/reference";
    const texts = new Map([...(await makePages())].map(([name, text]) => [`${folder}/${name}`, text]));
    const stale = await write(texts, { check, parser: "markdown", folder });
    const broken = check && stale.length === 0 ? brokenLinks() : [];
    if (broken.length > 0) throw new SetupFailure(broken.join("\n"));
    return stale;
  },
};

/**
 * `npm run update`: runs every generator, or the named ones: `npm run update -- schema docs`. With `--check`: writes nothing,
 * and fails where something is stale.
 */
command(async () => {
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

/**
 * Writes files, formatted as this repository is, or only finds the stale ones.
 * @param {ReadonlyMap<string, string>} texts by file
 * @param {{check: boolean, parser: string, folder?: string}} options folder: whose other files are removed
 */
async function write(texts, { check, parser, folder }) {
  const prettier = require(path.join(root, "node_modules", "prettier"));
  const present = folder === undefined ? [] : filesIn(folder);
  const stale = present.filter((file) => !texts.has(file));
  for (const file of check ? [] : stale) fs.rmSync(path.join(root, file));
  for (const [file, text] of texts) {
    const target = path.join(root, file);
    const formatted = await prettier.format(text, { ...(await prettier.resolveConfig(target)), parser });
    if (fs.existsSync(target) && fs.readFileSync(target, "utf8").replaceAll("\r\n", "\n") === formatted)
      continue;
    stale.push(file);
    if (check) continue;
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, formatted);
  }
  return stale;
}

/** @param {string} folder @returns {string[]} from the root on */
function filesIn(folder) {
  return filesUnder(path.join(root, folder)).map((file) => path.relative(root, file).replaceAll("\\", "/"));
}
