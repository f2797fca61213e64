require("../setup/nodeVersion");
const { command } = require("../setup/command");
const { isYamlHostBuilt, prepareLanguages } = require("./prepareLanguages");

/**
 * The set-up of `npm run test:languages`. With `--check`: fails when the language hosts would have to be built first.
 */
command(async () => {
  if (process.argv.includes("--check")) return isYamlHostBuilt() ? 0 : 1;
  await prepareLanguages();
  return 0;
});
