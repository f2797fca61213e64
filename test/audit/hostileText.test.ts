/** What others write into alert channels is only shown, in every format: reports are printed in logs of CI systems. */
import { formatNames, formats } from "../../audit";
import { escapedJson } from "../../provider/texts/printable";
import { audit, channel } from "./channels";

const commands =
  "##[stop-commands]x ##vso[task.setvariable variable=X]y ##teamcity[buildStop]\n::warning::hi\r::error::x\u2028##[error]z\u202e\u2066\u009b31m";

const report = audit(
  [
    channel({ name: commands, type: commands, config: { address: `a@evil.example ${commands}` } }),
    { id: "2\ud800", name: commands, reason: commands },
    channel({ id: 3, name: commands }),
  ],
  {
    exclude: [{ channel: "3", reason: commands }],
    rules: {
      "known-type": "error",
      "allowed-targets": { severity: "error", options: { emailDomains: ["acme.example"] } },
    },
    customRules: [
      { id: "own", title: commands, why: commands, fix: commands, expect: { config: { address: commands } } },
    ],
  },
);

test.each(formatNames)("%s has no command of a CI system", (format) => {
  const shown = formats[format](report);
  expect(shown).toContain("evil.example");
  expect(shown).not.toMatch(/##(vso|teamcity)?\[/);
  expect(shown).not.toMatch(/^\s*::/m);
  // Nor does any name change the direction of the text, or the terminal.
  expect(shown).not.toMatch(/[\u0080-\u009f\u2028-\u202e\u2066-\u2069]/);
});

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
