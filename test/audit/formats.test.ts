import Ajv from "ajv";
import addFormats from "ajv-formats";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { SaxesParser } from "saxes";
import { type AuditReport, formatNames, formats, type Rules, type RuleSet } from "../../audit";
import { type AlertChannel, observedChannel, parseRules } from "../../audit/public";
import { isShown, redactConfig } from "../../provider/credentials";
import { audit, channel, silence, silent } from "./channels";
import { version } from "../../provider/packageManifest";
import { computeDigest, toOneLine } from "../../provider/texts";
import { hostileName, reportOfEverything, rulesOfEverything } from "./reports";

const everything = reportOfEverything();
const lines = rulesOfEverything.split("\n");
/** Replaces the line numbers of the rule file with the start of each line, because numbers change when lines are added above. */
const withLines = (text: string) =>
  text.replace(/("(?:line|startLine)": ?)(\d+)/g, (_, key: string, line: string) =>
    key.concat(JSON.stringify(lines[Number(line) - 1]?.trim().slice(0, 24))),
  );
const clean = audit([channel()], silence);
const commands =
  "##[stop-commands]x ##vso[task.setvariable variable=X]y ##teamcity[buildStop]\n::warning::hi\r::error::x\u2028##[error]z\u202e\u2066\u009b31m";
const own = { id: "own", title: commands, why: commands, fix: commands };
/** The report of channels whose text was written by someone who wants to misuse the report. */
const hostile = audit(
  [
    channel({ name: commands, type: commands, config: { address: `a@evil.example ${commands}` } }),
    { id: "2\ud800", name: commands, reason: commands },
    channel({ id: 3, name: commands }),
  ],
  {
    exceptions: [{ channel: "3", rules: "off", reason: commands }],
    rules: { "known-type": "error" },
    customRules: [{ ...own, expect: { config: { address: commands } } }],
  },
);

/** Creates channels with IDs from 0. */
const many = (count: number, changes: Parameters<typeof channel>[0]) =>
  Array.from({ length: count }, (_, id) => channel({ id, ...changes }));
const createReport = (name: string) => audit([channel({ name, sendFailure: false })], silence);

describe.each(formatNames)("%s", (format) => {
  // A test in test/browser checks the HTML page, and JSON is the report itself.
  if (format !== "html" && format !== "json") {
    test("a report of everything reads as it did", () => {
      const text = formats[format](everything).replace(/(?<=[[,])(?=\{"(?:id|level|ruleId)")/g, "\n");
      expect(withLines(text).replaceAll(version, "1.2.3")).toMatchSnapshot();
    });
  }

  test("a report shows text of others and exclusions, ends with a line break, and contains no command of a CI system", () => {
    const shown = formats[format](hostile);
    expect(shown).toMatch(/[^\n]\n$/);
    expect(shown).toContain("evil.example");
    expect(shown).toMatch(/1 excluded|"excluded":1|"excluded":\[|excluded: #/);
    expect(shown).not.toMatch(/##(vso|teamcity)?\[/);
    expect(shown).not.toMatch(/^\s*::/m);
    // A name must not change the direction of the text or control the terminal.
    expect(shown).not.toMatch(/[\u0080-\u009f\u2028-\u202e\u2066-\u2069]/);
  });

  test.each([
    ["backslashes", "\\".repeat(60_000)],
    ["Japanese", "\u76e3\u8996".repeat(32_000)],
  ])("a report with a long name of %s needs less than a second of processor time", (_, name) => {
    const report = createReport(name);
    const before = process.cpuUsage();
    formats[format](report);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });
});

test("text, Markdown and HTML say that a report is empty, and text is plain unless colors are requested", () => {
  expect(formats.text(everything)).not.toContain("\u001b");
  expect(formats.text(clean)).toBe("No findings (1 channel, 5 rules)\n");
  expect(formats.markdown(clean)).toBe("## Alert channel audit: no findings\n\n1 channel, 5 rules\n");
  expect(formats.html(clean)).toContain(
    '<p class="verdict clean"><strong>No findings</strong></p>\n<p class="quiet">1 channel, 5 rules</p>\n',
  );
  const unread = audit([{ id: 1, reason: "the service is down." }], silence);
  expect(formats.markdown(unread)).toMatch(/^## Alert channel audit: not fully evaluable\n/);
  const colored = formats.text(everything, { color: true });
  expect(colored).toContain("\u001b[31merror");
  expect(stripVTControlCharacters(colored)).toBe(formats.text(everything));
  // The summary has the color of the worst finding.
  const warned = audit([silent(1)], { rules: { "send-failure": "warning" } });
  for (const [report, end] of [
    [audit([silent(1)], silence), "31m1 error, 0 warnings"],
    [warned, "33m0 errors, 1 warning"],
    [clean, "32mNo findings"],
  ] as const)
    expect(formats.text(report, { color: true })).toContain(`\u001b[${end}\u001b[0m `);
});

test("Markdown and HTML name the account and the service", () => {
  const source = "account a1 on `api.example.com`";
  const report = audit([channel()], silence, { source });
  expect(formats.markdown(report)).toContain("\n\n`account a1 on 'api.example.com'`: 1 channel, 5 rules\n");
  expect(formats.html(report)).toContain(`UTC</time> · ${source}</p>`);
});

test("text is wrapped to the width of a terminal, beside the rule or, on a narrow terminal, below it", () => {
  const report = audit([channel({ name: "prod-mail", sendFailure: false })], silence);
  const formatLines = (columns: number) => formats.text(report, { columns }).split("\n").slice(0, 3);
  expect(formatLines(97)).toEqual([
    "error  1 prod-mail  EMAIL  send-failure  sendFailure: false, expected true. Turn failure alerts",
    "                                         on in the channel's settings.",
    "",
  ]);
  expect(formatLines(80)).toEqual([
    "error  1 prod-mail  EMAIL  send-failure",
    "    sendFailure: false, expected true. Turn failure alerts on in the channel's",
    "    settings.",
  ]);
});

test("text is aligned where a terminal shows characters in two columns", () => {
  const report = audit(
    [
      channel({ name: "\u76e3\u8996", sendFailure: false }),
      channel({ id: 2, name: "mail", sendFailure: false }),
    ],
    silence,
  );
  expect(
    formats
      .text(report)
      .split("\n", 2)
      .map((line) => line.slice(0, line.indexOf("sendF"))),
  ).toEqual(["error  1 \u76e3\u8996  EMAIL  send-failure  ", "error  2 mail  EMAIL  send-failure  "]);
});

test("channels that can't be read for the same reason share one line, even if its text contains different IDs", () => {
  const unread = (id: number, why: string) => ({
    id,
    reason: `getAlertChannel ${id}: the service rejected the request (HTTP 400): "${why}". Request ID: f-${id}.`,
  });
  const given = [unread(7, "no account"), unread(8, "no account"), unread(9, "8: no account")];
  const lines = formats.text(audit(given, silence)).split("\n");
  expect(lines.slice(0, 2)).toEqual([
    'not evaluable  7, 8  channel-read  channel: getAlertChannel 7: the service rejected the request (HTTP 400): "no account". Request ID: f-7',
    'not evaluable  9     channel-read  channel: getAlertChannel 9: the service rejected the request (HTTP 400): "8: no account". Request ID: f-9',
  ]);
});

const sarifFile = join(__dirname, "../fixtures/sarif/schema-2.1.0-rtm.5.json");
const { id: $id, ...sarifSchema } = JSON.parse(readFileSync(sarifFile, "utf8")) as { id: string };
// The validator expects a later draft than the schema's draft 4. For this schema, the drafts differ only in these two keywords.
const validateSarif = addFormats(new Ajv({ strict: false, unicodeRegExp: false })).compile({
  ...sarifSchema,
  ...{ $id, $schema: undefined },
});

describe.each<[string, AuditReport]>([
  ["everything", everything],
  ["nothing", clean],
])("the report of %s", (_, report) => {
  test("the json format contains the whole report", () => {
    const parsed: unknown = JSON.parse(formats.json(report));
    expect(parsed).toEqual(JSON.parse(JSON.stringify(report)));
  });

  test("SARIF is valid by the official schema, and contains blocking problems and all findings that no exception accepts", () => {
    const log: { runs: { results: { partialFingerprints: object }[] }[] } = JSON.parse(formats.sarif(report));
    validateSarif(log);
    expect(validateSarif.errors).toBeNull();
    const fingerprints = log.runs[0]?.results.map(({ partialFingerprints }) => partialFingerprints);
    expect(fingerprints).toEqual(
      [
        ...report.notEvaluable.flatMap(({ blocks }) => (blocks ? "channel-read/4/channel" : [])),
        ...report.findings.map(({ fingerprint }) => fingerprint),
      ].map((fingerprint) => ({
        "alertChannelFinding/v1": fingerprint,
        // Code scanning compares only the fingerprints, and shows one of two equal results.
        primaryLocationLineHash: `${computeDigest(fingerprint)}:1`,
      })),
    );
  });

  test("a report is well-formed JUnit with correct totals", () => {
    const elements: { name: string; attributes: Record<string, string> }[] = [];
    const parser = new SaxesParser();
    parser.on("error", (error) => {
      throw error;
    });
    parser.on("opentag", ({ name, attributes }) => elements.push({ name, attributes }));
    parser.write(formats.junit(report)).close();
    const count = (tag: string) => String(elements.filter(({ name }) => name === tag).length);
    const totals = { tests: count("testcase"), failures: count("failure"), errors: count("error") };
    // The schema of Jenkins allows no other attributes.
    const all = { name: "Alert channel audit", time: "0", ...totals };
    expect(elements[0]).toEqual({ name: "testsuites", attributes: all });
    const skipped = elements.reduce((sum, { attributes }) => sum + Number(attributes.skipped ?? 0), 0);
    expect(String(skipped)).toBe(count("skipped"));
  });
});

test("JUnit contains a test case even if no rule applies, because Jenkins fails a file without one", () => {
  const call = channel({ type: "CALL", config: { number: "+12025550143" } });
  const xml = formats.junit(audit([call], { rules: { "https-hook": "error" } }));
  expect(xml).toMatch(/<testsuite [^>]*tests="1" failures="0" errors="0" time="0" skipped="1"/);
  expect(xml.match(/<testcase /g)).toHaveLength(1);
});

describe("markdown", () => {
  test("Markdown escapes table cells, mentions and markup", () => {
    const comment = formats.markdown(everything);
    const tables = comment.split("\n\n").filter((part) => part.startsWith("| "));
    const bars = (row: string) => row.match(/(?<!\\)\|/g)?.length;
    for (const [head = "", ...rows] of tables.map((table) => table.split("\n")))
      expect(rows.map(bars)).toEqual(rows.map(() => bars(head)));
    expect(tables).toHaveLength(2);
    expect(comment.replace(/`[^`]*`/g, "code")).not.toMatch(/<b |<i>|@all/);
  });

  test.each([1, 2])("Markdown escapes a bar after %d backslashes", (count) => {
    const comment = formats.markdown(createReport(`ops${"\\".repeat(count)}|<img src=x> @everyone`));
    const row = comment.split("\n").find((line) => line.includes("<img"));
    // GitHub parses a row in this way: a backslash escapes the next punctuation character.
    expect(row?.replace(/\\[!-/:-@[-`{-~]/g, "").match(/\|/g)).toHaveLength(3);
  });

  test("Markdown fits into a comment, whichever part is too long", () => {
    const [first, ...others] = many(60, { sendFailure: true, sendRecovery: false, sslExpiry: null });
    const channels = [channel({ ...first, name: "x".repeat(50_000) }), ...others];
    const customRules = ["one", "two", "three"].map((id) => ({
      ...{ id, title: "Custom", expect: { type: "CALL" }, fix: "Change it. ".repeat(3_000) },
    }));
    const exceptions = [{ rules: { "send-recovery": "off" as const }, reason: "x".repeat(80) }];
    const rules: Rules["rules"] = {
      "send-failure": { severity: "error", options: { value: false } },
      "send-recovery": "error",
      "ssl-expiry": { severity: "error", options: { each: true } },
    };
    const report = audit(channels, { rules, customRules, exceptions });
    const comment = formats.markdown(report);
    expect(comment.length).toBeLessThan(65_536);
    const lines = (pattern: RegExp) => comment.match(pattern)?.length ?? 0;
    const left = (count: number, what: string) => `and ${count.toLocaleString("en")} more ${what}\n`;
    expect(lines(/^\| 🔴/gm)).toBeGreaterThan(1);
    expect(comment).toContain(left(report.findings.length - lines(/^\| 🔴/gm), "findings"));
    expect(comment).toContain(left(60 - lines(/waived: x/g), "waived findings"));
  });
});

// GitHub rejects an upload when a result has no physical location.
test.each<[string, (rules: Rules) => Rules | RuleSet, string[]]>([
  ["in the project's file, of an object", (rules) => rules, Array(3).fill("Pulumi.yaml:1")],
  [
    "in the rule file, as a relative address whatever its name",
    (rules) => parseRules(JSON.stringify(rules, null, 1), "alerts\\audit #1?.json"),
    [3, 7, 4].map((line) => `alerts/audit%20%231%3F.json:${line}`),
  ],
])("SARIF results on a channel, on all channels and on the rules are located %s", (_, read, places) => {
  const exceptions = [{ channel: 1, rules: { stale: "off" }, reason: "old", until: "2026-01-31" }] as const;
  const rules = { rules: { "send-failure": "error", "on-call-type": "error" }, exceptions } as const;
  const sarif = formats.sarif(audit([channel({ sendFailure: false })], read(rules)));
  const located = sarif.matchAll(
    /"artifactLocation":\s*{\s*"uri":\s*"([^"]*)"\s*},\s*"region":\s*{\s*"startLine":\s*(\d+)/g,
  );
  expect([...located].map(([, uri, line]) => `${uri}:${line}`)).toEqual(places);
});

const page = formats.html(everything);

test("a page loads nothing, because its only URLs link to documentation and its policy only allows its own style", () => {
  const withoutLinks = page.replace(/<a href="[^"]+\/docs\/reference\/[^"]+\.md">/g, "");
  expect(withoutLinks.match(/https?:|\/\/|@import|url\(/)).toBeNull();
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "";
  const [, style = ""] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
  expect(policy.replace(/&#39;/g, "'").split("; ")).toEqual([
    "default-src 'none'",
    "img-src data:",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  const tags = page.replace(/"[^"]*"/g, '""').match(/<\w[^>]*>/g) ?? [];
  expect(tags.filter((tag) => / (style|on\w+)=/.test(tag))).toEqual([]);
});

test("text between backticks in a message is shown as code on a page", () => {
  const fix = "Set `sendFailure: <true>` and `a`, not `b.";
  const customRules = [{ id: "own", title: "Own", why: "`Why` not.", expect: { type: "CALL" }, fix }];
  const report = formats.html(audit([silent(1)], { customRules }));
  expect(report).toContain("Set <code>sendFailure: &lt;true&gt;</code> and <code>a</code>, not `b.");
  expect(report).toContain("<p><code>Why</code> not.</p>");
});

test("a page is well-formed, and escapes every value", () => {
  const texts: string[] = [];
  const parser = new SaxesParser({ fragment: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("text", (text) => texts.push(text));
  const asXml = page
    .replace("<!doctype html>\n", "")
    .replace(/<(meta|link)([^>]*)>/g, "<$1$2/>")
    .replace(/<style>[^]*?<\/style>/g, "");
  parser.write(asXml).close();
  expect(texts).toContain(`3 ${toOneLine(hostileName)}`);
  expect(texts).toContain("Rename it & <save>.");
});

test("the type of a channel has its own column in text, even if the channel has no name", () => {
  const rules: Rules = { rules: { "send-failure": "error" } };
  const unnamed = channel({ id: 1, name: undefined, sendFailure: false });
  for (const one of [unnamed, silent(2)])
    expect(formats.text(audit([one], rules))).toMatch(/^error +\d+( \S+)? +EMAIL +send-failure /m);
});

test("a page links each finding to its rule", () => {
  const targets = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id ?? "");
  expect(links.length).toBeGreaterThan(9);
  expect(links.filter((id) => !targets.has(id))).toEqual([]);
});

test("a page shows the worst findings, and how many it omits", () => {
  const rules: Rules = { rules: { "send-failure": "error", "send-recovery": "warning" } };
  const long = formats.html(audit([...many(1_499, { sendRecovery: false }), silent(1_499)], rules));
  expect(long).toContain("<h3>1499</h3>");
  expect(long).toContain("and 500 more lines");
});

// The tests cover each channel type and each source.
describe("credentials", () => {
  const canary = "CANARY-7f3a9c";
  const hidden = { deep: [{ deeper: canary }] };

  /** Contains the credentials of all types, and undocumented settings. */
  const configs: Readonly<Record<string, Record<string, unknown>>> = {
    EMAIL: { address: "ops@acme.example", token: canary },
    SLACK: { url: `https://hooks.example/${canary}`, channel: "#ops" },
    SLACK_APP: { slackChannels: ["#ops"], oauth: hidden },
    WEBHOOK: {
      name: "Hook",
      url: `http://user:${canary}@10.0.0.1/${canary}?token=${canary}`,
      method: "POST",
      template: `{"token": "${canary}"}`,
      headers: [{ key: "Authorization", value: `Bearer ${canary}` }],
      queryParameters: [{ key: "token", value: canary }],
      webhookSecret: canary,
    },
    SMS: { number: "+12025550143", pin: canary },
    CALL: { number: "+12025550143", pin: hidden },
    PAGERDUTY: { serviceKey: canary, account: "acme", serviceName: "Ops" },
    OPSGENIE: { apiKey: canary, name: "Ops", region: "EU", priority: "P1" },
    PIGEON: { loft: canary },
    RAVEN: { loft: canary, name: { first: canary }, channel: [{ token: canary }], slackChannels: [hidden] },
  };

  /** Contains fields that the types don't declare and a response may contain. */
  const undocumented = {
    subscriptions: [{ checkId: "check-1", activated: true, token: canary, more: hidden }],
    webhookSecret: canary,
    token: hidden,
  };

  const raw = Object.entries(configs).flatMap(([type, config], index): AlertChannel[] => [
    { ...channel({ id: 100 + index, type, config }), ...undocumented },
    channel({ id: index * 2 + 1, type, config, sendFailure: false, subscriptions: null }),
    channel({ id: index * 2 + 2, type, config, name: `${type} again`, updatedAt: "2019-01-01" }),
  ]);

  const settings = "url apiKey serviceKey webhookSecret headers template token loft pin oauth name channel";
  const keys = settings.split(" ");
  const own = (id: string, expect: object) => ({ id: id.toLowerCase(), title: id, expect: { ...expect } });
  const others = ["x.example"];
  const curious: Rules = {
    extends: "strict",
    rules: {
      "allowed-targets": { options: { emailDomains: others, hosts: others, phonePrefixes: ["+49"] } },
    },
    exceptions: [{ channel: 1, rules: { "credential-reference": "off" }, reason: "later" }],
    customRules: [
      own("odd-subscriptions", { subscriptions: { contains: { checkId: "7" } } }),
      own("other", { not: { type: { not: null } } }),
      own("no-config", { config: null }),
      own("no-subscriptions", { subscriptions: null }),
      ...keys.map((key) => own(`no-${key}`, { config: { [key]: null } })),
      ...keys
        .filter((key) => !isShown(key))
        .map((key) => own(`odd-${key}`, { config: { [key]: { fingerprint: "777777777777" } } })),
    ],
  };

  const redacted = raw.map((one) => ({ ...one, config: redactConfig(one, "account") }));
  const observed = (channels: AlertChannel[]) =>
    channels.map((one) => observedChannel("hook", { ...one, channelId: one.id }));
  const stacks = { "a stack": observed(redacted), "a stack with plain text": observed(raw) };
  const sources = { "plain text": raw, redacted, ...stacks };

  const base64 = Buffer.from(canary).toString("base64").slice(0, -4);
  const forms = [canary, encodeURIComponent(canary), base64, Buffer.from(canary).toString("hex")];

  test.each(Object.entries(sources))(
    "no format contains a credential of channels from %s, although the rules evaluated it",
    (source, channels) => {
      const report = audit(channels, curious);
      const texts = formatNames.map((format) => formats[format](report));
      expect(forms.filter((form) => texts.join().includes(form))).toEqual([]);
      // A stack's state contains no plain text.
      if (source === "a stack with plain text") return;
      const fields = [...report.findings, ...report.waived, ...report.notEvaluable].map(({ field }) => field);
      const expected = ["url", "apiKey", "serviceKey", "webhookSecret", "headers"];
      expect(fields).toEqual(expect.arrayContaining(expected.map((key) => `config.${key}`)));
    },
  );
});
