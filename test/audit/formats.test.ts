import Ajv from "ajv/dist/2020";
import AjvDraft04 from "ajv-draft-04";
import addFormats from "ajv-formats";
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { SaxesParser } from "saxes";
import { auditAlertChannels, type AuditReport, formatNames, formats, reportJsonSchema } from "../../audit";
import { channel, now } from "./channels";
import { cleanReport, reportOfEverything } from "./reports";

let everything: AuditReport;
let clean: AuditReport;

beforeEach(() => {
  everything = reportOfEverything();
  clean = cleanReport();
});

test.each(formatNames)("%s is the same for the same report, and ends with a line break", (format) => {
  expect(formats[format](everything)).toBe(formats[format](reportOfEverything()));
  expect(formats[format](everything)).toMatch(/[^\n]\n$/);
});

/** Its style and script are asked for elsewhere. */
const withoutCode = (page: string) => page.replace(/<(style|script)>[^]*?<\/\1>/g, "<$1>…</$1>");

test.each(formatNames)("%s shows all of this", (format) => {
  expect(withoutCode(formats[format](everything))).toMatchSnapshot("of everything");
  expect(withoutCode(formats[format](clean))).toMatchSnapshot("of nothing");
});

describe("text", () => {
  let lines: string[];
  beforeEach(() => {
    lines = formats.text(everything).split("\n");
  });

  test("has a line for each finding, with severity, channel, rule, field and what is wrong, in columns", () => {
    expect(lines[0]).toMatch(/^error {4}1 ops +send-failure +sendFailure: false, expected true$/);
    const rows = lines.slice(0, everything.findings.length);
    everything.findings.forEach(({ severity, rule, field, channel }, index) => {
      for (const part of [severity, rule, field, String(channel?.id ?? "all channels")])
        expect(rows[index]).toContain(part);
    });
    const column = rows[0]?.indexOf("send-failure");
    expect(
      rows
        .filter((row) => / 2 hook /.test(row))
        .map((row) => row.search(/(https|public)-hook|webhook|waiver-/)),
    ).toEqual([column, column, column, column]);
  });

  test("says once what to do about each rule, and the sum", () => {
    expect(lines.filter((line) => /^https-hook +Use the hook's https address/.test(line))).toHaveLength(1);
    expect(lines.at(-2)).toBe(
      "6 errors, 1 warning (3 channels, 22 rules, 1 not read, 1 waived, 3 not evaluable)",
    );
  });

  test("names what can't be judged, with the reason and the channels", () => {
    const reason = "config.url: is a reference to a secret, so its address isn't known";
    expect(lines.filter((line) => line.startsWith(`not evaluable  https-hook  ${reason} (3 `))).toHaveLength(
      1,
    );
    expect(lines).toContain(
      "not evaluable  on-call-type  type: 1 of the channels couldn't be read (all channels)",
    );
  });

  test("is plain unless colour is asked for", () => {
    const escape = "\u001b";
    expect(formats.text(everything)).not.toContain(escape);
    const coloured = formats.text(everything, { colour: true });
    expect(coloured).toContain(`${escape}[31merror`);
    expect(stripVTControlCharacters(coloured)).toBe(formats.text(everything));
  });

  test.each([
    ["an error", false, "error", "\u001b[31m1 error, 0 warnings\u001b[0m "],
    ["a warning", false, "warning", "\u001b[33m0 errors, 1 warning\u001b[0m "],
    ["nothing", true, "error", "\u001b[32mNothing found\u001b[0m "],
  ] as const)("ends in the colour of the worst that was found: %s", (_, sendFailure, severity, verdict) => {
    const rules = { rules: { "send-failure": severity } };
    const report = auditAlertChannels([channel({ sendFailure })], rules, { now });
    expect(formats.text(report, { colour: true })).toContain(verdict);
  });

  test("of a clean audit is one line", () => {
    expect(formats.text(clean)).toBe("Nothing found (1 channel, 4 rules)\n");
  });
});

describe("json", () => {
  const validate = addFormats(new Ajv({ strict: false })).compile(reportJsonSchema());

  test.each([reportOfEverything, cleanReport])("is the report, by its schema: %p", (reportOf) => {
    const report = reportOf();
    const parsed: unknown = JSON.parse(formats.json(report));
    expect(parsed).toEqual(JSON.parse(JSON.stringify(report)));
    validate(parsed);
    expect(validate.errors).toBeNull();
  });

  test("has each finding on a line of its own", () => {
    const lines = formats.json(everything).split("\n");
    for (const { fingerprint } of everything.findings)
      expect(
        lines.filter((line) => line.includes(`"fingerprint":${JSON.stringify(fingerprint)}`)),
      ).toHaveLength(1);
  });
});

describe("sarif", () => {
  interface Log {
    runs: {
      results: {
        ruleId: string;
        level: string;
        message: { text: string };
        locations: object[];
        partialFingerprints: Record<string, string>;
      }[];
      invocations: {
        executionSuccessful: boolean;
        toolExecutionNotifications: { associatedRule: { id: string } }[];
      }[];
    }[];
  }
  let log: Log;
  let results: Log["runs"][0]["results"];
  beforeEach(() => {
    log = JSON.parse(formats.sarif(everything)) as Log;
    results = log.runs[0]?.results ?? [];
  });

  test.each([reportOfEverything, cleanReport])("is valid by the official schema: %p", (reportOf) => {
    const report = reportOf();
    const file = require.resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
    const schema = JSON.parse(readFileSync(file, "utf8")) as object;
    const validate = addFormats(new AjvDraft04({ strict: false, unicodeRegExp: false })).compile(schema);
    validate(JSON.parse(formats.sarif(report)));
    expect(validate.errors).toBeNull();
  });

  test("has a result for each finding, with its place in the rule file and its fingerprint", () => {
    expect(results).toHaveLength(everything.findings.length);
    expect(results[0]).toMatchObject({
      ruleId: "send-failure",
      level: "error",
      message: {
        text: "1 ops: sendFailure: false, expected true. Turn failure alerts on in the channel's settings.",
      },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "alerts/audit%20rules.yaml" },
            region: { startLine: 1, startColumn: 10 },
          },
          logicalLocations: [{ name: "1 ops", fullyQualifiedName: "alert-channels/1", kind: "resource" }],
        },
      ],
    });
    const fingerprints = results.map(
      ({ partialFingerprints }) => partialFingerprints["alertChannelFinding/v1"],
    );
    expect(fingerprints).toEqual(everything.findings.map(({ fingerprint }) => fingerprint));
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
  });

  test("keeps waived findings and open questions out of the results, as notes", () => {
    expect(results.map(({ ruleId }) => ruleId)).not.toContain("send-recovery");
    const [invocation] = log.runs[0]?.invocations ?? [];
    expect(invocation?.executionSuccessful).toBe(false);
    expect(invocation?.toolExecutionNotifications.map(({ associatedRule }) => associatedRule.id)).toEqual([
      "send-recovery",
      "https-hook",
      "public-hook",
      "on-call-type",
    ]);
  });
});

describe("junit", () => {
  interface Element {
    name: string;
    attributes: Record<string, string>;
  }

  function elementsOf(xml: string): Element[] {
    const elements: Element[] = [];
    const parser = new SaxesParser();
    parser.on("error", (error) => {
      throw error;
    });
    parser.on("opentag", ({ name, attributes }) => elements.push({ name, attributes }));
    parser.write(xml).close();
    return elements;
  }
  let elements: ReturnType<typeof elementsOf>;
  beforeEach(() => {
    elements = elementsOf(formats.junit(everything));
  });
  const count = (name: string) => elements.filter((element) => element.name === name).length;

  test("is well-formed, and its sums are right", () => {
    expect(elements[0]).toMatchObject({
      name: "testsuites",
      attributes: {
        tests: String(count("testcase")),
        failures: String(count("failure")),
        skipped: String(count("skipped")),
      },
    });
    expect(elementsOf(formats.junit(clean)).map(({ name }) => name)).toEqual([
      "testsuites",
      "testsuite",
      "testcase",
    ]);
  });

  test("has a case for each channel that a rule applies to, failed where there is a finding", () => {
    const cases = elements.filter(
      ({ name, attributes }) => name === "testcase" && attributes.classname === "send-failure",
    );
    expect(cases.map(({ attributes }) => attributes.name)).toEqual([
      "1 ops",
      "2 hook",
      expect.stringMatching(/^3 /),
    ]);
    const failure =
      elements[elements.findIndex(({ attributes }) => attributes.classname === "send-failure") + 1];
    expect(failure).toMatchObject({
      name: "failure",
      attributes: { type: "error", message: "sendFailure: false, expected true" },
    });
  });

  test("skips what is waived or can't be judged, and says why", () => {
    const messages = elements
      .filter(({ name }) => name === "skipped")
      .map(({ attributes }) => attributes.message);
    expect(messages).toContain(
      "waived: sendRecovery: false, expected true (waived by Ana & Ben until 2026-12-31: noise | <i>)",
    );
    expect(messages).toContain(
      "not evaluable: config.url: is a reference to a secret, so its address isn't known",
    );
  });
});

describe("markdown", () => {
  let comment: string;
  beforeEach(() => {
    comment = formats.markdown(everything);
  });

  test("has a row for each finding, and the advice folded", () => {
    expect(comment).toMatch(/^## Alert channel audit: 6 errors, 1 warning\n/);
    expect(comment).toContain(
      "| 🔴 error | `1 ops` | `send-failure` | `sendFailure: false, expected true` |\n",
    );
    expect(comment).toContain("- `no-angle`: Rename it &amp; &#60;save&#62;.\n");
  });

  test("lets no text of others end a cell, mention people or be mark-up", () => {
    const tables = comment.split("\n\n").filter((part) => part.startsWith("| "));
    const bars = (row: string) => row.match(/(?<!\\)\|/g)?.length;
    for (const [head = "", ...rows] of tables.map((table) => table.split("\n")))
      expect(rows.map(bars)).toEqual(rows.map(() => bars(head)));
    expect(tables).toHaveLength(2);
    expect(comment.replace(/`[^`]*`/g, "code")).not.toMatch(/<b |<i>|@all/);
  });

  test("fits into a comment however much is found", () => {
    const many = Array.from({ length: 5_000 }, (_, id) => channel({ id, sendFailure: false }));
    const report = auditAlertChannels(many, { rules: { "send-failure": "error" } }, { now });
    const long = formats.markdown(report);
    expect(long.length).toBeLessThan(65_536);
    const rows = long.split("\n").filter((line) => line.startsWith("| 🔴")).length;
    expect(long).toContain(`and ${(5_000 - rows).toLocaleString("en")} more findings`);
  });
});
