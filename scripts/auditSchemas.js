require("./setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { command } = require("./command");
const { prepareBuild, root } = require("./setup");
const { run } = require("./setup/run");

/** Writes the JSON Schemas of rule files and of json reports, from the schemas that the audit validates with. */
command(async () => {
  await prepareBuild();
  const { reportJsonSchema, rulesJsonSchema } = require(path.join(root, "dist", "audit"));
  const schemas = { "audit.schema.json": rulesJsonSchema(), "report.schema.json": reportJsonSchema() };
  const prettier = path.join(root, "node_modules", "prettier", "bin", "prettier.cjs");
  for (const [name, schema] of Object.entries(schemas)) {
    const file = path.join(root, "audit", name);
    fs.writeFileSync(file, JSON.stringify(schema));
    await run(process.execPath, [prettier, "--write", file], { cwd: root });
  }
});
