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

const date = "2099-01-05T10:00:00Z";
const dated = { entries: { a: { text: "A", date } } };
const datedB = { entries: { b: { text: "A", date } }, after: [0] };

/** @typedef {import("../world").Entry} Entry */

/**
 * The entries of an `IncidentTimeline`.
 * @param {string} texts a letter each, and the number of its date
 * @param {string} name
 */
function timeline(texts, name = "t") {
  const all = [...texts.matchAll(/(\w)(\d?)/g)].map(([, text = "", date = ""]) => ({ text, ...dates[date] }));
  const entries = all.map(({ text, date }, index) => {
    const before = all.slice(0, index).filter((other) => other.text === text);
    const occurrence = before.filter((other) => date === undefined || other.date === date).length + 1;
    return [`${name}${index + 1}`, { text, ...(date && { date }), occurrence, followedBy: [] }];
  });
  return { chain: true, entries: ordered(Object.fromEntries(entries)) };
}

/** @type {Readonly<Record<string, {date: string}>>} */
const dates = {
  1: { date },
  2: { date: "2099-01-05T00:00:00Z" },
  3: { date: "2099-01-06T10:00:00Z" },
};

/**
 * The entries of an `IncidentTimeline` with keys, on a page with components.
 * @param {Readonly<Record<string, string>>} texts by key
 * @param {readonly number[]} [after]
 */
function keyed(texts, after) {
  const entries = Object.entries(texts).map(([key, text]) => [`t-${key}`, { text, key }]);
  return editing({ entries: Object.fromEntries(entries) }, after);
}

/** With the keys of the entries before and after each. @param {Readonly<Record<string, Entry>>} entries @returns {Readonly<Record<string, Entry>>} */
function ordered(entries) {
  const core = loadCore();
  const all = Object.values(entries);
  const keys = all.map(({ text, occurrence = 1, date }) => {
    const isRepeated = all.filter((other) => other.text === text).length > 1;
    const key = core.normalizeContent({ status: "INVESTIGATING", description: text }).contentKey;
    return core.computeEntryKey(key, occurrence, isRepeated ? date : undefined);
  });
  return Object.fromEntries(
    Object.entries(entries).map(([urn, entry], index) => [
      urn,
      entry.followedBy
        ? { ...entry, followedBy: keys.slice(index + 1), follows: keys[index - 1], entry: keys[index] }
        : entry,
    ]),
  );
}

/**
 * The same program on a page with components.
 * @param {import("../world").Program} program @param {readonly number[]} [after]
 */
function onPage({ entries, ...program }, after) {
  const all = Object.entries(entries).map(([urn, entry]) => [urn, { ...entry, page: true }]);
  return { ...program, entries: Object.fromEntries(all), ...(after && { after }) };
}

/**
 * The same program as a timeline on a page with components, in which a change edits an entry.
 * @param {import("../world").Program} program @param {readonly number[]} [after]
 */
function editing({ entries, ...program }, after) {
  const all = Object.entries(entries);
  const keyed = all.map(([urn, entry], index) => {
    const before = all.slice(0, index).filter(([, { text, date }]) => text === entry.text && date === entry.date);
    const occurrence = before.length + 1;
    return [urn, { key: urn, followedBy: [], ...entry, occurrence, page: true, edit: true }];
  });
  return { ...program, chain: true, entries: ordered(Object.fromEntries(keyed)), ...(after && { after }) };
}

module.exports = {
  apart,
  bHasA,
  bHasB,
  both,
  chained,
  counted,
  dated,
  datedB,
  editing,
  inTwoStacks,
  keyed,
  onlyA,
  onlyB,
  onPage,
  ordered,
  shared,
  swapped,
  timeline,
  twins,
};
