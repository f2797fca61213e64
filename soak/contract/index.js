/** Sandbox and client, each held to the description of the six operations in `docs/openapi.yaml`. */
const { step } = require("../../scripts/setup/progress");
const { all } = require("../bars");
const { runTests } = require("../driver/tests");

const fewest = 1_000;

/** @param {import("..").Options} options @returns {Promise<import("..").Figure[]>} */
async function stage({ seed, runs = fewest, replay }) {
  /** @type {import("../driver/tests").Tested} */
  const { passed, failed, properties } = await step("Contract", "half a minute", (tell) =>
    runTests(["test/contract"], { seed, runs, tell, ...(replay !== undefined && { only: replay }) }),
  );
  const least = Math.min(...properties.map((property) => property.runs));
  return [
    all("tests that hold sandbox and client to docs/openapi.yaml", passed, passed + failed),
    {
      what: "generated requests, or answers, of an operation: at least",
      measured: String(least),
      bar: `>= ${fewest}`,
      met: least >= fewest,
    },
  ];
}

module.exports = { stage };
