/** Every property that the tests state, tried with more cases than `npm test` takes the time for. */
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { root } = require("../../scripts/setup");
const { step } = require("../../scripts/setup/progress");
const { run } = require("../../scripts/setup/run");
const { all } = require("../bars");

/** @typedef {{name: string, failed: boolean, runs: number}} Property */

const fewest = 25;
const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
/** Rooms whose properties are no unit's: they are stages of their own. */
const others = new Set(["contract", "soak"]);

/** @param {import("..").Options} options @returns {Promise<import("..").Figure[]>} */
async function stage({ short, seed, runs = short ? 100 : 10_000, replay }) {
  const only = replay === undefined ? [] : ["--testNamePattern", replay];
  /** @type {Property[]} */
  const properties = await step("Properties", `${runs} cases each`, (tell) => tried(runs, seed, only, tell));
  const right = properties.filter((property) => !property.failed && property.runs >= runs).length;
  return [
    {
      what: "properties",
      measured: String(properties.length),
      bar: `>= ${fewest}`,
      met: properties.length >= fewest || replay !== undefined,
    },
    all(`properties that hold in ${runs} cases or more`, right, properties.length),
  ];
}

/**
 * @param {number} runs
 * @param {number} seed
 * @param {string[]} only
 * @param {(text: string) => void} tell
 * @returns {Promise<Property[]>}
 */
async function tried(runs, seed, only, tell) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "properties-"));
  const report = path.join(folder, "report");
  fs.writeFileSync(report, "");
  const numbers = { PROPERTY_RUNS: String(runs), PROPERTY_SEED: String(seed), PROPERTY_REPORT: report };
  try {
    const { ok, output } = await run(
      process.execPath,
      [jest, "--testTimeout", "3600000", ...only, ...files()],
      {
        cwd: root,
        env: { ...process.env, ...numbers },
        onLine: (line) => {
          if (/^(PASS|FAIL) /.test(line)) tell(line);
        },
      },
    );
    if (!ok) process.stderr.write(`${output}\n`);
    const lines = fs.readFileSync(report, "utf8").trim().split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** The tests that state any. */
function files() {
  const test = path.join(root, "test");
  return fs
    .readdirSync(test, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !others.has(file.split(path.sep)[0] ?? ""))
    .map((file) => path.join(test, file))
    .filter((file) => fs.readFileSync(file, "utf8").includes("fc.assert("));
}

module.exports = { stage };
