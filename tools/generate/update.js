require("../setup/nodeVersion");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { prepareBuild, root } = require("../setup");
const { command, SetupFailure } = require("../setup/run");

const folder = "docs/reference";

/** `npm run update`: writes the schema and the reference. With `--check`, it writes nothing and fails if a file is stale. */
command(async () => {
  const check = process.argv.includes("--check");
  process.chdir(root);
  await prepareBuild();
  const { Sources } = require("./model/sources");
  const { makePages } = require("./reference/pages");
  const { packageSpec } = require("./schema/package");
  const sources = new Sources();
  const { specs, outputs } = packageSpec(sources);
  const ofRuleFiles = ["Rules", "Exception", "Selection", "CustomRule"];
  const descriptions = Object.fromEntries(ofRuleFiles.map((type) => [type, sources.docsOf(type)]));
  const pages = Object.entries(makePages(specs, (type) => sources.declarationOf(type)));
  const files = new Map([
    ["plugin/schema.json", JSON.stringify(specs)],
    ["sdk/outputNames.json", JSON.stringify(outputs)],
    ["audit/ruleFile/descriptions.json", JSON.stringify(descriptions)],
    ...pages.map(([name, text]) => /** @type {const} */ ([`${folder}/${name}`, text])),
  ]);
  const { format } = await import("oxfmt");
  const { printWidth } = JSON.parse(fs.readFileSync(".oxfmtrc.json", "utf8"));
  const stale = [];
  for (const name of fs.readdirSync(folder))
    if (!files.has(`${folder}/${name}`)) {
      stale.push(`${folder}/${name}`);
      if (!check) fs.rmSync(`${folder}/${name}`);
    }
  for (const [file, text] of files) {
    const current = fs.existsSync(file) ? fs.readFileSync(file, "utf8").replaceAll("\r\n", "\n") : "";
    const { code: expected } = await format(file, text, { printWidth });
    if (current === expected) continue;
    stale.push(file);
    if (!check) fs.writeFileSync(file, expected);
  }
  for (const file of stale) console.log(check ? `${file} is stale: run \`npm run update\`` : file);
  if (!check) console.log(`${stale.length} generated ${stale.length === 1 ? "file" : "files"} changed`);
  if (!check || stale.length > 0) return check ? 1 : 0;
  const { brokenLinks } = require("./model/markdown");
  const pattern = ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"];
  const found = execFileSync("git", pattern, { encoding: "utf8" }).trim().split("\n");
  const broken = brokenLinks(found.map((file) => path.join(root, file)));
  if (broken.length > 0) throw new SetupFailure(broken.join("\n"));
  return 0;
});
