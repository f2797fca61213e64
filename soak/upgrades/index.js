/** Stacks that earlier releases made, taken over by the code of today. */
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
      "stacks of earlier releases: tests that see nothing changed, replaced or written",
      passed,
      passed + failed,
    ),
  ];
}

module.exports = { stage };
