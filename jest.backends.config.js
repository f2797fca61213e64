const main = require("./jest.config");

/**
 * `npm run test:backends`: stacks whose state is on a PostgreSQL server and in a bucket, on the real engine.
 * @type {import("jest").Config}
 */
module.exports = {
  ...main,
  testMatch: ["<rootDir>/test/backends/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/"],
};
