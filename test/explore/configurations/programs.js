/**
 * Programs and machines that several configurations use. Lowercase names are resources, and capital letters are texts. `after` lists the
 * programs that the user may change to this program, by their index in the configuration.
 */
const { loadCore } = require("../core");

/** The lock directory of each machine: a shared directory, or a separate directory for each machine. */
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
const chained = { chain: true, entries: { a: { text: "A" }, b: { text: "B" } } };

const date = "2099-01-05T10:00:00Z";
const dated = { entries: { a: { text: "A", date } } };
const datedB = { entries: { b: { text: "A", date } }, after: [0] };

/** @typedef {import("../world").Entry} Entry */

/**
 * An `IncidentTimeline` on a page with cards. Its entries keep their keys when another entry is inserted.
 * @param {string} texts a letter for each entry, optionally followed by the number of its date
 * @param {string} name
 */
function timeline(texts, name = "t") {
  return createTimeline(texts, name, (_, letters, count) => letters + "'".repeat(count));
}

/** An `IncidentTimeline` with numbers as keys, so that a change of the order changes the content under a key. @param {string} texts */
function numbered(texts) {
  return createTimeline(texts, "t", (index) => String(index + 1));
}

/**
 * @param {string} texts
 * @param {string} name
 * @param {(index: number, letters: string, count: number) => string} getKey returns the key of an entry. `count`: the number of earlier identical entries
 */
function createTimeline(texts, name, getKey) {
  const all = texts.match(/\w\d?/g) ?? [];
  const entries = all.map((letters, index) => {
    const count = all.slice(0, index).filter((other) => other === letters).length;
    const key = getKey(index, letters, count);
    const [text = "", date = ""] = letters;
    return [`${name}${key}`, { text, ...dates[date], key, followedBy: [] }];
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

/** Adds the entry keys of the neighbors to each entry. @param {Readonly<Record<string, Entry>>} entries @returns {Readonly<Record<string, Entry>>} */
function ordered(entries) {
  const core = loadCore();
  const all = Object.values(entries);
  const keys = all.map(({ text, date }, index) => {
    const occurrence = all.slice(0, index + 1).filter((other) => other.text === text).length;
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
 * Returns the same program on a page with components.
 * @param {import("../world").Program} program @param {readonly number[]} [after]
 */
function onPage({ entries, ...program }, after) {
  const all = Object.entries(entries).map(([urn, entry]) => [urn, { ...entry, page: true }]);
  return { ...program, entries: Object.fromEntries(all), ...(after && { after }) };
}

/**
 * Returns the same program as a timeline on a page with components, where changing an entry edits its update.
 * @param {import("../world").Program} program @param {readonly number[]} [after]
 */
function editing({ entries, ...program }, after) {
  const all = Object.entries(entries);
  const keyed = all.map(([urn, entry]) => [urn, { key: urn, followedBy: [], ...entry, page: true }]);
  return { ...program, chain: true, entries: ordered(Object.fromEntries(keyed)), ...(after && { after }) };
}

const repeated = { x: { text: "A", key: "x", followedBy: [] }, y: { text: "A", key: "y", followedBy: [] } };
const beforeCounted = { chain: true, entries: ordered({ x: repeated.x }) };
/** A timeline that repeats an entry. */
const counted = { chain: true, entries: ordered(repeated) };

module.exports = {
  apart,
  beforeCounted,
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
  numbered,
  onlyA,
  onlyB,
  onPage,
  ordered,
  shared,
  swapped,
  timeline,
  twins,
};
