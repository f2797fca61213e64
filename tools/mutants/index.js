require("../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure, command } = require("../setup/command");
const { prepareBuild, root } = require("../setup");
const { handOver } = require("../setup/run");

const version = "9.6.1";

/** `npm run mutants -- FOLDER`: the changes of a folder's code that none of its tests notices. */
async function mutate() {
  const folder = (process.argv[2] ?? "").replace(/\/$/, "");
  if (folder === "" || !fs.existsSync(path.join(root, folder)))
    throw new SetupFailure("Say which folder to change: `npm run mutants -- provider/client`.");
  await prepareBuild();
  const packages = ["core", "jest-runner"].map((name) => `--package=@stryker-mutator/${name}@${version}`);
  const args = ["exec", "--yes", ...packages, "--", "stryker", "run", "tools/mutants/index.js"];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  return handOver(npm, args, { cwd: root, env: { ...process.env, MUTATED: folder } });
}

if (require.main === module) command(mutate);

const mutated = process.env.MUTATED ?? "";

/** Stryker's settings for the folder that MUTATED names; its tests are those of the same name. */
module.exports = {
  mutate: [`${mutated}/**/*.ts`],
  testRunner: "jest",
  coverageAnalysis: "perTest",
  jest: {
    config: {
      ...require("../../jest.config"),
      testMatch: [`<rootDir>/test/${mutated.replace(/^provider\//, "")}/**/*.test.ts`],
    },
  },
  // It would rewrite the file by a TypeScript of its own, which `npx` doesn't install.
  tsconfigFile: "none",
  tempDirName: ".stryker-tmp",
  ignorePatterns: ["dist", "examples", ".engine-tests", ".demo", "*.lock"],
  timeoutMS: 20_000,
  reporters: ["progress-append-only", "clear-text"],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
};
