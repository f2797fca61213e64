/** What is explored: programs, the service, machines, and how much may go wrong. */

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
