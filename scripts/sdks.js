require("./setup/nodeVersion");
const path = require("node:path");
const { command } = require("./command");
const { archivesIn, prepareSdks, shipSdks } = require("./sdks/generate");

/**
 * `npm run sdks`: the SDKs for Python and Go, and the archives that a release has. Needs Go only where the schema differs
 * from that of the committed archives, and then replaces these.
 */
command(async () => {
  const folder = await prepareSdks();
  shipSdks();
  for (const archive of archivesIn(folder)) console.log(path.join("sdks", archive));
});
