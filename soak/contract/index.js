/** Sandbox and client, each held to the description of the six operations in `docs/openapi.yaml`. */
const { step } = require("../../scripts/setup/progress");
const { all } = require("../bars");
const { runTests } = require("../tests");

/** Of six operations: requests to the sandbox, answers to the client, refusals to the client. */
const stated = 3 * 6;

/** @param {import("..").Options} options @returns {Promise<import("..").Figure[]>} */
async function stage({ seed, runs = 1_000 }) {
  /** @type {import("../tests").Tested} */
  const { passed, failed, held } = await step("Contract", "half a minute", (tell) =>
    runTests(["test/contract"], { seed, runs, tell }),
  );
  return [
    all("tests that hold sandbox and client to docs/openapi.yaml", passed, passed + failed),
    all(`properties of an operation that hold in ${runs} requests or answers`, held, stated),
  ];
}

module.exports = { stage };
