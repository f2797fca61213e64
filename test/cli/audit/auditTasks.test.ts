/** What `monitoring audit` does besides an audit, and how it finds its rules. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import { temporaryFolder } from "../../temporaryFolder";
import { audit, auditSandbox, fileWith, ids, named, silence } from "./auditing";

const original = process.cwd();
afterEach(() => process.chdir(original));

describe("--init", () => {
  const written = async (variables: Record<string, string>) => {
    process.chdir(temporaryFolder());
    const ended = await audit(["--init"], variables);
    return { ...ended, text: readFileSync("audit.yaml", "utf8") };
  };

  test("writes a rule file for the configured channels, which the audit takes", async () => {
    const channels = JSON.stringify({ "on-call": ids.onCall, mail: ids.operationsMail });
    const { code, stdout, text } = await written({ MONITORING_ALERT_CHANNELS: channels });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        "audit.yaml is written. It lists the 2 channels of MONITORING_ALERT_CHANNELS. Run `monitoring audit`.\n",
    });
    expect(text).toContain(`channels:\n  on-call: ${ids.onCall}\n`);
    const { stdout: report } = await auditSandbox(text);
    expect(report).toContain("(2 channels, ");
  });

  test("writes an example without channels, and never over a file", async () => {
    const { code, text } = await written({});
    expect(code).toBe(0);
    expect(text).toContain("# channels:\n#   on-call: 200123\n");
    const again = await audit(["--init"]);
    expect(again).toMatchObject({
      code: 2,
      stderr: "audit.yaml exists already: edit it, or give another --rules FILE.\n",
    });
  });
});

test("--list-rules and --explain show the rules, also one of the rule file", async () => {
  process.chdir(temporaryFolder());
  const { code, stdout } = await audit(["--list-rules"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^on-call-type +warning +recommended, strict +A channel wakes the person on call$/m);
  const page = await audit(["--explain", "ssl-expiry-threshold"]);
  for (const part of [
    "Cost of ignoring it:",
    "Fix in the service:",
    "Fix as code:",
    "When to turn it off:",
    "atLeast: ",
  ])
    expect(page.stdout).toContain(part);
  const wrong = fileWith("options: { atLeest: 21 }\n", "wrong.yaml");
  expect((await audit(["--explain", "ssl-expiry-threshold", "--rules", wrong])).stdout).toBe(page.stdout);
  const own = fileWith("customRules: [{ id: mine, title: Mine, why: Because., expect: { type: EMAIL } }]\n");
  expect((await audit(["--explain", "mine", "--rules", own])).stdout).toContain("Because.");
  await expect(audit(["--explain", "ssl-expiri"])).rejects.toThrow('did you mean "ssl-expiry"');
});

test("--version prints the version", async () => {
  expect(await audit(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n` });
});

test.each([
  ["--init", "--format", "json"],
  ["--list-rules", "--channel", "1"],
  ["--explain", "stale", "--fail-on", "never"],
])("%s doesn't look like an audit that passed: %s", async (...args) => {
  await expect(audit(args)).rejects.toThrow("can't be combined with");
});

test("neither a report nor a baseline overwrites the rule file that is found", async () => {
  process.chdir(temporaryFolder());
  writeFileSync("audit.yaml", named);
  for (const written of [["--write-baseline"], ["--format", "json", "--output"]])
    await expect(audit([...written, "audit.yaml"])).rejects.toThrow("audit.yaml is the file of --rules.");
  expect(readFileSync("audit.yaml", "utf8")).toBe(named);
});

test("a rule file is found in the folder or above, and its absence is a mistake", async () => {
  const folder = temporaryFolder();
  process.chdir(folder);
  await expect(audit([])).rejects.toThrow("There is no audit.yaml in this folder or above");
  await audit(["--init"]);
  mkdirSync(join(folder, "a", "b"), { recursive: true });
  process.chdir(join(folder, "a", "b"));
  const variables = { MONITORING_BASE_URL: "https://api.example.com", MONITORING_API_KEY: "unused" };
  expect(await audit([], variables)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("../../audit.yaml") as unknown,
  });
});

test("--max-warnings fails above the number, and --quiet leaves warnings out", async () => {
  const rules = named.replace("error", "warning");
  expect(await auditSandbox(rules, ["--max-warnings", "1"])).toMatchObject({ code: 0 });
  const { code, stdout } = await auditSandbox(rules, ["--max-warnings", "0", "--quiet"]);
  expect(code).toBe(1);
  expect(stdout).toBe("0 errors, 1 warning (2 channels, 5 rules)\n");
  await expect(audit(["--rules", "x", "--max-warnings", "some"])).rejects.toThrow("must be a whole number");
});

describe("a baseline", () => {
  const written = async () => {
    const file = join(temporaryFolder(), "baseline.json");
    const ended = await auditSandbox(named, ["--write-baseline", file]);
    return { ...ended, baseline: file };
  };

  test("makes the findings known: they are shown, and don't fail", async () => {
    const { code, stderr, baseline, sandbox } = await written();
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${baseline}: 1 finding written as known.\n` });
    const known = await auditSandbox(named, ["--baseline", baseline], { sandbox });
    expect(known.code).toBe(0);
    expect(known.stdout).toContain(
      `known  ${ids.operationsMail} mail  send-failure  sendFailure: false, expected true. Turn failure alerts on in the channel's settings.\n`,
    );
    expect(known.stdout).toContain("No findings (2 channels, 5 rules, 1 known)");
  });

  test("doesn't cover new findings", async () => {
    const { baseline, sandbox } = await written();
    const more = named
      .replace("send-failure: error", "send-failure: error, https-hook: error")
      .replace("mail:", `hook: ${ids.legacyHook}, mail:`);
    const { code, stdout } = await auditSandbox(more, ["--baseline", baseline], { sandbox });
    expect(code).toBe(1);
    expect(stdout).toContain("https-hook  config.url: http, expected https");
  });

  test("says what is fixed, and is written again on request", async () => {
    const { baseline } = await written();
    const off = named.replace(
      silence,
      "rules: { send-failure: { severity: error, options: { value: false } } }\n",
    );
    const { stderr } = await auditSandbox(off, ["--baseline", baseline]);
    expect(stderr).toContain(": 1 known finding is fixed: write the file again with --write-baseline.\n");
    await auditSandbox(off, ["--write-baseline", baseline]);
    expect((await auditSandbox(off, ["--baseline", baseline])).stderr).toBe("");
  });

  test("stays as it is for channels that aren't audited", async () => {
    const waiver = "{ rule: send-failure, channel: on-call, reason: x, owner: y, expires: 2999-01-01 }";
    const two = `${named}waivers: [${waiver}]\n`;
    const file = join(temporaryFolder(), "baseline.json");
    const { sandbox } = await auditSandbox(two, ["--write-baseline", file]);
    const known = readFileSync(file, "utf8");
    const { stderr } = await auditSandbox(two, ["--baseline", file, "--channel", "mail"], { sandbox });
    expect([stderr, readFileSync(file, "utf8")]).toEqual(["", known]);
  });

  test("that is none is a mistake", async () => {
    const file = fileWith("{}", "baseline.json");
    const { code, stderr } = await auditSandbox(named, ["--baseline", file]);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("isn't a baseline") as unknown,
    });
    expect(existsSync(file)).toBe(true);
  });
});
