/** Which code has run, as V8 counts it: what tells an input that leads somewhere new from all the others. */
const inspector = require("node:inspector");
const { pathToFileURL } = require("node:url");

/** @typedef {Map<string, Uint8Array>} Reached by file, 1 for each character of code that has run */

/** Counts in this thread, in code that is loaded after it is made. */
class Coverage {
  #session = new inspector.Session();
  #places;

  /** @param {readonly string[]} places folders and files whose code counts */
  constructor(places) {
    this.#places = places.map((place) => pathToFileURL(place).href);
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** What has run since it was last asked. @returns {Reached} */
  take() {
    /** @type {Reached} */
    const reached = new Map();
    this.#session.post("Profiler.takePreciseCoverage", (_, { result }) => {
      for (const { url, functions } of result) {
        if (this.#places.some((place) => url.startsWith(place))) reached.set(url, charactersOf(functions));
      }
    });
    return reached;
  }
}

/**
 * Ranges come from the outside in: an inner one has the last word.
 * @param {inspector.Profiler.FunctionCoverage[]} functions
 */
function charactersOf(functions) {
  const ranges = functions.flatMap((each) => each.ranges);
  const reached = new Uint8Array(Math.max(...ranges.map(({ endOffset }) => endOffset)));
  for (const { startOffset, endOffset, count } of ranges)
    reached.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return reached;
}

/**
 * Whether there is something in `now` that isn't in `before`.
 * @param {Reached} now
 * @param {Reached} before
 */
function isNew(now, before) {
  return [...now].some(([url, reached]) => {
    const known = before.get(url);
    return reached.some((one, at) => one > (known?.[at] ?? 0));
  });
}

/**
 * Adds `now` to `before`.
 * @param {Reached} before
 * @param {Reached} now
 */
function add(before, now) {
  for (const [url, reached] of now) {
    const known = before.get(url) ?? new Uint8Array();
    // How far the ranges go depends on which functions are told of.
    const both = new Uint8Array(Math.max(known.length, reached.length));
    both.set(known);
    reached.forEach((one, at) => (both[at] ||= one));
    before.set(url, both);
  }
}

module.exports = { Coverage, add, isNew };
