/** Stacks of earlier releases with the current code. */
const { step } = require("../../scripts/setup/progress");
const { all } = require("../bars");
const { runTests } = require("../tests");

/** @param {import("..").Options} options @returns {Promise<import("..").Figure[]>} */
async function stage({ seed }) {
  /** @type {import("../tests").Tested} */
  const { passed, failed } = await step("Upgrades", "half a minute", (tell) =>
    runTests(["test/engine/oldState"], { seed, tell }),
  );
  return [
    all(
      "tests of stacks of earlier releases without a change, replacement or write",
      passed,
      passed + failed,
    ),
  ];
}

module.exports = { stage };
