require("../../setup/nodeVersion");
const { command } = require("../../setup/command");
const { generateSdks } = require("./generate");

/** `npm run sdks`: the SDKs of other languages, by Go, into sdks/ and, as archives, into plugin/sdks/. */
command(async () => {
  await generateSdks();
});
