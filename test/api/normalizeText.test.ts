import { normalizeText } from "../../provider/api/normalizeText";

test.each([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["a&nbsp;b", "a b"],
  ["&APOS;", "'"],
  ["&#39;", "'"],
  ["&#x27;", "'"],
  ["&#1114111;", "\u{10ffff}"],
  ["&#x10FFFF;", "\u{10ffff}"],
  ["&#1114112;", "&#1114112;"],
  ["&#x110000;", "&#x110000;"],
  ["&#0;", "&#0;"],
  ["&#1;", "\u0001"],
  ["&amp;lt;", "<"],
  ["&amp;amp;amp;lt;", "<"],
  ["&#38;lt;", "<"],
  ["&#00038;lt;", "<"],
  ["&#x26;lt;", "<"],
  ["&#x026;lt;", "<"],
  ["&#x00026;#38;amp;lt;", "<"],
  ["&copy;", "&copy;"],
  ["&lt", "&lt"],
  ["&amp;amp;lt;", "<"],
  ["&AMP;", "&"],
  ["&#60;&#x3C;&#X3c;", "<<<"],
  ["&#128512;", "😀"],
  ["&unknown;", "&unknown;"],
  ["AT&T; fish & chips", "AT&T; fish & chips"],
  ["a&nbsp;&nbsp;b", "a b"],
])("%s is normalized to %j", (text, read) => {
  expect(normalizeText(text)).toBe(read);
});

test("entities that arise from decoding others are decoded, ten times at the most", () => {
  const wrapped = (text: string): string => text.replace(/#(?=[^#]*$)/, "&#35;");
  const layers = ["&lt;", "&&#108;t;"];
  for (let count = 2; count <= 10; count++) layers.push(wrapped(layers[count - 1] ?? ""));
  expect(layers[2]).toBe("&&&#35;108;t;");
  expect(layers.slice(0, 10).map(normalizeText)).toEqual(Array(10).fill("<"));
  expect(normalizeText(layers[10] ?? "")).toBe("&lt;");
});

test.each(["amp;", "#38;", "#0038;", "#x26;", "#x0026;"])(
  "an ampersand that was escaped as &%s more than ten times is decoded",
  (escaped) => {
    expect(normalizeText(`&${escaped.repeat(12)}lt;`)).toBe("<");
  },
);

test.each(["amp;", "#38;", "&#35;38;", "&amp;#38;"])(
  "65,536 characters of & and %s take no long time, and are normalized for good",
  (part) => {
    const began = performance.now();
    const normalized = normalizeText(`&${part.repeat(65_536 / part.length)}`);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(normalizeText(normalized)).toBe(normalized);
  },
);
