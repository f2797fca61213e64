const fs = require("node:fs");
const path = require("node:path");
const { atLeast, figure } = require("../benchFigures");
const { judge } = require("./judge");

const dist = path.resolve(__dirname, "..", "..", "..", "dist");
const now = new Date("2026-11-20T12:00:00Z");

/** Lowest share of findings that are right, and of problems that are found. */
const bars = { recommended: { precision: 0.9, recall: 0.95 }, strict: { precision: 0.8, recall: 0.97 } };

/**
 * How many findings of each preset are right, and how many problems they name, in fleets as people declare them. The
 * variable FLEETS names another file of fleets.
 * @type {import("../benchFigures").Bench}
 */
async function bench() {
  const file = process.env.FLEETS ?? path.join(__dirname, "fleets.json");
  /** @type {import("./judge").Fleet[]} */
  const fleets = JSON.parse(await fs.promises.readFile(file, "utf8"));
  return /** @type {const} */ (["recommended", "strict"]).flatMap((preset) =>
    resultsOf(
      preset,
      judge(fleets, (fleet) => findingsOf(fleet, preset)),
    ),
  );
}

/** @param {import("./judge").Fleet} fleet @param {"recommended" | "strict"} preset */
function findingsOf({ channels }, preset) {
  /** @type {typeof import("../../../audit")} */
  const { auditAlertChannels } = require(path.join(dist, "audit"));
  /** @type {typeof import("../../../provider/credentials/redact")} */
  const { redactConfig } = require(path.join(dist, "provider", "credentials", "redactConfig"));
  const read = channels.map((channel) => ({ ...channel, config: redactConfig(channel, "fleet") }));
  return auditAlertChannels(read, { extends: preset }, { now }).findings;
}

/**
 * @param {"recommended" | "strict"} preset
 * @param {import("./judge").Judgement} judgement
 * @returns {import("../benchFigures").Figure[]}
 */
function resultsOf(preset, { findings, problems }) {
  const right = findings.filter(({ isRight }) => isRight).length;
  const found = problems.filter(({ isFound }) => isFound).length;
  const { precision, recall } = bars[preset];
  return [
    figure(`${preset}: findings`, findings.length, "count"),
    atLeast(`${preset}: share that is right`, right / findings.length, "ratio", precision),
    figure(`${preset}: problems`, problems.length, "count"),
    atLeast(`${preset}: share that is found`, found / problems.length, "ratio", recall),
  ];
}

module.exports = { bench };
