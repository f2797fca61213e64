/** What others write into alert channels is only shown, in every format: reports are printed in logs of CI systems. */
import { auditAlertChannels, formatNames, formats } from "../../audit";
import { channel, now } from "./channels";

const commands =
  "##[stop-commands]x ##vso[task.setvariable variable=X]y ##teamcity[buildStop]\n::warning::hi\r::error::x\u2028##[error]z";

const report = auditAlertChannels(
  [
    channel({ name: commands, type: commands, config: { address: `a@evil.example ${commands}` } }),
    { id: 2, name: commands, reason: commands },
  ],
  {
    rules: {
      "known-type": "error",
      "allowed-targets": { severity: "error", options: { emailDomains: ["acme.example"] } },
    },
    customRules: [
      { id: "own", title: commands, why: commands, fix: commands, expect: { config: { address: commands } } },
    ],
  },
  { now },
);

test.each(formatNames)("%s has no command of a CI system", (format) => {
  const shown = formats[format](report);
  expect(shown).toContain("evil.example");
  expect(shown).not.toMatch(/##(vso|teamcity)?\[/);
  expect(shown).not.toMatch(/^\s*::/m);
});
