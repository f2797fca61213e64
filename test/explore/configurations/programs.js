/** Programs and machines of the configurations. */
const { loadCore } = require("../core");

const shared = { laptop: "shared", ci: "shared" };
const apart = { laptop: "laptop", ci: "ci" };

const onlyA = { entries: { a: { text: "A" } } };
const onlyB = { entries: { a: { text: "B" } } };
const bHasA = { entries: { b: { text: "A" } } };
const bHasB = { entries: { b: { text: "B" } } };
const inTwoStacks = [
  { ...onlyA, stack: "dev" },
  { ...bHasA, stack: "prod" },
];
const both = { entries: { a: { text: "A" }, b: { text: "B" } } };
const swapped = { entries: { a: { text: "B" }, b: { text: "A" } } };
const twins = { entries: { a: { text: "A" }, b: { text: "A" } } };
const counted = { entries: { a: { text: "A" }, b: { text: "A", occurrence: 2 } } };
const chained = { chain: true, entries: { a: { text: "A" }, b: { text: "B" } } };

/** @typedef {import("../world").Entry} Entry */

/** The entries of an `IncidentTimeline`. @param {string} texts a letter each */
function timeline(texts) {
  const entries = Array.from(texts).map((text, index) => {
    const occurrence = Array.from(texts.slice(0, index)).filter((other) => other === text).length + 1;
    return [`t${index + 1}`, { text, occurrence, refuse: true, followedBy: [] }];
  });
  return { chain: true, entries: ordered(Object.fromEntries(entries)) };
}

/** With the keys of the entries before and after each. @param {Readonly<Record<string, Entry>>} entries @returns {Readonly<Record<string, Entry>>} */
function ordered(entries) {
  const core = loadCore();
  const keys = Object.values(entries).map(({ text, occurrence = 1 }) =>
    core.entryKey(core.contentKey({ status: "INVESTIGATING", description: text }), occurrence),
  );
  return Object.fromEntries(
    Object.entries(entries).map(([urn, entry], index) => [
      urn,
      entry.followedBy ? { ...entry, followedBy: keys.slice(index + 1), follows: keys[index - 1] } : entry,
    ]),
  );
}

module.exports = {
  apart,
  bHasA,
  bHasB,
  both,
  chained,
  counted,
  inTwoStacks,
  onlyA,
  onlyB,
  ordered,
  shared,
  swapped,
  timeline,
  twins,
};
