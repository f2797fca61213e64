/** Runs tests of this repository, and counts their properties. */
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { root } = require("../scripts/setup");
const { run } = require("../scripts/setup/run");

/** @typedef {{name: string, failed: boolean, runs: number}} Property */
/** @typedef {{passed: number, failed: number, stated: number, held: number}} Tested `held`: the stated properties that hold */

const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");

/**
 * Runs tests. Of a failure, jest's whole output is printed.
 *
 * @param {string[]} files or folders, from the root on
 * @param {object} options
 * @param {number} options.seed of the properties
 * @param {number} [options.runs] cases of each property, when that is more than its own number
 * @param {string} [options.only] the one test that is to run
 * @param {(text: string) => void} options.tell receives a line for each file
 * @returns {Promise<Tested>}
 */
async function runTests(files, { seed, runs = 0, only, tell }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "soak-tests-"));
  const report = path.join(folder, "properties");
  const results = path.join(folder, "results.json");
  fs.writeFileSync(report, "");
  try {
    const args = ["--testTimeout", "3600000", "--json", "--outputFile", results];
    const named = only === undefined ? [] : ["--testNamePattern", only];
    const { ok, output } = await run(process.execPath, [jest, ...args, ...named, ...files], {
      cwd: root,
      env: {
        ...process.env,
        PROPERTY_RUNS: String(runs),
        PROPERTY_SEED: String(seed),
        PROPERTY_REPORT: report,
      },
      onLine: (line) => {
        if (/^(PASS|FAIL) /.test(line)) tell(line);
      },
    });
    if (!ok) process.stderr.write(`${output}\n`);
    return { ...countsIn(results, only !== undefined), ...propertiesIn(report, runs) };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/**
 * A test file that doesn't run counts as a failed test, and so does a test that is skipped.
 * @param {string} results
 * @param {boolean} some whether only some tests were requested
 */
function countsIn(results, some) {
  if (!fs.existsSync(results)) return { passed: 0, failed: 1 };
  /** @type {Record<"numPassedTests" | "numFailedTests" | "numPendingTests" | "numTodoTests" | "numRuntimeErrorTestSuites", number>} */
  const counted = JSON.parse(fs.readFileSync(results, "utf8"));
  return {
    passed: counted.numPassedTests,
    failed:
      counted.numFailedTests +
      counted.numRuntimeErrorTestSuites +
      (some ? 0 : counted.numPendingTests + counted.numTodoTests),
  };
}

/** The number of properties, and of those that hold in this number of cases or more. @param {string} report @param {number} fewest */
function propertiesIn(report, fewest) {
  const lines = fs.readFileSync(report, "utf8").split("\n");
  /** @type {Property[]} */
  const properties = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  const held = properties.filter(({ failed, runs }) => !failed && runs >= fewest);
  return { stated: properties.length, held: held.length };
}

module.exports = { runTests };
