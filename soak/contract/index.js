/** Sandbox and client, each verified against `docs/openapi.yaml`. */
const { step } = require("../../scripts/setup/progress");
const { all } = require("../bars");
const { runTests } = require("../tests");

/** For each of six operations: requests to the sandbox, responses to the client, error responses to the client. */
const stated = 3 * 6;

/** @param {import("..").Options} options @returns {Promise<import("..").Figure[]>} */
async function stage({ seed, runs = 1_000 }) {
  /** @type {import("../tests").Tested} */
  const { passed, failed, held } = await step("Contract", "half a minute", (tell) =>
    runTests(["test/contract"], { seed, runs, tell }),
  );
  return [
    all("tests of sandbox and client against docs/openapi.yaml", passed, passed + failed),
    all(`properties of an operation that hold in ${runs} requests or responses`, held, stated),
  ];
}

module.exports = { stage };
