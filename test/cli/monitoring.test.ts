/** Tests the command line: commands and options that don't exist, help, unexpected errors, and a stack's settings. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { version } from "../../package.json";
import { UsageError } from "../../cli/command";
import { commands } from "../../cli/commands";
import { temporaryFolder } from "../temporaryFolder";
import { serveRaw } from "../client/services";
import { startTestSandbox } from "../sandbox/sandboxes";
import { built, monitoring, startMonitoring } from "./monitoring";
import { type Ended, run } from "./running";

const ended = (...args: string[]) => monitoring(...args).ended;

test.each([
  [["audt\n"], 'Unknown command audt (did you mean "audit"?). Run `monitoring'],
  [["audit", "--chanel"], 'Unknown option --chanel (did you mean "--channel"?). Run `monitoring audit'],
])("a misspelling in %j exits with code 2 and prints one line", async (args, line) => {
  expect(await ended(...args)).toEqual({ code: 2, stdout: "", stderr: `${line} --help\`.\n` });
});

test.each<[keyof typeof commands, string[], string]>([
  ["sandbox", ["x"], 'Unexpected argument "x".'],
  ["sandbox", ["--port", "70000"], '--port must be a number from 0 to 65535, not "70000".'],
  // A pipeline must not succeed without running its command.
  ["audit", ["--rules", "audit.yaml", "--help"], "Unknown option --help."],
  [
    "audit",
    ["--channel", "--help"],
    "--channel needs a value: --channel ID|NAME, or --channel=--help for a value that starts with a dash.",
  ],
  ["audit", ["--all=yes"], "--all doesn't accept a value."],
])("monitoring %s %j is rejected", async (name, args, line) => {
  await expect(run(name, args)).rejects.toThrow(new UsageError(line));
});

test.each(Object.entries(commands))("the help of %s has lines of at most 80 characters", (_, { help }) => {
  expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("running without a command exits with code 2 and prints one line with all commands", async () => {
  const { code, stderr } = await ended();
  expect(code).toBe(2);
  expect(stderr).toMatch(/^A command is required, one of audit, .*, sandbox\. Run `monitoring --help`\.\n$/);
});

test.each([
  [["--help"], "sandbox   run a local mock of the monitoring service"],
  [["audit", "--help"], "Usage: monitoring audit [options]\n"],
])("%j prints the usage", async (args, expected) => {
  const { code, stdout, stderr } = await ended(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(expected);
});

test("the plan - is standard input, which is decoded like a file", () => {
  const plan = readFileSync(join(__dirname, "../fixtures/plans/target.json"), "utf8");
  const auditInput = (input: string | Buffer) =>
    spawnSync(process.execPath, [built, "audit", "--plan", "-"], { input, encoding: "utf8" });
  const { status, stdout } = auditInput(plan);
  expect([status, stdout]).toEqual([1, expect.stringContaining("(1 channel")]);
  const utf16 = auditInput(Buffer.from(`\ufeff${plan}`, "utf16le"));
  expect([utf16.status, utf16.stderr]).toEqual([2, expect.stringContaining("the file is UTF-16")]);
});

const internal = "monitoring: internal error in pulumi-monitoring-service; please report it";
const here = (name: string) => `${name}, version ${version}, Node ${process.versions.node}`;
const old = '{ value: { ...process.versions, node: "18.20.8" } }';
const tooOld = "pulumi-monitoring-service needs Node 20 or newer; this is Node 18.20.8.";

test.each([
  ["an unexpected RangeError", 'Math.max = () => "x".repeat(-1);', `${internal} (${here("RangeError")}).`],
  ["a later TypeError", "process.nextTick(() => undefined.x);", `${internal} (${here("TypeError")}).`],
  [
    "an unsupported version of Node",
    `Object.defineProperty(process, "versions", ${old});`,
    `${tooOld} Install a newer version from https://nodejs.org`,
  ],
])("%s exits with code 2 and prints one line", async (_, code, line) => {
  const preload = join(temporaryFolder(), "preload.js");
  writeFileSync(preload, code);
  process.env["NODE_OPTIONS"] = `--require ${JSON.stringify(preload)}`;
  expect(await ended("doctor", "--account", "x")).toEqual({ code: 2, stdout: "", stderr: `${line}\n` });
});

test("a malformed response of the service is accepted if Node's option allows it", async () => {
  const channel = JSON.stringify({ id: 7, type: "EMAIL", config: {}, sendFailure: false });
  const service = await serveRaw((socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length : ${channel.length}\r\n\r\n${channel}`),
  );
  const rules = join(temporaryFolder(), "audit.yaml");
  writeFileSync(rules, "rules: { send-failure: error }\n");
  const environment = { NODE_OPTIONS: "--insecure-http-parser", MONITORING_BASE_URL: service.url };
  const { code, stdout } = await startMonitoring(
    { ...environment, MONITORING_API_KEY: "test-key-7" },
    ...["audit", "--rules", rules, "--channel", "7"],
  ).ended;
  expect([code, stdout]).toEqual([1, expect.stringContaining("sendFailure")]);
});

/** Writes a program that replaces Pulumi and logs its arguments to a file next to it. */
function writeProgram(script: string): string {
  const program = join(temporaryFolder(), "pulumi");
  writeFileSync(program, `#!/bin/sh\necho "$*" >> "$0.log"\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
}

const usages: ["audit" | "doctor" | "adopt", string[]][] = [
  ["audit", ["--all"]],
  ["doctor", []],
  ["adopt", ["inc_checkout_latency"]],
];

test.each(usages)(
  "%s reads the settings of a stack through the command in --pulumi",
  async (command, args) => {
    const { url, apiKey } = await startTestSandbox();
    const config = { "monitoring:baseUrl": { value: url }, "monitoring:apiKey": { value: apiKey } };
    const program = writeProgram(`cat <<'END'\n${JSON.stringify(config)}\nEND`);
    const ended = await run(command, [...args, "--stack", "acme/dev", "--pulumi", `  ${program}  -v=0 `]);
    expect(ended.stdout).toContain(printedBy[command]);
    expect(readFileSync(`${program}.log`, "utf8")).toMatch(/^-v=0 config .*--stack acme\/dev$/m);
  },
);

test("an audit of a stack with several accounts requires the key of one account", async () => {
  const accounts = JSON.stringify({ shop: { apiKey: "mon_key", baseUrl: "https://api.example.com" } });
  const config = JSON.stringify({ "monitoring:accounts": { value: accounts } });
  const program = writeProgram(`cat <<'END'\n${config}\nEND`);
  const { code, stderr } = await run("audit", ["--all", "--stack", "dev", "--pulumi", program]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Use one of: shop\. Set MONITORING_API_KEY to the key of the account to audit\.\n$/);
});

/** Output that shows that the service was read. The tests of the guides run these commands with the real engine. */
const printedBy = {
  audit: "12 channels",
  doctor: "ok      key",
  adopt: 'incidentId: "inc_checkout_latency"',
};

const failing = async (script: string): Promise<Ended> =>
  run("adopt", ["inc_1", "--stack", "dev", "--pulumi", writeProgram(script)]);

test("an installed engine is used instead of the engine that npm's package would download", async () => {
  const folder = join(temporaryFolder(), "node_modules", ".bin");
  mkdirSync(folder, { recursive: true });
  const engine = writeProgram("echo 'error: no stack' >&2\nexit 255");
  copyFileSync(writeProgram("echo 'Downloading pulumi v3.265.0...' >&2\nexit 1"), join(folder, "pulumi"));
  const said = async (...folders: string[]) => {
    const environment = { PATH: [...folders, "/bin"].join(delimiter) };
    return (await run("adopt", ["inc_1", "--stack", "dev"], environment)).stderr;
  };
  expect(await said(folder, dirname(engine))).toContain("`pulumi config` failed: no stack.");
  expect(await said(folder)).toContain("`pulumi config` failed: Downloading pulumi");
});

test.each([
  [
    "a message",
    "echo \"error: no stack named 'dev' found\" >&2\nexit 255",
    /failed: no stack named 'dev' found\.\n$/,
  ],
  ["no message", "exit 255", /failed: Command failed: \S+\/pulumi config .*--stack dev\.\n$/],
])("any other failure of Pulumi with %s is shown without advice", async (_, script, shown) => {
  expect((await failing(script)).stderr).toMatch(shown);
});
