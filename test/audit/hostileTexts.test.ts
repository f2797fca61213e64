/** Names that somebody chose to be more than a name where a report is shown. */
import { auditAlertChannels, formats } from "../../audit";
import { channel, now } from "./channels";

const reportOn = (name: string) =>
  auditAlertChannels(
    [channel({ name, sendFailure: false })],
    { rules: { "send-failure": "error" } },
    { now },
  );

test.each([1, 2, 3, 4])("markdown: %d backslashes before a bar let no text out of its cell", (count) => {
  const name = `ops${"\\".repeat(count)}|<img src=x> @everyone`;
  const row = formats
    .markdown(reportOn(name))
    .split("\n")
    .find((line) => line.includes("<img"));
  // As GitHub reads a row: a backslash and the sign after it, whichever that is, end no cell.
  expect(row?.replace(/\\[!-/:-@[-`{-~]/g, "").match(/\|/g)).toHaveLength(5);
});

test("markdown fits into a comment whatever there is too much of", () => {
  const channels = Array.from({ length: 3_000 }, (_, id) =>
    channel({
      id,
      sendFailure: false,
      sendRecovery: false,
      sendDegraded: null,
      name: `${"n".repeat(40)}${id}`,
    }),
  );
  const custom = Array.from({ length: 100 }, (_, index) => ({
    id: `custom-${index}`,
    title: "Custom",
    path: "type",
    equals: "CALL",
    fix: "Change it. ".repeat(100),
  }));
  const waiver = { rule: "send-recovery", reason: "x".repeat(80), owner: "Ana", expires: "2027-01-01" };
  const report = auditAlertChannels(
    channels,
    {
      rules: { "send-failure": "error", "send-recovery": "error", "send-degraded": "error" },
      customRules: custom,
      waivers: [waiver],
    },
    { now },
  );
  const comment = formats.markdown(report);
  expect(comment.length).toBeLessThan(65_536);
  const rowsOf = (start: string) => comment.split("\n").filter((line) => line.startsWith(start)).length;
  const waived = comment.split("\n").filter((line) => line.includes("waived by Ana")).length;
  const rules = rowsOf("- `custom-") + rowsOf("- `send-failure`");
  expect(comment).toContain(`and ${(3_000 - waived).toLocaleString("en")} more waived findings\n`);
  expect(comment).toContain(`and ${101 - rules} more rules\n`);
});

test.each(["##[stop-commands]x", "##vso[task.complete result=Succeeded;]done", "##teamcity[buildStop]"])(
  "no line is a command to a pipeline: %s",
  (name) => {
    for (const format of ["text", "markdown", "sarif", "junit"] as const) {
      const shown = formats[format](reportOn(name));
      expect(shown).toContain(name.slice(2));
      expect(shown).not.toContain(name);
    }
  },
);

test.each(["html", "junit"] as const)("no name turns the direction of what follows it: %s", (format) => {
  const shown = formats[format](reportOn("ops \u202egnp.exe\u2066\u2028 end"));
  expect(shown).toContain("end");
  expect(shown).not.toMatch(/[\u2028-\u202e\u2066-\u2069]/);
});
