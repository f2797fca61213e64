import { wellKnown } from "../../sandbox";
import { formatNames } from "../../audit";
import { sandboxWith } from "../sandbox/sandboxes";
import { audit, environmentOf, fileWith } from "./auditing";
import { monitoring } from "./monitoring";

const ids = wellKnown.alertChannels;
const silence = "rules: { send-failure: error }\n";
const named = `${silence}channels: { on-call: ${ids.onCall}, mail: ${ids.operationsMail} }\n`;

describe("which channels", () => {
  test("all with a name in the rule file or in the environment", async () => {
    const environment = environmentOf(await sandboxWith());
    const variable = { MONITORING_ALERT_CHANNELS: JSON.stringify({ sms: ids.dutySms, "on-call": 1 }) };
    const { code, stdout } = await audit(["--rules", fileWith(named), "--format", "json"], {
      ...environment,
      ...variable,
    });
    const { channels } = JSON.parse(stdout) as { channels: { id: number; name: string }[] };
    expect(code).toBe(1);
    expect(channels.map(({ id, name }) => [name, id])).toEqual([
      ["sms", ids.dutySms],
      ["on-call", ids.onCall],
      ["mail", ids.operationsMail],
    ]);
  });

  test.each([["mail"], [String(ids.operationsMail)]])(
    "those that are asked for, by id or name: %s",
    async (asked) => {
      const sandbox = await sandboxWith();
      const { code, stdout } = await audit(
        ["--rules", fileWith(named), "--channel", asked],
        environmentOf(sandbox),
      );
      expect({ code, stdout: stdout.split("\n")[0] }).toEqual({
        code: 1,
        stdout: `error  ${ids.operationsMail} mail  send-failure  sendFailure: false, expected true`,
      });
      expect(sandbox.requests.map(({ path }) => path)).toEqual([`/v1/alert-channels/${ids.operationsMail}`]);
    },
  );

  test("each is read once, with the key and the account", async () => {
    const sandbox = await sandboxWith();
    const asked = ["on-call", String(ids.onCall), "on-call"].flatMap((one) => ["--channel", one]);
    await audit(["--rules", fileWith(named), ...asked], environmentOf(sandbox));
    expect(sandbox.requests).toMatchObject([
      { account: sandbox.accountId, path: `/v1/alert-channels/${ids.onCall}` },
    ]);
  });
});

describe("exit codes", () => {
  const clean = `${silence}channels: { on-call: ${ids.onCall} }\n`;
  const warns = `rules: { send-recovery: warning }\nchannels: { payments: ${ids.slackPayments} }\n`;

  test.each([
    ["nothing found", clean, [], 0],
    ["an error", named, [], 1],
    ["an error, of no interest", named, ["--fail-on", "never"], 0],
    ["a warning", warns, [], 0],
    ["a warning, of interest", warns, ["--fail-on", "warning"], 1],
    ["nothing found, warnings of interest", clean, ["--fail-on", "warning"], 0],
  ])("%s", async (_, rules, args, expected) => {
    const { code } = await audit(["--rules", fileWith(rules), ...args], environmentOf(await sandboxWith()));
    expect(code).toBe(expected);
  });

  test("3 when a channel can't be read: it is a finding, and the others are reported", async () => {
    const sandbox = await sandboxWith();
    const args = ["--rules", fileWith(named), "--channel", "mail", "--channel", "999", "--fail-on", "never"];
    const { code, stdout } = await audit(args, environmentOf(sandbox));
    expect(code).toBe(3);
    expect(stdout).toContain(`${ids.operationsMail} mail  send-failure  sendFailure: false`);
    expect(stdout).toMatch(/^error {2}999 +channel-read +channel: not read: getAlertChannel 999: not found/m);
  });

  test("3 when the key is wrong: it is tried no more than what is in flight, and each channel is told", async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, id) => [`channel-${id}`, id]));
    const rules = fileWith(JSON.stringify({ extends: "recommended", channels: many }));
    const sandbox = await sandboxWith();
    const { code, stdout } = await audit(["--rules", rules, "--format", "json"], {
      ...environmentOf(sandbox),
      MONITORING_API_KEY: "mon_nobodys_key",
    });
    const { counts } = JSON.parse(stdout) as { counts: object };
    expect({ code, counts }).toMatchObject({
      code: 3,
      counts: { channels: 0, unreadable: 100, errors: 100 },
    });
    expect(sandbox.requests.length).toBeLessThanOrEqual(16);
    expect(stdout.includes("mon_nobodys_key")).toBe(false);
  });

  test("one unreadable among a thousand hides nothing", async () => {
    const sandbox = await sandboxWith();
    sandbox.byHand.change(({ accounts: [{ alertChannels }] }) => {
      const [first] = alertChannels;
      for (let id = 10_000; id < 10_999; id++)
        if (first) alertChannels.push({ ...first, id, sendFailure: id !== 10_500 });
    });
    const channels = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`c${index}`, 10_000 + index]),
    );
    const rules = fileWith(JSON.stringify({ rules: { "send-failure": "error" }, channels }));
    const { code, stdout } = await audit(["--rules", rules], environmentOf(sandbox));
    const lines = stdout.split("\n");
    expect(code).toBe(3);
    expect(lines[0]).toMatch(/^error {2}10500 c500 +send-failure/);
    expect(lines[1]).toMatch(/^error {2}10999 c999 +channel-read/);
    expect(lines.at(-2)).toBe("2 errors, 0 warnings (999 channels, 4 rules, 1 not read)");
  });
});

describe("credentials that the service shows", () => {
  const all = `extends: strict
rules: { allowed-targets: { severity: error, options: { hosts: ["*.quillmarket.example"] } } }
channels: ${JSON.stringify(Object.fromEntries(Object.entries(ids).slice(0, 12)))}
`;

  test("are judged, also by the host of a hook, which no stack keeps", async () => {
    const { stdout } = await audit(["--rules", fileWith(all)], environmentOf(await sandboxWith()));
    const found = stdout.split("\n").filter((line) => line.startsWith("error"));
    const judged = (rule: string) =>
      found.flatMap((line) => (line.includes(` ${rule} `) ? (/\d{4}/.exec(line) ?? []) : []));
    expect(judged("allowed-targets").map(Number)).toEqual([
      ids.slackPayments,
      ids.legacyHook,
      ids.reportingHook,
    ]);
    expect(judged("https-hook").map(Number)).toEqual([ids.legacyHook]);
    expect(judged("credential-reference").map(Number)).toEqual([
      ids.opsgenie,
      ids.slackPayments,
      ids.pausedPagerDuty,
    ]);
  });

  test.each(formatNames)("are in no report: %s", async (format) => {
    const args = ["--rules", fileWith(all), "--format", format];
    const { stdout, stderr } = await audit(args, environmentOf(await sandboxWith()), { isTTY: true });
    const secrets = [
      "not-a-secret",
      "10.20.0.14",
      "partner.example",
      "hooks.chat.example",
      "AUTOMATION_TOKEN",
    ];
    expect(secrets.filter((secret) => (stdout + stderr).includes(secret))).toEqual([]);
    expect(stdout).toContain(String(ids.legacyHook));
  });
});

describe("a terminal", () => {
  test("sees colours and, while channels are read, how far it is", async () => {
    const { stdout, stderr } = await audit(["--rules", fileWith(named)], environmentOf(await sandboxWith()), {
      isTTY: true,
    });
    expect(stdout).toContain("\u001b[31merror");
    const clearLine = "\r\u001b[2K";
    expect(stderr.split(clearLine)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Reading alert channels ░+ 0 of 2$/)]),
    );
    expect(stderr.endsWith(clearLine)).toBe(true);
  });

  test("that is narrow gets a shorter line, because only one line can be taken away", async () => {
    const { stderr } = await audit(["--rules", fileWith(named)], environmentOf(await sandboxWith()), {
      isTTY: true,
      columns: 40,
    });
    for (const line of stderr.split("\r\u001b[2K")) expect(line.length).toBeLessThan(40);
    expect(stderr).toContain("Reading alert channels");
  });

  test("is spared colours by NO_COLOR", async () => {
    const environment = { ...environmentOf(await sandboxWith()), NO_COLOR: "1" };
    const { stdout } = await audit(["--rules", fileWith(named)], environment, { isTTY: true });
    expect(stdout).not.toContain("\u001b");
  });

  test("is what pipelines are not: no colours, no progress", async () => {
    const { stdout, stderr } = await audit(["--rules", fileWith(named)], environmentOf(await sandboxWith()));
    expect({ hasEscapes: stdout.includes("\u001b"), stderr }).toEqual({ hasEscapes: false, stderr: "" });
  });
});

describe("as a process", () => {
  test("explains itself", async () => {
    const { code, stdout } = await monitoring("audit", "--help").ended;
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: monitoring audit --rules FILE");
  });

  test("shows its usage when it is used wrongly", async () => {
    const { code, stdout, stderr } = await monitoring("audit").ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^--rules FILE is missing\.\n\nUsage: monitoring audit /);
  });
});
