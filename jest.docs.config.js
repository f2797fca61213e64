const main = require("./jest.config");

/**
 * The second tier, `npm run test:docs`: every guide, example and screen, by the commands that it shows.
 * @type {import("jest").Config}
 */
module.exports = {
  ...main,
  testMatch: ["<rootDir>/test/{docs,examples,browser}/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/"],
};
