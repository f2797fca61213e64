const { quantity } = require("../figures");
const { perIncident } = require("./contenders");
const { commands } = require("./lives");
const { medianOf, medianRatio } = require("./rounds");

/** @typedef {import("../figures").Table} Table */
/** @typedef {import("./rounds").BySize} BySize */
/** @typedef {import("./rounds").Cost} Cost */
/** @typedef {import("./rounds").Rounds} Rounds */

const titles = { package: "this package", native: "its plugin", inline: "inline", noop: "no-op plugin" };
const all = /** @type {const} */ (["package", "native", "inline", "noop"]);
const withService = /** @type {const} */ (["package", "native", "inline"]);
const ratioTitles = ["vs. inline", "vs. no-op", "plugin vs. dynamic"];

/** @param {import("./lives").Command} command @returns {Cost} */
const secondsOf = (command) => (life) => life.seconds[command];

/** @param {BySize} measured @returns {Table} */
function times(measured) {
  return {
    title: "Time of each command: medians, and medians of the ratios of each round",
    head: ["command", "resources", "rounds", ...Object.values(titles), ...ratioTitles],
    rows: commands.flatMap((command) =>
      [...measured].map(([size, rounds]) => [
        command,
        quantity(size, "count"),
        quantity(rounds.length, "count"),
        ...all.map((name) => quantity(medianOf(rounds, name, secondsOf(command)), "s")),
        ...ratios(rounds, secondsOf(command)),
      ]),
    ),
  };
}

/** @param {BySize} measured @returns {Table} */
function state(measured) {
  return {
    title: "State of each resource",
    head: ["resources", ...Object.values(titles), ...ratioTitles],
    rows: [...measured].map(([size, rounds]) => [
      quantity(size, "count"),
      ...all.map((name) =>
        quantity(
          medianOf(rounds, name, ({ bytes }) => bytes / size),
          "bytes",
        ),
      ),
      ...ratios(rounds, ({ bytes }) => bytes),
    ]),
  };
}

/** @param {BySize} measured @returns {Table} */
function requests(measured) {
  return {
    title: `Requests of each command, with ${perIncident} updates on each incident`,
    head: ["command", "resources", ...withService.map((name) => titles[name])],
    rows: commands.flatMap((command) =>
      [...measured].map(([size, rounds]) => [
        command,
        quantity(size, "count"),
        ...withService.map((name) =>
          quantity(
            medianOf(rounds, name, (life) => life.requests[command]),
            "count",
          ),
        ),
      ]),
    ),
  };
}

/** From one size to the next. Where the figure stays the same, time grows in a straight line. @param {BySize} measured @returns {Table} */
function growth(measured) {
  const sizes = [...measured.keys()];
  return {
    title: "Time that each further resource takes, from one size to the next",
    head: ["command", "from", "to", ...Object.values(titles)],
    rows: commands.flatMap((command) =>
      sizes.slice(1).map((to, index) => {
        const from = sizes[index] ?? to;
        const took = (/** @type {number} */ size, /** @type {import("./contenders").Name} */ name) =>
          medianOf(measured.get(size) ?? [], name, secondsOf(command));
        return [
          command,
          quantity(from, "count"),
          quantity(to, "count"),
          ...all.map((name) => quantity((1000 * (took(to, name) - took(from, name))) / (to - from), "ms")),
        ];
      }),
    ),
  };
}

/** @param {Rounds} rounds @param {Cost} cost */
function ratios(rounds, cost) {
  return [
    medianRatio(rounds, "inline", cost),
    medianRatio(rounds, "noop", cost),
    medianRatio(rounds, "package", cost, "native"),
  ].map((ratio) => quantity(ratio, "ratio"));
}

module.exports = { growth, requests, state, times };
