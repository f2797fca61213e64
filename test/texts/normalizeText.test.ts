import { mayBeShownAs, normalizeText } from "../../provider/texts";

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
  ["Café – behoben 🎉", "Café ? behoben ?", true],
  ["Café 🎉", "Caf? ?", true],
  ["障害", "??", true],
  ["障害", "", false],
  ["Café", "Cafè", false],
  ["Fixed?", "Fixed", false],
  ["Fixed 🎉 now", "Fixed 🎉", false],
])("%j may be shown as %j: %s", (text, shown, isPossible) => {
  expect(mayBeShownAs(text, shown)).toBe(isPossible);
});

test("entities that arise from decoding others are decoded, ten times at the most", () => {
  const wrapped = (text: string): string => text.replace(/#(?=[^#]*$)/, "&#35;");
  const layers = ["&lt;", "&&#108;t;"];
  for (let count = 2; count <= 10; count++) layers.push(wrapped(layers[count - 1] ?? ""));
  expect(layers[2]).toBe("&&&#35;108;t;");
  expect(layers.slice(0, 10).map(normalizeText)).toEqual(Array(10).fill("<"));
  expect(normalizeText(layers[10] ?? "")).toBe("&lt;");
});

test.each(["amp;", "#38;", "&#35;38;", "&amp;#38;"])(
  "65,536 characters of & and %s take no long time, and are normalized for good",
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
  ["30 marks, a joiner and 30 more", `e${marks(30)}\u034f${marks(30)}`],
])("combining marks %s are in the normal form of Unicode", (_, text) => {
  expect(normalizeText(text)).toBe(text.normalize("NFC"));
});

test.each([31, 61, 1_000])("%i combining marks lose none, and are normalized for good", (count) => {
  const normalized = normalizeText(`e${marks(count)}`);
  expect(normalized.normalize("NFD").replace(/e|\u034f/g, "")).toHaveLength(count);
  expect(normalizeText(normalized)).toBe(normalized);
  expect(normalizeText(`e&#x301;${marks(count).slice(1)}`)).toBe(normalized);
});

test("64,000 combining marks are sorted in runs of at most 30, because sorting takes the square of their number", () => {
  const normalize = jest.spyOn(String.prototype, "normalize");
  normalizeText(`e${marks(64_000)}`);
  const longest = normalize.mock.contexts.flatMap((text) =>
    (String(text).match(/(?:(?!\u034f)\p{M})+/gu) ?? []).map(({ length }) => length),
  );
  jest.restoreAllMocks();
  expect(longest.length).toBeGreaterThan(0);
  expect(Math.max(...longest)).toBe(30);
});
