const main = require("./jest.config");

/**
 * The second tier, `npm run test:docs`: every guide, example and screen, by the commands that it shows, what a release has, and long journeys.
 * @type {import("jest").Config}
 */
module.exports = {
  ...main,
  testMatch: ["<rootDir>/test/{docs,examples,browser,release,journeys}/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/"],
};
