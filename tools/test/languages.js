const { isYamlHostBuilt } = require("../setup/languages/hosts");

// Succeeds where `npm run test:languages` would not have to build the slowest language host.
process.exitCode = isYamlHostBuilt() ? 0 : 1;
