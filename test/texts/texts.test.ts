/**
 * Tests functions on foreign text: suggestions for a misspelled name, comparisons, and output that no terminal or CI system interprets.
 */
import { formatOpenIncidents } from "../../provider/lookups/lookupErrors";
import {
  formatSuggestion,
  toSafeJson,
  isMisspelled,
  canBeShownAs,
  normalizeText,
  toOneLine,
  toPrintable,
} from "../../provider/texts";
import { formatQuotation } from "../../provider/terminal";
import { rows } from "../audit/table";
import { fc } from "../propertySeed";

const words = "send-failure send-degraded ssl-expiry https-hook warning error stale to".split(" ");

test.each(
  rows(`
  send-falure → send-failure
  ssl-exipry → ssl-expiry
  erro → error
  war → warning
  WARN → warning
  snd-dgrdd → send-degraded`),
)("%s suggests %s", (wrong = "", right = "") => {
  expect(formatSuggestion(wrong, words)).toBe(` (did you mean "${right}"?)`);
});

test.each(["", "alert-channel", "wa", "graded", "snd-dgrd", "ssstaaale", "tx"])(
  "no suggestion is made for %j",
  (wrong) => {
    expect(formatSuggestion(wrong, words)).toBe("");
  },
);

test.each(["stage stale state", "stale stage state", "state stage stale"])(
  "the nearest of several names is suggested: %s",
  (right) => expect(formatSuggestion("staale", right.split(" "))).toBe(' (did you mean "stale"?)'),
);

test("a suggestion compares at most 100 characters", () => {
  const long = "x".repeat(101);
  expect(formatSuggestion(long.slice(1), [long])).toBe(` (did you mean "${long}"?)`);
  expect(formatSuggestion(long, [long.slice(1)])).toBe("");
});

test.each([
  ["SLAKC", true],
  ["SLACK", false],
  ["SMX", false],
  ["CARRIER_PIGEON", false],
])("%s is a misspelled type: %s", (name, misspelled) => {
  expect(isMisspelled(name, ["SLACK", "CALL", "SMS"])).toBe(misspelled);
});

it.each([
  ["\u001b[2J", '"\\u001b[2J"'],
  ["\u0085\u202e\u2028", '"\\u0085\\u202e\\u2028"'],
  ["\u{e0001}", '"\\udb40\\udc01"'],
  ["### # 1", '"\\u0023\\u0023# # 1"'],
  ["plain é 😀", '"plain é 😀"'],
])("the value %j is written to JSON as %s, and read back unchanged", (text, written) => {
  expect(toSafeJson(text)).toBe(written);
  expect(JSON.parse(toSafeJson({ a: [text] }, 1))).toEqual({ a: [text] });
});

test.each([
  ["&lt;", "<"],
  ["a&nbsp;b", "a b"],
  ["&APOS;", "'"],
  ["&#x10FFFF;", "\u{10ffff}"],
  ["&#1114112;", "&#1114112;"],
  ["&#0;", "&#0;"],
  ["&amp;lt;", "<"],
  ["&#x00026;#38;amp;lt;", "<"],
  ["&lt", "&lt"],
  ["&#60;&#x3C;&#X3c;", "<<<"],
  ["&unknown;", "&unknown;"],
  ["AT&T; fish & chips", "AT&T; fish & chips"],
  ["\ufeffa\u200bb \u2060 c\u200d", "ab c"],
  ["a&#8203;b &am&#x200B;p;lt;", "ab <"],
  [
    "pay\u00admen\u2068ts\u2069 \u202aa\u202c\u061cb\u180ec\u034fd\ufe0fe\u{e0100}f\u3164 &shy;&#173;",
    "payments abcdef &shy;",
  ],
  ["\u2764\ufe0f\ufe0f \u2764\ufe0e 1\ufe0f\u20e3 1\ufe0f", "\u2764\ufe0f \u2764\ufe0e 1\ufe0f\u20e3 1"],
  ["\u{1f3f4}\u{e0067}\u{e0062}\u{e007f} x\u{e0067}", "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f} x"],
])("%s is normalized to %j", (text, read) => {
  expect(normalizeText(text)).toBe(read);
});

test.each([
  ["a  b", "a b", true],
  ["Fixed 🎉 now", "Fixed ???? now", true],
  ["Fixed 🎉 now", "Fixed \ufffd now", true],
  ["Café 🎉", "Caf? ?", true],
  ["障害", "??", true],
  ["障害", "", false],
  ["Café", "Cafè", false],
  ["Fixed?", "Fixed", false],
  ["Fixed 🎉 now", "Fixed 🎉", false],
])("%j may be shown as %j: %s", (text, shown, isPossible) => {
  expect(canBeShownAs(normalizeText(text), normalizeText(shown))).toBe(isPossible);
});

test("entities that result from decoding others are decoded, at most ten times", () => {
  const wrapped = (text: string): string => text.replace(/#(?=[^#]*$)/, "&#35;");
  const layers = ["&lt;", "&&#108;t;"];
  for (let count = 2; count <= 10; count++) layers.push(wrapped(layers[count - 1] ?? ""));
  expect(layers[2]).toBe("&&&#35;108;t;");
  expect(layers.slice(0, 10).map(normalizeText)).toEqual(Array(10).fill("<"));
  expect(normalizeText(layers[10] ?? "")).toBe("&lt;");
});

test.each(["amp;", "#38;", "&#35;38;", "&amp;#38;"])(
  "65,536 characters of & and %s are normalized quickly, and don't change again",
  (part) => {
    const began = performance.now();
    const normalized = normalizeText(`&${part.repeat(65_536 / part.length)}`);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(normalizeText(normalized)).toBe(normalized);
  },
);

const marks = (count: number): string =>
  Array.from({ length: count }, (_, index) => (index % 2 === 0 ? "\u0301" : "\u0323")).join("");

test.each([
  ["30 marks", `e${marks(30)}`],
  ["30 marks, a joiner and 30 more marks", `e${marks(30)}\u034f${marks(30)}`],
])("combining marks %s are in the normal form of Unicode", (_, text) => {
  expect(normalizeText(text)).toBe(text.normalize("NFC"));
});

test.each([31, 61, 1_000])(
  "%i combining marks are all kept, and don't change if they are normalized again",
  (count) => {
    const normalized = normalizeText(`e${marks(count)}`);
    expect(normalized.normalize("NFD").replace(/e|\u034f/g, "")).toHaveLength(count);
    expect(normalizeText(normalized)).toBe(normalized);
    expect(normalizeText(`e&#x301;${marks(count).slice(1)}`)).toBe(normalized);
  },
);

test("64,000 combining marks are sorted in runs of at most 30, because the time grows with the square of their number", () => {
  const normalize = jest.spyOn(String.prototype, "normalize");
  normalizeText(`e${marks(64_000)}`);
  const longest = normalize.mock.contexts.flatMap((text) =>
    (String(text).match(/(?:(?!\u034f)\p{M})+/gu) ?? []).map(({ length }) => length),
  );
  jest.restoreAllMocks();
  expect(longest.length).toBeGreaterThan(0);
  expect(Math.max(...longest)).toBe(30);
});

const long = "x".repeat(72);

it.each<[string, string, readonly string[]]>([
  ["its own line ends", "One\r\n\n  two\rthree  ", ["  | One", "  |", "  |   two", "  | three"]],
  ["its own line after a line that is too long", `${long} y\n| z`, [`  | ${long}`, "  ↳ y", "  | | z"]],
  ["a word that is too long", `see ${long}y`, ["  | see", `  ↳ ${long}`, "  ↳ y"]],
  ["wide characters", "日".repeat(37), [`  | ${"日".repeat(36)}`, "  ↳ 日"]],
  ["emoji in one piece", `${"x".repeat(71)}👩‍👩‍👧`, [`  | ${"x".repeat(71)}`, "  ↳ 👩‍👩‍👧"]],
  ["word joiners", "می\u200cخواهم", ["  | می\u200cخواهم"]],
  ["no hidden joiners", "a\u200db", ["  | a\\u{200d}b"]],
  ["terminal sequences", "\u001b[2J\u009b1A\0", ["  | \\u{1b}[2J\\u{9b}1A\\u{0}"]],
  ["direction marks", "\u202eabc\u2066", ["  | \\u{202e}abc\\u{2066}"]],
  ["commands of a CI system", "##vso[task]", ["  | # #vso[task]"]],
  ["color codes of the engine", "<{%fg 9%}>", ["  | < {%fg 9%}>"]],
  ["an empty text", "", ["  |"]],
])("a quotation shows %s", (_, text, lines) => {
  expect(formatQuotation(text)).toEqual(lines);
});

it("a quotation shows 3,000 characters and the number of remaining characters", () => {
  expect(joinQuotation(formatQuotation("😀".repeat(3000)))).toBe("😀".repeat(3000));
  expect(formatQuotation(`${"x".repeat(3000)}y`).at(-1)).toBe("  … and 1 more character");
  const lines = formatQuotation("y ".repeat(30_000).trim());
  expect(lines.at(-1)).toBe("  … and 56,999 more characters");
  expect(joinQuotation(lines.slice(0, -1))).toBe("y".repeat(1500));
});

/** Returns the characters of a quotation, without white space and marks. */
const joinQuotation = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/^ {2}[|↳]/, "").replaceAll(" ", "")).join("");

it("a quotation is complete, and marks each line of the text and each continuation", () => {
  const word = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "é", "日", "😀", "-"), minLength: 1 }),
    fc.constant(long + long),
  );
  const line = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 2 }), (lines) => {
      const quoted = formatQuotation(lines.join("\n"));
      expect(joinQuotation(quoted)).toBe(lines.join("").replaceAll(" ", ""));
      const begun = quoted.filter((each) => each.startsWith("  |"));
      expect(begun).toHaveLength(lines.length);
      expect(quoted.filter((each) => !each.startsWith("  ↳ "))).toEqual(begun);
    }),
  );
});

const evil = "x\n::add-mask::prod\n\u001b[2J##vso[task.setvariable variable=A]b \u202e##[group]c";
const harmless = "x ::add-mask::prod [2J# #vso[task.setvariable variable=A]b # #[group]c";

it.each([
  ["plain text stays.", "plain text stays."],
  ["  a\tb\u0085c  ", "a b c"],
  ["<{%fg 9%}>red <{%", "< {%fg 9%}>red < {%"],
  [evil, harmless],
])("one line of %j is %j", (text, expected) => {
  expect(toOneLine(text)).toBe(expected);
});

it("line breaks and indentation in a message are kept, and all other control characters are removed", () => {
  expect(toPrintable("a:\n  b;\n  c\u001b[2J ##[d]")).toBe("a:\n  b;\n  c [2J # #[d]");
});

it("names of incidents and of their status pages can't add a line", () => {
  const incident = { id: "i1", name: evil, statusPages: [{ name: evil }] };
  const incidents = [
    { ...incident, severity: evil },
    { ...incident, componentImpacts: [{ status: evil }] },
  ];
  const shown = `${harmless} "${harmless}" (i1, on ${harmless})`;
  expect(formatOpenIncidents("gate", incidents)).toBe(
    `OpenIncidentGate "gate": 2 open incidents:\n  - ${shown}.\n  - ${shown}.\n` +
      "No resource that depends on the gate was changed. Run again after these incidents are resolved.",
  );
});
