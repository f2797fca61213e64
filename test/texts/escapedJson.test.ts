import { escapedJson } from "../../provider/texts";

it.each([
  ["\u001b[2J", '"\\u001b[2J"'],
  ["\u0085\u202e\u2028", '"\\u0085\\u202e\\u2028"'],
  ["\u{e0001}", '"\\udb40\\udc01"'],
  ["### # 1", '"\\u0023\\u0023# # 1"'],
  ["plain é 😀", '"plain é 😀"'],
])("JSON has %j as %s, which is read as it was", (text, written) => {
  expect(escapedJson(text)).toBe(written);
  expect(JSON.parse(escapedJson({ a: [text] }, 1))).toEqual({ a: [text] });
});
