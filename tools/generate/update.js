require("../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { filesUnder, prepareBuild, root } = require("../setup");
const { command, SetupFailure } = require("../setup/run");

const folder = "docs/reference";

/** `npm run update`: writes the schema, and the reference after it. With `--check`: writes nothing, and fails where a file is stale. */
command(async () => {
  const check = process.argv.includes("--check");
  await prepareBuild();
  const { Sources } = require("./model/sources");
  const { packageSpec } = require("./schema/package");
  const sources = new Sources();
  const { specs, outputs } = packageSpec(sources);
  const files = { "plugin/schema.json": specs, "sdk/outputNames.json": outputs };
  const texts = Object.entries(files).map(([file, content]) => [file, JSON.stringify(content)]);
  const stale = await write(Object.fromEntries(texts), "json", check);
  // The examples of the reference run what is built.
  if (!check && stale.length > 0) await prepareBuild();

  const { makePages } = require("./reference/pages");
  const pages = Object.entries(await makePages(sources, specs));
  const byFile = Object.fromEntries(pages.map(([name, text]) => [`${folder}/${name}`, text]));
  for (const found of filesUnder(path.join(root, folder))) {
    const file = path.relative(root, found).replaceAll("\\", "/");
    if (file in byFile) continue;
    stale.push(file);
    if (!check) fs.rmSync(found);
  }
  stale.push(...(await write(byFile, "markdown", check)));
  for (const file of stale) console.log(check ? `${file} is stale: run \`npm run update\`` : file);
  if (!check) console.log(`${stale.length} generated ${stale.length === 1 ? "file" : "files"} changed`);
  if (!check || stale.length > 0) return check ? 1 : 0;
  const { brokenLinks } = require("./model/markdown");
  const broken = brokenLinks();
  if (broken.length > 0) throw new SetupFailure(broken.join("\n"));
  return 0;
});

/**
 * Writes files, formatted as this repository is, unless they are only checked.
 * @param {Readonly<Record<string, string>>} texts by file
 * @param {"json" | "markdown"} parser
 * @param {boolean} check
 * @returns {Promise<string[]>} the files that were stale
 */
async function write(texts, parser, check) {
  const stale = [];
  for (const [file, text] of Object.entries(texts)) {
    const target = path.join(root, file);
    const current = fs.existsSync(target) ? fs.readFileSync(target, "utf8").replaceAll("\r\n", "\n") : "";
    // Formatting takes longer than all else.
    if (unformatted(current, parser) === text) continue;
    const prettier = require(path.join(root, "node_modules", "prettier"));
    const formatted = await prettier.format(text, { ...(await prettier.resolveConfig(target)), parser });
    if (current === formatted) continue;
    stale.push(file);
    if (!check) fs.writeFileSync(target, formatted);
  }
  return stale;
}

/** Undoes the formatting of a text where that is possible. @param {string} text @param {"json" | "markdown"} parser */
function unformatted(text, parser) {
  try {
    return parser === "json" ? JSON.stringify(JSON.parse(text)) : text;
  } catch {
    return text;
  }
}
