/** Collects the configurations. Each defines programs, the behavior of the service, machines, and how many events may happen. */

/** @type {readonly import("../world").Configuration[]} */
const configurations = [
  "plain",
  "timelines",
  "stacks",
  "ids",
  "full",
  "shown",
  "around",
  "edited",
  "opened",
].flatMap((name) => require(`./${name}`).configurations);

module.exports = { configurations, unguarded: require("./unguarded").configurations };
