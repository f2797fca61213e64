const main = require("./jest.config");

/**
 * What `.ci/run` tests: both tiers at once.
 * @type {import("jest").Config}
 */
module.exports = {
  ...main,
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/(backends|languages)/"],
};
