/** Every property of the tests, with more cases than in `npm test`. */
const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../scripts/setup");
const { step } = require("../../scripts/setup/progress");
const { all } = require("../bars");
const { runTests } = require("../tests");

const fewest = 25;
/** Folders whose properties are stages of their own. */
const others = new Set(["contract", "soak"]);

/** @param {import("..").Options} options @returns {Promise<import("..").Figure[]>} */
async function stage({ short, seed, runs = short ? 100 : 10_000, replay }) {
  /** @type {import("../tests").Tested} */
  const { passed, failed, stated, held } = await step("Properties", `${runs} cases each`, (tell) =>
    runTests(files(), { seed, runs, tell, ...(replay !== undefined && { only: replay }) }),
  );
  return [
    {
      what: "properties",
      measured: String(stated),
      bar: `>= ${fewest}`,
      met: stated >= fewest || replay !== undefined,
    },
    all("tests of the files with properties", passed, passed + failed),
    all(`properties that hold in ${runs} cases or more`, held, stated),
  ];
}

/** The test files with properties. */
function files() {
  const test = path.join(root, "test");
  return fs
    .readdirSync(test, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !others.has(file.split(path.sep)[0] ?? ""))
    .map((file) => path.join("test", file))
    .filter((file) => fs.readFileSync(path.join(root, file), "utf8").includes("fc.assert("));
}

module.exports = { stage };
