require("./setup/nodeVersion");
const path = require("node:path");
const { command } = require("./command");
const { writeGenerated } = require("./generated");
const { prepareBuild, root } = require("./setup");
const { areShippedCurrent } = require("./sdks/generate");

/** `npm run schema`: writes the schema of the Pulumi package, the outputs of observed resources, and the JSON Schema of rule files. */
command(async () => {
  await prepareBuild();
  const { packageSpec } = require("./schema/package");
  const { rulesJsonSchema } = require(path.join(root, "dist", "audit"));
  const { specs, outputs } = packageSpec(root);
  const schemas = {
    "plugin/schema.json": specs,
    "sdk/resources/outputNames.json": outputs,
    "audit/audit.schema.json": rulesJsonSchema(),
  };
  const texts = Object.entries(schemas).map(
    ([file, schema]) => /** @type {const} */ ([file, JSON.stringify(schema)]),
  );
  await writeGenerated(root, new Map(texts), { command: "npm run schema", parser: "json" });
  if (!process.argv.includes("--check") && !areShippedCurrent())
    console.log("The schema differs from that of the archives in plugin/sdks: run `npm run sdks`.");
});
