const { atMost, median, units } = require("../benchFigures");
const { names } = require("./contenders");
const { commands, lives } = require("./lives");

/** @typedef {import("./contenders").Name} Name */
/** @typedef {(life: import("./lives").Life) => number} Cost */
/** @typedef {Record<Name, import("./lives").Life>[]} Rounds */

/** The size of stacks that the limits are set for. */
const barSize = 500;

const titles = { package: "this package", native: "its plugin", inline: "inline", noop: "no-op plugin" };

/**
 * Stacks of incident updates, ten on each incident, on the real engine: by this package, by its native plugin, by a dynamic provider that is
 * written inline, and by a native plugin that does nothing.
 * @type {import("../benchFigures").Bench}
 */
async function bench({ sizes, rounds: wanted }) {
  /** @type {Map<number, Rounds>} */
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

/** @param {Rounds} rounds */
function bars(rounds) {
  const of = `of ${barSize} updates`;
  const up = medianRatio(rounds, "package", "noop", ({ seconds }) => seconds.up);
  const preview = medianRatio(rounds, "package", "inline", ({ seconds }) => seconds.preview);
  const bytes = medianRatio(rounds, "package", "noop", (life) => life.bytes);
  const plan = medianOf(rounds, "package", ({ requests }) => requests.plan);
  const refresh = medianOf(rounds, "package", ({ requests }) => requests.refresh);
  return [
    atMost(`up ${of}, relative to the no-op plugin`, up, "ratio", 1.3),
    atMost("preview of the same, relative to the inline provider", preview, "ratio", 1.1),
    atMost("size of their state, relative to the no-op plugin", bytes, "ratio", 1.35),
    atMost("requests of the preview that they are new, ten to an incident", plan, "count", barSize / 10),
    atMost("requests of their refresh", refresh, "count", 60),
  ];
}

/** @param {ReadonlyMap<number, Rounds>} measured @returns {import("../benchFigures").Table} */
function times(measured) {
  const ratios = ["vs. inline", "vs. no-op", "plugin vs. dynamic"];
  const rows = commands.flatMap((command) =>
    [...measured].map(([size, rounds]) => {
      /** @type {Cost} */
      const seconds = (life) => life.seconds[command];
      return [
        command,
        units.count(size),
        units.count(rounds.length),
        ...names.map((name) => units.s(medianOf(rounds, name, seconds))),
        units.ratio(medianRatio(rounds, "package", "inline", seconds)),
        units.ratio(medianRatio(rounds, "package", "noop", seconds)),
        units.ratio(medianRatio(rounds, "native", "package", seconds)),
      ];
    }),
  );
  return {
    title: "Time of each command: medians, and medians of the ratios of each round",
    rows: [["command", "resources", "rounds", ...Object.values(titles), ...ratios], ...rows],
  };
}

/** The median cost for a contender. @param {Rounds} rounds @param {Name} name @param {Cost} cost */
function medianOf(rounds, name, cost) {
  return median(rounds.map((lives) => cost(lives[name])));
}

/**
 * The cost of one contender divided by that of another, in each round.
 * @param {Rounds} rounds
 * @param {Name} one
 * @param {Name} other
 * @param {Cost} cost
 */
function medianRatio(rounds, one, other, cost) {
  return median(rounds.map((lives) => cost(lives[one]) / cost(lives[other])));
}

module.exports = { bench };
