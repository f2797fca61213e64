require("./setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { command } = require("./command");
const { prepareBuild, root } = require("./setup");
const { SetupFailure } = require("./setup/failure");

const file = path.join(root, "plugin", "schema.json");

/** `npm run schema`: writes the schema of the Pulumi package. With `--check`: says whether it is stale. */
command(async () => {
  await prepareBuild();
  const { makeSchema } = require("./schema/package");
  const schema = await makeSchema(root);
  const isCurrent = fs.existsSync(file) && fs.readFileSync(file, "utf8") === schema;
  if (!process.argv.includes("--check")) fs.writeFileSync(file, schema);
  else if (!isCurrent) throw new SetupFailure("plugin/schema.json is stale: run `npm run schema`");
});
