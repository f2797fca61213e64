/** Tests `monitoring audit`: its arguments, rule files, reports, exit codes and other tasks. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { join } from "node:path";
import { parseRules } from "../../../audit/public";
import { cases, rows } from "../../audit/table";
import { startTestSandbox } from "../../sandbox/sandboxes";
import {
  audit,
  auditSandbox,
  toEnvironment,
  writeTemporaryFile,
  ids,
  named,
  parseReport,
  silence,
} from "../running";

let folder: string;
beforeEach(() => {
  folder = process.cwd();
});

test("the audit includes all channels with a name in the rule file or in the environment", async () => {
  const names = JSON.stringify({ sms: ids.dutySms, "on-call": 1 });
  const variables = { MONITORING_ALERT_CHANNELS: names };
  const { stdout } = await auditSandbox(named, ["--format", "json"], { variables });
  const audited = parseReport(stdout).channels.map(({ id, name }) => [name, id]);
  expect(Object.fromEntries(audited)).toEqual({
    "on-call": ids.onCall,
    mail: ids.operationsMail,
    sms: ids.dutySms,
  });
});

test.each(["mail", String(ids.operationsMail)])("channels are requested by %s", async (requested) => {
  const { code, stdout, sandbox } = await auditSandbox(named, ["--channel", requested]);
  const line = `error  ${ids.operationsMail} mail  EMAIL  send-failure  sendFailure: false, expected true. Turn failure alerts on in the channel's settings.`;
  expect([code, stdout.split("\n")[0]]).toEqual([1, line]);
  expect(sandbox.requests.map(({ path }) => path)).toEqual([`/v1/alert-channels/${ids.operationsMail}`]);
});

test("a request for a channel is rejected if no channel or two channels have the requested name", async () => {
  const mail = "operations@quillmarket.example";
  const { stderr } = await auditSandbox(named, ["--channel", "On cal", "--channel", mail]);
  expect(stderr.split("\n")).toEqual([
    '--channel "On cal" is neither an ID nor a name (did you mean "On call"?).',
    `--channel "${mail}" is the name of 2 channels. Use an ID instead: 4107, 4108.`,
    "",
  ]);
});

test("a channel that is requested by name is unread if the list can't be read, without affecting others", async () => {
  const fault = { kind: "status", code: 403, operation: "listAlertChannels" } as const;
  const args = ["--channel", "4101", "--channel", "Platform", "--format", "json"];
  const sandbox = await startTestSandbox({ faults: [fault] });
  const { code, stdout } = await auditSandbox(silence, args, { sandbox });
  expect([code, parseReport(stdout).channels.map(({ id }) => id)]).toEqual([3, [ids.onCall]]);
  expect(parseReport(stdout).notEvaluable).toMatchObject([{ channel: { name: "Platform" }, blocks: true }]);
  const accepting = await auditSandbox(silence, [...args.slice(0, 4), "--accept", "2120-01-31"], { sandbox });
  expect(accepting.code).toBe(3);
  expect(accepting.stderr).toMatch(/blocking\)\. Run the audit without --accept to see the reasons\.\n$/);
});

describe("the exit code", () => {
  const clean = `${silence}channels: { on-call: ${ids.onCall} }\n`;
  const warning = `rules: { send-recovery: warning }\nchannels: { payments: ${ids.slackPayments} }\n`;

  test.each([
    ["no findings", clean, "", 0],
    ["an error", named, "", 1],
    ["an error", named, "--fail-on never", 0],
    ["a warning", warning, "", 0],
    ["a warning", warning, "--fail-on warning", 1],
    ["a warning", warning, "--max-warnings 1", 0],
    ["a warning", warning, "--max-warnings 0", 1],
    ["a warning", warning, "--fail-on not-evaluable", 1],
    ["a channel that can't be read", named.replace("mail:", "gone: 999, mail:"), "--fail-on never", 3],
  ])("the exit code of %s with %j %j is %i", async (_, rules, args, expected) => {
    expect((await auditSandbox(rules, args.split(" ").filter(Boolean))).code).toBe(expected);
  });
});

test.each([
  ["0", 1, "\nFound 1 warning, but --max-warnings allows only 0.\n"],
  ["1", 0, "\n"],
])("--max-warnings %s exits with code %d, and a failure gives its reason", async (most, code, reason) => {
  const args = ["--format", "json", "--output", "audit.json", "--max-warnings", most];
  const ended = await auditSandbox(named.replace("error", "warning"), args);
  const stderr = `0 errors, 1 warning (2 channels, 5 rules)${reason}`;
  expect(ended).toMatchObject({ code, stderr });
});

test("the host of a webhook is known in a live audit", async () => {
  const rules = `rules: { allowed-targets: { severity: error, options: { hosts: ["*.quillmarket.example"] } } }
channels: { chat: ${ids.slackPayments}, legacy: ${ids.legacyHook}, ops: ${ids.opsgenie} }
`;
  const { findings } = parseReport((await auditSandbox(rules, ["--format", "json"])).stdout);
  expect(findings.map(({ channel }) => channel?.name)).toEqual(["chat", "legacy"]);
});

test.each(
  cases<{ rules?: string; args?: string[]; variables?: Record<string, string> }>(`
  { rules: "rules: { send-falure: error, stale: on }" } → FILE:1:10: rules.send-falure is not known (did you mean "send-failure"?) ; FILE:1:37: rules.stale must be one of off, warning, error
  { rules: "${silence.trim()}" } → There are no channels to audit. Set --all or --channel ID, or add channels under \`channels\` in FILE or to MONITORING_ALERT_CHANNELS.
  { variables: { MONITORING_API_KEY: "" } } → Configuration: MONITORING_API_KEY is missing: run \`export MONITORING_API_KEY=…\`.
  { variables: { MONITORING_ALERT_CHANNELS: '{"__proto__": 7, "it": 8}' } } → Configuration: MONITORING_ALERT_CHANNELS.__proto__ can't be used as a name.
  { args: [--format, json, --output, no/where.json, --format, html, --output, .] } → no/where.json can't be written: no such file or directory ; . can't be written: the path is a directory`),
)(
  "invalid input exits with code 2 and prints a line for each error before any request: %s",
  async (_, { rules = named, args, variables }, lines) => {
    const { file, sandbox, ...ended } = await auditSandbox(rules, args, { variables });
    const stderr = lines.map((line) => `${line.replace("FILE", file)}\n`).join("");
    expect(ended).toEqual({ code: 2, stdout: "", stderr });
    expect(sandbox.requests).toEqual([]);
  },
);

test.each<[string, string | Buffer | undefined, string]>([
  ["nowhere.yaml", undefined, "no such file or directory"],
  ["a.yaml", Buffer.from("extends: strict\n", "utf16le"), "the file is UTF-16. Save the file as UTF-8"],
  ["a.yaml", Buffer.from("\0extends: strict\n"), "character 1 is NUL. Remove the character"],
  ["a.yaml", Buffer.from("# a\0"), "character 4 is NUL. Remove the character"],
  ["a.yaml", Buffer.from("# f\u00fcr\n", "latin1"), "the file is not UTF-8. Save the file as UTF-8"],
  ["a.yaml", Buffer.of(0xff), "the file is not UTF-8. Save the file as UTF-8"],
])("a rule file that can't be read causes a message of one line: %s %j", async (name, content, mistake) => {
  const file = content === undefined ? name : writeTemporaryFile(content, name);
  const stderr = `${file} can't be read: ${mistake}\n`;
  expect(await audit(["--rules", file])).toEqual({ code: 2, stdout: "", stderr });
});

test("a rule file from a pipe that isn't UTF-8 causes a message of one line", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const written = once(spawn("sh", ["-c", 'printf "# f\\374r\\n" > "$0"', pipe]), "exit");
  const stderr = `${pipe} can't be read: the file is not UTF-8. Save the file as UTF-8\n`;
  expect(await audit(["--rules", pipe])).toEqual({ code: 2, stdout: "", stderr });
  await written;
});

test.each(
  rows(`
   → audit.yaml wasn't found in this folder or in its parent folders
  --rules x --fail-on warn → --fail-on must be one of error, warning, not-evaluable, never, not "warn" (did you mean "warning"?).
  --rules x --max-warnings some → --max-warnings must be a whole number, not "some".
  --rules x --output y → --output y must follow a --format.
  --rules x --format json --output y --output z → --format json has more than one --output.
  --rules x --format json --format html → Only one --format can use standard output. Add --output FILE to the other formats.
  --rules x --format json --output y --format html --output ./y → --output ./y is given twice.
  --rules x --format json --output= → --output must not be empty.
  --rules x --accept 2027-01-31 --format json → --accept can't be combined with --format or --output, because it prints exceptions instead of a report.
  --rules x --accept 2027-01-31 --output y → --accept can't be combined with --format or --output, because it prints exceptions instead of a report.
  --rules x --accept 2026-11-19 → --accept 2026-11-19 has passed. Set today (UTC) or a later day.
  --rules x --accept tomorrow → --accept must be a date, such as 2027-01-31, not "tomorrow".
  --all --channel 1 → --all can't be combined with --channel, because it already audits all channels.
  --plan a.json --all → --plan can't be combined with --all, because the plan already contains the channels.
  --plan a.json --channel 1 → --plan can't be combined with --channel, because the plan already contains the channels.
  --plan a.json --stack dev → --plan can't be combined with --stack, because the plan already contains the channels.
  --plan a.json --format json --output a.json → --output a.json is also the file of --plan.
  --rules x --rules y → --rules can be given only once.
  --init --format json → --init can't be combined with --format.
  --explain stale --fail-on never → --explain can't be combined with --fail-on.`),
)("the arguments %s are rejected", async (args = "", message = "") => {
  await expect(audit(args.split(" ").filter(Boolean))).rejects.toThrow(message);
});

describe("reports in files", () => {
  /** Runs the audit. In the arguments, `./` is the test's folder. */
  const auditTo = (args: string) => auditSandbox(named, args.replaceAll("./", `${folder}/`).split(" "));
  const getPath = (name: string) => join(folder, name);
  const readText = (name: string) => fs.readFileSync(getPath(name), "utf8");
  const readJson = (name: string): unknown => JSON.parse(readText(name));

  test("reports in files can be written in several formats by one run", async () => {
    const { code, stdout, stderr } = await auditTo(
      "--format sarif --output ./a.sarif --format json --output - --format html --output ./a.html",
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, counts: { errors: 1 } });
    expect(readJson("a.sarif")).toMatchObject({ version: "2.1.0" });
    expect(readText("a.html")).toMatch(
      /^<!doctype html>[^]* · account \S+ on 127\.0\.0\.1:\d+ · [^]*<\/html>\n$/,
    );
    expect(fs.readdirSync(folder).sort()).toEqual(["a.html", "a.sarif"]);
  });

  test("reports in files replace an existing file, even through a link, and keep its mode", async () => {
    fs.writeFileSync(getPath("report.json"), "x".repeat(1_000_000), { mode: 0o600 });
    fs.symlinkSync(getPath("report.json"), getPath("latest.json"));
    await auditTo("--format json --output ./latest.json");
    expect(readJson("report.json")).toHaveProperty("version", 1);
    expect(fs.statSync(getPath("report.json")).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(folder).sort()).toEqual(["latest.json", "report.json"]);
  });

  test("reports only in files print a summary to standard error, even to an unnamed pipe such as /dev/stdout", async () => {
    execFileSync("mkfifo", [getPath("pipe")]);
    const descriptor = fs.openSync(getPath("pipe"), "r+");
    fs.rmSync(getPath("pipe"));
    const { code, stdout, stderr } = await auditTo(`--format sarif --output /dev/fd/${descriptor}`);
    const summary = "1 error, 0 warnings (2 channels, 5 rules)\n";
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: summary });
    const written = Buffer.alloc(1 << 16);
    const length = fs.readSync(descriptor, written);
    fs.closeSync(descriptor);
    expect(JSON.parse(written.toString("utf8", 0, length))).toMatchObject({ version: "2.1.0" });
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test("reports in files don't overwrite the rule file, even one that is found automatically or through a link", async () => {
    fs.writeFileSync("audit.yaml", named);
    fs.symlinkSync("audit.yaml", "link");
    const direct = audit(["--format", "json", "--output", "audit.yaml"]);
    await expect(direct).rejects.toThrow("audit.yaml is also the file of --rules.");
    const linked = audit(["--rules", "audit.yaml", "--format", "json", "--output", "link"]);
    await expect(linked).rejects.toThrow("--output link is also the file of --rules.");
    expect(readText("audit.yaml")).toBe(named);
  });

  test("a new report isn't written twice, even through a link to its folder", async () => {
    fs.writeFileSync("audit.yaml", named);
    fs.symlinkSync(".", "folder");
    const twice = audit("--format json --output folder/new --format html --output new".split(" "));
    await expect(twice).rejects.toThrow("--output new is given twice.");
  });
});

test("--init writes an example without channels, which subfolders find, and never overwrites a file", async () => {
  const { code, stdout } = await audit(["--init"], { MONITORING_API_KEY: " " });
  expect(code).toBe(0);
  expect(stdout).toContain(
    "The account's channels were not read. To read them, set MONITORING_API_KEY and MONITORING_BASE_URL. Add your channels",
  );
  expect((await audit(["--init", "--rules", "b.yaml"])).stdout).toContain("monitoring audit --rules b.yaml");
  expect(fs.readFileSync("audit.yaml", "utf8")).toContain("# channels:\n#   on-call: 200123\n");
  expect(await audit(["--init"])).toMatchObject({
    code: 2,
    stderr: "audit.yaml already exists. Edit the file, or set --rules to a different file.\n",
  });
  fs.mkdirSync("a/b", { recursive: true });
  process.chdir("a/b");
  const variables = { MONITORING_BASE_URL: "https://api.example.com", MONITORING_API_KEY: "unused" };
  const { stderr } = await audit([], variables);
  expect(stderr).toContain("add channels under `channels` in ../../audit.yaml");
});

test("the examples in the rule file of --init are valid without their comment characters, and three of them are exceptions", async () => {
  await audit(["--init"]);
  const examples = fs.readFileSync("audit.yaml", "utf8").replace(/^# (?=\w+:$| {2})/gm, "");
  const { exceptions, rules } = parseRules(examples, "audit.yaml");
  expect(exceptions.map(({ rules: settings }) => settings)).toEqual([
    "off",
    { "https-hook": "off" },
    { "send-recovery": "error" },
  ]);
  expect(rules.map(({ id }) => id)).toContain("webhooks-post");
});

describe.each(["audit.yaml", "audit.yml", "audit.json"])("%s is searched for", (name) => {
  const environment = { MONITORING_ALERT_CHANNELS: JSON.stringify({ "on-call": ids.onCall }) };
  const found = async (from: string) => {
    process.chdir(from);
    return audit([], { ...toEnvironment(await startTestSandbox()), ...environment });
  };
  const rules = '{ "rules": { "send-failure": "error" } }';

  test("a rule file is found above the working folder, and the text report names it", async () => {
    fs.mkdirSync(join(folder, "repository/sub"), { recursive: true });
    fs.writeFileSync(join(folder, "repository", name), rules);
    const { code, stdout } = await found(join(folder, "repository/sub"));
    expect({ code, stdout }).toEqual({ code: 0, stdout: `No findings (1 channel, 5 rules of ../${name})\n` });
  });

  test.each([
    ["a folder", (git: string) => fs.mkdirSync(git)],
    ["a file, as in a worktree", (git: string) => fs.writeFileSync(git, "gitdir: elsewhere\n")],
  ])(
    "a rule file is searched for up to the root of a repository, where .git is %s",
    async (_, makeRepository) => {
      fs.mkdirSync(join(folder, "repository/sub"), { recursive: true });
      fs.writeFileSync(join(folder, name), rules);
      makeRepository(join(folder, "repository/.git"));
      const message = "audit.yaml wasn't found in this folder or in its parent folders within the repository";
      await expect(found(join(folder, "repository/sub"))).rejects.toThrow(message);
    },
  );
});

test("--list-rules and --explain show the rules, including custom rules", async () => {
  expect((await audit(["--list-rules"])).stdout).toMatch(
    /^on-call-type +warning in recommended, error in strict +A channel wakes the person on call$/m,
  );
  const wrong = writeTemporaryFile("options: { atLeest: 21 }\n", "wrong.yaml");
  const { stdout } = await audit(["--explain", "ssl-expiry-threshold", "--rules", wrong]);
  expect(stdout).toMatch(/Cost of ignoring a finding:[^]*Fix in the service:[^]*Fix as code:[^]* atLeast:/);
  const custom = { id: "mine", title: "Mine\n::error::x", why: "So\n::error::y", expect: { type: "EMAIL" } };
  const file = writeTemporaryFile(JSON.stringify({ customRules: [custom] }));
  const own = await audit(["--explain", "mine", "--rules", file]);
  expect(own.stdout).toMatch(/^mine: Mine ::error::x\.\n[^]* {2}So ::error::y\n/);
  await expect(audit(["--explain", "ssl-expiri"])).rejects.toThrow('did you mean "ssl-expiry"');
});

test("--accept prints exceptions for all findings, and the next audit passes until there is a new finding", async () => {
  const accept = (rules: string) => auditSandbox(rules, ["--accept", "2120-01-31"]);
  const both = named.replace("rules: {", "rules: { on-call-type: error, send-recovery: error,");
  const { code, stdout } = await accept(named);
  const today = await auditSandbox(named, ["--accept", "2026-11-20"]);
  expect(today).toMatchObject({ code, stdout: stdout.replace("2120-01-31", "2026-11-20") });
  const end = "    reason: Accepted when audits were introduced\n    until: 2120-01-31\n";
  const entry = `  - channel: mail\n    rules:\n      send-failure: off\n${end}`;
  expect([code, stdout]).toEqual([0, `exceptions:\n${entry}`]);
  expect(await auditSandbox(named + stdout)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 waived"),
  });
  // The output of a second --accept is appended, and may be empty.
  expect((await accept(named + stdout)).stdout).toBe("");
  const more = both.replace("on-call:", "only:").replace(String(ids.onCall), String(ids.slackPayments));
  const again = await accept(more + stdout);
  expect(again.stdout).toBe(
    `  - channel: only\n    rules:\n      send-recovery: off\n${end}  - rules:\n      on-call-type: off\n${end}`,
  );
  const third = more + stdout + again.stdout;
  expect(await auditSandbox(third)).toMatchObject({ code: 0, stdout: expect.stringContaining("3 waived") });
  expect((await accept(third)).stdout).toBe("");
  expect((await auditSandbox(third.replace("mail:", `sms: ${ids.pausedPagerDuty}, mail:`))).code).toBe(0);
  const changed = third.replace(
    "send-failure: error",
    "send-failure: { severity: error, options: { value: false } }",
  );
  expect((await auditSandbox(changed)).code).toBe(1);
});
