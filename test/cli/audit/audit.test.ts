import { sandboxWith } from "../../sandbox/sandboxes";
import { auditSandbox, ids, named, reportIn, silence } from "./auditing";

describe("the channels", () => {
  test("are all with a name in the rule file or in the environment", async () => {
    const names = JSON.stringify({ sms: ids.dutySms, "on-call": 1 });
    const variables = { MONITORING_ALERT_CHANNELS: names };
    const { code, stdout } = await auditSandbox(named, ["--format", "json"], { variables });
    expect(code).toBe(1);
    expect(reportIn(stdout).channels.map(({ id, name }) => [name, id])).toEqual([
      ["on-call", ids.onCall],
      ["mail", ids.operationsMail],
      ["sms", ids.dutySms],
    ]);
  });

  test.each(["mail", String(ids.operationsMail)])("may be requested by id or name: %s", async (requested) => {
    const { code, stdout, sandbox } = await auditSandbox(named, ["--channel", requested]);
    const line = `error  ${ids.operationsMail} mail  send-failure  sendFailure: false, expected true. Turn failure alerts on in the channel's settings.`;
    expect([code, stdout.split("\n")[0]]).toEqual([1, line]);
    expect(sandbox.requests.map(({ path }) => path)).toEqual([`/v1/alert-channels/${ids.operationsMail}`]);
  });
});

describe("the exit code", () => {
  const clean = `${silence}channels: { on-call: ${ids.onCall} }\n`;
  const warning = `rules: { send-recovery: warning }\nchannels: { payments: ${ids.slackPayments} }\n`;

  test.each([
    ["no findings", clean, [], 0],
    ["an error", named, [], 1],
    ["an error", named, ["--fail-on", "never"], 0],
    ["a warning", warning, [], 0],
    ["a warning", warning, ["--fail-on", "warning"], 1],
    ["no findings", clean, ["--fail-on", "warning"], 0],
  ])("of %s with %j %j is %i", async (_, rules, args, expected) => {
    expect((await auditSandbox(rules, args)).code).toBe(expected);
  });

  /** Names for a hundred ids. */
  const hundred = (first: number) =>
    Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`c${index}`, first + index]));

  test("is 3 when a channel can't be read; the others are reported", async () => {
    const sandbox = await sandboxWith();
    sandbox.byHand.change(({ accounts: [{ alertChannels }] }) => {
      const [first] = alertChannels;
      for (let id = 10_000; id < 10_099; id++)
        if (first) alertChannels.push({ ...first, id, sendFailure: id !== 10_050 });
    });
    const rules = JSON.stringify({ rules: { "send-failure": "error" }, channels: hundred(10_000) });
    const { code, stdout } = await auditSandbox(rules, ["--fail-on", "never"], { sandbox });
    const lines = stdout.split("\n").map((line) => line.replace(/ +/g, " "));
    expect(code).toBe(3);
    expect(lines[0]).toMatch(
      /^not evaluable 10099 c99 channel-read channel: getAlertChannel 10099: not found/,
    );
    expect(lines[1]).toMatch(/^error 10050 c50 send-failure/);
    expect(lines.at(-2)).toBe(
      "1 error, 0 warnings, not fully evaluable (99 channels, 5 rules, 1 not evaluable, 1 of them blocking)",
    );
  });
});

test("credentials from the service are evaluated, also by host, and not reported", async () => {
  const rules = `extends: strict
rules: { allowed-targets: { severity: error, options: { hosts: ["*.quillmarket.example"] } } }
channels: ${JSON.stringify(Object.fromEntries(Object.entries(ids).slice(0, 12)))}
`;
  const { stdout, stderr } = await auditSandbox(rules, [], { isTTY: true });
  const findings = stdout.split("\n").filter((line) => line.includes("error"));
  const channelsOf = (rule: string) =>
    findings.flatMap((line) => (line.includes(rule) ? (/\d{4}/.exec(line) ?? []) : [])).map(Number);
  expect(channelsOf("allowed-targets")).toEqual([ids.slackPayments, ids.legacyHook, ids.reportingHook]);
  expect(channelsOf("https-hook")).toEqual([ids.legacyHook]);
  const literals = [ids.opsgenie, ids.slackPayments, ids.legacyHook, ids.pausedPagerDuty, ids.reportingHook];
  expect(channelsOf("credential-reference")).toEqual(literals);
  const secrets = ["not-a-secret", "10.20.0.14", "partner.example", "hooks.chat.example", "AUTOMATION_TOKEN"];
  expect(secrets.filter((secret) => (stdout + stderr).includes(secret))).toEqual([]);
});

describe("a terminal", () => {
  test("shows colors and progress", async () => {
    const sandbox = await sandboxWith({ faults: [{ kind: "latency", ms: 400, skip: 1 }] });
    const { stdout, stderr } = await auditSandbox(named, [], { isTTY: true, sandbox });
    expect(stdout).toContain("\u001b[31merror");
    // Rewritten in place, and gone before the report.
    const [first, ...drawn] = stderr.split("\r\u001b[2K");
    expect([first, drawn.at(-1)]).toEqual(["", ""]);
    expect(drawn).toContain("Reading alert channels: 1 of 2");
  });

  test("with NO_COLOR has no colors", async () => {
    const { stdout } = await auditSandbox(named, [], { isTTY: true, variables: { NO_COLOR: "1" } });
    expect(stdout).not.toContain("\u001b");
  });
});

test("without a terminal there are no colors and no progress", async () => {
  const { stdout, stderr } = await auditSandbox(named);
  expect({ stdout, stderr }).toEqual({ stdout: expect.not.stringContaining("\u001b"), stderr: "" });
});
