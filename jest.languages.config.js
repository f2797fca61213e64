const main = require("./jest.config");

/**
 * `npm run test:languages`: programs in YAML and Python on the real engine, and the SDK in Go.
 * @type {import("jest").Config}
 */
module.exports = {
  ...main,
  testMatch: ["<rootDir>/test/languages/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/"],
  setupFilesAfterEnv: ["<rootDir>/test/languages/environment.ts"],
};
