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

/** The entries of an `IncidentTimeline`. @param {string} texts a letter each */
function timeline(texts) {
  const core = loadCore();
  const keys = Array.from(texts).map((text, index) => {
    const occurrence = Array.from(texts.slice(0, index)).filter((other) => other === text).length + 1;
    return {
      text,
      occurrence,
      key: core.entryKey(core.contentKey({ status: "INVESTIGATING", description: text }), occurrence),
    };
  });
  return {
    chain: true,
    entries: Object.fromEntries(
      keys.map(({ text, occurrence }, index) => [
        `t${index + 1}`,
        { text, occurrence, refuse: true, followedBy: keys.slice(index + 1).map(({ key }) => key) },
      ]),
    ),
  };
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
  shared,
  swapped,
  timeline,
  twins,
};
