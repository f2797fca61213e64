import { escapedJson } from "../../audit/formats/escapedJson";

test.each([
  ["\u001b[2J", '"\\u001b[2J"'],
  ["\u0085\u009b", '"\\u0085\\u009b"'],
  ["\u202e", '"\\u202e"'],
  ["\u2028\u2029", '"\\u2028\\u2029"'],
  ["\u{e0001}", '"\\udb40\\udc01"'],
  ["##[group]", '"\\u0023#[group]"'],
  ["### # 1", '"\\u0023\\u0023# # 1"'],
  ["plain é 😀", '"plain é 😀"'],
])("%j is written as %s, and read as it was", (text, written) => {
  expect(escapedJson(text)).toBe(written);
  expect(JSON.parse(written)).toBe(text);
});

test("the line breaks of the layout stay", () => {
  expect(escapedJson({ a: [1] }, 1)).toBe('{\n "a": [\n  1\n ]\n}');
});
