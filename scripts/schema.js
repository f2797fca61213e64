require("./setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { command } = require("./command");
const { prepareBuild, root } = require("./setup");
const { areShippedCurrent } = require("./sdks/generate");
const { SetupFailure } = require("./setup/failure");

/**
 * `npm run schema`: writes the schema of the Pulumi package, and the JSON Schemas of rule files and reports. With `--check`:
 * says which are stale.
 */
command(async () => {
  await prepareBuild();
  const { packageSpec } = require("./schema/package");
  const { reportJsonSchema, rulesJsonSchema } = require(path.join(root, "dist", "audit"));
  const prettier = require(path.join(root, "node_modules", "prettier"));
  const schemas = {
    "plugin/schema.json": packageSpec(root).specs,
    "audit/audit.schema.json": rulesJsonSchema(),
    "audit/report.schema.json": reportJsonSchema(),
  };
  const stale = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const file = path.join(root, name);
    const options = await prettier.resolveConfig(file);
    const text = await prettier.format(JSON.stringify(schema), { ...options, parser: "json" });
    if (fs.existsSync(file) && fs.readFileSync(file, "utf8") === text) continue;
    if (process.argv.includes("--check")) stale.push(`${name} is stale: run \`npm run schema\``);
    else fs.writeFileSync(file, text);
  }
  if (!process.argv.includes("--check") && !areShippedCurrent())
    console.log("The schema differs from that of the archives in plugin/sdks: run `npm run sdks`.");
  if (stale.length > 0) throw new SetupFailure(stale.join("\n"));
});
