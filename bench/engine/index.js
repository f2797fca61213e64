const { atMost, quantity } = require("../figures");
const { barSize } = require("../options");
const { lives } = require("./lives");
const { medianOf, medianRatio, times } = require("./tables");

/**
 * Stacks of incident updates, ten on each incident, on the real engine: by this package, by its native plugin, by a dynamic provider that is
 * written inline, and by a native plugin that does nothing.
 * @type {import("../figures").Bench}
 */
async function bench({ sizes, rounds: wanted }) {
  /** @type {import("./tables").BySize} */
  const measured = new Map();
  for (const size of sizes) {
    const rounds = [];
    // A round of this size takes as long as several others.
    const count = size > barSize ? 1 : wanted;
    for (let round = 0; round < count; round++) {
      // Progress: the figures come at the end.
      console.error(`  ${size} resources, round ${round + 1} of ${count}`);
      rounds.push(await lives(size, round));
    }
    measured.set(size, rounds);
  }
  const atBar = measured.get(barSize);
  return [...(atBar ? bars(atBar) : []), times(measured)];
}

/** @param {import("./tables").Rounds} rounds */
function bars(rounds) {
  const up = medianRatio(rounds, "noop", ({ seconds }) => seconds.up);
  const preview = medianRatio(rounds, "inline", ({ seconds }) => seconds.preview);
  const bytes = medianRatio(rounds, "noop", ({ bytes }) => bytes);
  const plan = medianOf(rounds, "package", ({ requests }) => requests.plan);
  const refresh = medianOf(rounds, "package", ({ requests }) => requests.refresh);
  return [
    { what: `up of ${barSize} updates, relative to the no-op plugin`, ...atMost(quantity(up, "ratio"), 1.3) },
    {
      what: "preview of the same, relative to the inline provider",
      ...atMost(quantity(preview, "ratio"), 1.1),
    },
    { what: "size of their state, relative to the no-op plugin", ...atMost(quantity(bytes, "ratio"), 1.35) },
    {
      what: "requests of the preview that they are new, ten to an incident",
      ...atMost(quantity(plan, "count"), barSize / 10),
    },
    { what: "requests of their refresh", ...atMost(quantity(refresh, "count"), 60) },
  ];
}

module.exports = { bench };
