/** The configuration of Stryker for the group, the files and the sample that the environment variables name: see mutantsCommand.js. */
const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../setup");
const { groups } = require("./groups");

const name = process.env.MUTANTS_OF ?? "";
const group = groups[name];
if (!group) throw new Error(`No group of mutants is called ${name}.`);
const { tests, percent } = group;
const every = Number(process.env.MUTANTS_EVERY);
/** A mutant that is larger than its lines isn't in a sample. Most of those are killed. */
const sampledLines = 20;

/** The parts of the files that are mutated. */
function mutated() {
  const files = (process.env.MUTANTS_IN ?? "").split(",");
  if (every === 1) return files;
  const parts = files.flatMap((file) => {
    const lines = fs.readFileSync(path.join(root, file), "utf8").split("\n").length;
    const starts = Array.from(
      { length: Math.ceil(lines / sampledLines) },
      (_, index) => index * sampledLines,
    );
    return starts.map((start) => `${file}:${start + 1}-${start + sampledLines}`);
  });
  return parts.filter((_, index) => index % every === 0);
}

module.exports = {
  mutate: mutated(),
  testRunner: "jest",
  coverageAnalysis: "perTest",
  jest: {
    config: {
      testMatch: tests.map((test) => `<rootDir>/test/${test}.test.ts`),
      // A mutant needs no types, and tests of size take a minute each.
      transform: { "\\.ts$": ["ts-jest", { tsconfig: "<rootDir>/tsconfig.json", diagnostics: false }] },
      testPathIgnorePatterns: ["/node_modules/"],
    },
  },
  thresholds: { high: percent, low: percent, break: percent },
  incremental: true,
  incrementalFile: `.stryker/${name}.json`,
  tempDirName: ".stryker-tmp",
  ignorePatterns: ["dist", "examples", "tools/bench", ".engine-tests", ".demo", ".stryker", "*.lock"],
  timeoutMS: 20_000,
  maxTestRunnerReuse: 100,
  reporters: ["progress-append-only", "clear-text"],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
  warnings: { slow: false },
  logLevel: "error",
};
