import fc from "fast-check";
import { normalizeText } from "../../provider/api/normalizeText";
import { type Declaration, entryKey, sameText, matches } from "../../provider/lifecycles/updateContent";

const characters = fc.constantFrom(
  "a",
  "Z",
  "0",
  "9",
  " ",
  "\t",
  "\n",
  "\r",
  "<",
  ">",
  "&",
  ";",
  "#",
  "'",
  "x",
  '"',
  "\u00a0",
  "\u2003",
  "é",
  "e\u0301",
  "ﬁ",
  "한",
  "\u1112\u1161\u11ab",
  "😀",
  "&amp;",
  "&#38;",
  "&#x26;",
  "amp;",
  "lt;",
);
const texts = fc.string({ unit: characters, maxLength: 40 });
const escapes: readonly [string, string][] = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
  ["é", "&#xe9;"],
];
const escaped = (text: string): string =>
  escapes.reduce((sofar, [character, entity]) => sofar.replaceAll(character, entity), text);

it("ignores changes of line breaks, white space, accents and entities", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const others = [
        escaped(text),
        escaped(escaped(text)),
        text.normalize("NFC"),
        text.normalize("NFD"),
        text.replace(/\r?\n/g, "\r\n"),
        text.replace(/ /g, "  "),
        `\n ${text}\t`,
        text.trim(),
      ];
      expect(others.filter((other) => !sameText(text, other))).toEqual([]);
    }),
  );
});

it("normalizes idempotently", () => {
  fc.assert(fc.property(texts, (text) => normalizeText(normalizeText(text)) === normalizeText(text)));
});

it("is symmetric and transitive", () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(sameText(a, b)).toBe(sameText(b, a));
      expect(sameText(a, b)).toBe(normalizeText(a) === normalizeText(b));
    }),
  );
});

it("distinguishes strings that differ in a visible letter", () => {
  const plain = fc.stringMatching(/^[abcXYZ019.,!]+$/);
  fc.assert(fc.property(plain, plain, (a, b) => sameText(a, b) === (a === b)));
});

it.each([
  ["amp;", "&"],
  ["#38;", "&"],
  ["&#35;38;", "x"],
  ["&amp;#38;", "x"],
])("normalizes 65,536 characters of & and %s quickly", (part) => {
  const began = performance.now();
  normalizeText(`&${part.repeat(65_536 / part.length)}`);
  expect(performance.now() - began).toBeLessThan(2_000);
});

const declared: Declaration = {
  incidentId: "inc",
  status: "MONITORING",
  description: "We watch it.",
  notifySubscribers: false,
  publicIncidentUpdateDate: "2026-01-31T09:30:00Z",
  occurrence: 1,
};
const update = { ...declared, id: "u1" };

it.each<[string, object, boolean]>([
  ["the same", {}, true],
  ["another status", { status: "RESOLVED" }, false],
  ["a status that isn't known", { status: "MAINTENANCE" }, false],
  ["no status", { status: null }, false],
  ["mails where none were wanted", { notifySubscribers: true }, true],
  ["mails that aren't shown", { notifySubscribers: null }, true],
  ["an omitted notifySubscribers", { notifySubscribers: undefined }, true],
  ["the date to the second", { publicIncidentUpdateDate: "2026-01-31 09:30:00.900" }, true],
  ["the date a second later", { publicIncidentUpdateDate: "2026-01-31T09:30:01Z" }, false],
  ["no date", { publicIncidentUpdateDate: null }, false],
])("compares updates with %s", (_, shown, expected) => {
  expect(matches(declared, { ...update, ...shown })).toBe(expected);
});

it("accepts any date when none is declared", () => {
  const { publicIncidentUpdateDate, ...undated } = declared;
  expect(publicIncidentUpdateDate).toBeDefined();
  expect(matches(undated, { ...update, publicIncidentUpdateDate: "2020-01-01" })).toBe(true);
});

it("names an entry of a timeline by its words, as the states of earlier releases do", () => {
  const key = "f18656f1c09760b9";
  expect(entryKey({ status: "RESOLVED", description: "All good." })).toBe(key);
  expect(entryKey({ status: "RESOLVED", description: " All  good." })).toBe(key);
  expect(entryKey({ status: "MONITORING", description: "All good." })).not.toBe(key);
});
