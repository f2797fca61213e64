const main = require("./jest.config");

/**
 * The second tier, `npm run test:docs`: every guide, example and screen, by the commands that it shows, and what a release has.
 * @type {import("jest").Config}
 */
module.exports = {
  ...main,
  testMatch: ["<rootDir>/test/{docs,examples,browser,release}/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/"],
};
