/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  modulePathIgnorePatterns: [
    "<rootDir>/dist/",
    "<rootDir>/.engine-tests/",
    "<rootDir>/.demo/",
    "<rootDir>/.stryker-tmp/",
  ],
  setupFiles: ["<rootDir>/test/propertySeed.ts"],
  transform: { "\\.ts$": ["ts-jest", { tsconfig: "<rootDir>/tsconfig.json" }] },
};
