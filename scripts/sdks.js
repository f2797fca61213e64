require("./setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { command } = require("./command");
const { prepareSdks } = require("./sdks/generate");

/** `npm run sdks`: generates the SDKs for Python and Go from the schema, and the archives that a release has. */
command(async () => {
  const folder = await prepareSdks();
  const archives = fs.readdirSync(folder).filter((name) => name.endsWith(".tar.gz"));
  for (const archive of archives) console.log(path.join("sdks", archive));
});
