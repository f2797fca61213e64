/** Tests the command line: commands and options that don't exist, help, standard input and unexpected errors. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { UsageError } from "../../cli/command";
import { commands } from "../../cli/commands";
import { serveRaw } from "../client/services";
import { built, monitoring, startMonitoring } from "./monitoring";
import { run, silence, writeTemporaryFile } from "./running";

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
  const preload = writeTemporaryFile(code, "preload.js");
  process.env["NODE_OPTIONS"] = `--require ${JSON.stringify(preload)}`;
  expect(await ended("doctor", "--account", "x")).toEqual({ code: 2, stdout: "", stderr: `${line}\n` });
});

test("a malformed response of the service is accepted if Node's option allows it", async () => {
  const channel = JSON.stringify({ id: 7, type: "EMAIL", config: {}, sendFailure: false });
  const service = await serveRaw((socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length : ${channel.length}\r\n\r\n${channel}`),
  );
  const environment = { NODE_OPTIONS: "--insecure-http-parser", MONITORING_BASE_URL: service.url };
  const { code, stdout } = await startMonitoring(
    { ...environment, MONITORING_API_KEY: "test-key-7" },
    ...["audit", "--rules", writeTemporaryFile(silence), "--channel", "7"],
  ).ended;
  expect([code, stdout]).toEqual([1, expect.stringContaining("sendFailure")]);
});
