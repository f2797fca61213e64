/** The command line: commands and options that don't exist, help, and errors that nobody expects. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { UsageError } from "../../cli/command";
import { commands } from "../../cli/commands";
import { temporaryFolder } from "../temporaryFolder";
import { serveRaw } from "../client/services";
import { monitoring, monitoringIn } from "./monitoring";
import { run } from "./running";

const ended = (...args: string[]) => monitoring(...args).ended;

test.each([
  [["audt\n"], 'Unknown command audt (did you mean "audit"?). Run `monitoring'],
  [["audit", "--chanels"], 'Unknown option --chanels (did you mean "--channel"?). Run `monitoring audit'],
])("what is misspelled in %j is exit code 2 and one line", async (args, line) => {
  expect(await ended(...args)).toEqual({ code: 2, stdout: "", stderr: `${line} --help\`.\n` });
});

test.each<[keyof typeof commands, string[], string]>([
  ["sandbox", ["x"], 'Unexpected argument "x".'],
  ["sandbox", ["--port", "70000"], '--port must be a number from 0 to 65535, not "70000".'],
  // A pipeline must not pass without running its command.
  ["audit", ["--rules", "audit.yaml", "--help"], "Unknown option --help."],
  [
    "audit",
    ["--channel", "--help"],
    "--channel needs a value: --channel ID|NAME, or --channel=--help for one that begins with a dash.",
  ],
  ["audit", ["--quiet=yes"], "--quiet takes no value."],
])("monitoring %s %j is rejected", async (name, args, line) => {
  await expect(run(name, args)).rejects.toThrow(new UsageError(line));
});

test("a file that can't be written is exit code 2 and one line", async () => {
  const stderr = "no/where.md can't be written: no such file or directory\n";
  expect(await ended("doctor", "--record", "no/where.md")).toEqual({ code: 2, stdout: "", stderr });
});

test.each(Object.entries(commands))("the help of %s has lines of at most 80 characters", (_, { help }) => {
  expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("no command is exit code 2, and one line with all of them", async () => {
  const { code, stderr } = await ended();
  expect(code).toBe(2);
  expect(stderr).toMatch(/^A command is required, one of audit, .*, sandbox\. Run `monitoring --help`\.\n$/);
});

test.each([
  [["--help"], "sandbox   run a local monitoring service"],
  [["audit", "--help"], "Usage: monitoring audit [options]\n"],
])("%j prints the usage", async (args, expected) => {
  const { code, stdout, stderr } = await ended(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(expected);
});

const internal = "monitoring: internal error in pulumi-monitoring-service; please report it";
const here = (name: string) => `${name}, version ${version}, Node ${process.versions.node}`;
const old = '{ value: { ...process.versions, node: "18.20.8" } }';
const tooOld = "pulumi-monitoring-service needs Node 20 or newer; this is Node 18.20.8.";

test.each([
  [
    "an unexpected RangeError",
    'Object.defineProperty(process, "stdin", { get: () => "x".repeat(-1) });',
    `${internal} (${here("RangeError")}).`,
  ],
  ["a later TypeError", "process.nextTick(() => undefined.x);", `${internal} (${here("TypeError")}).`],
  [
    "an unsupported version of Node",
    `Object.defineProperty(process, "versions", ${old});`,
    `${tooOld} Get one: https://nodejs.org`,
  ],
])("%s is exit code 2 and one line", async (_, code, line) => {
  const preload = join(temporaryFolder(), "preload.js");
  writeFileSync(preload, code);
  process.env["NODE_OPTIONS"] = `--require ${JSON.stringify(preload)}`;
  expect(await ended("doctor", "--post-to", "x")).toEqual({ code: 2, stdout: "", stderr: `${line}\n` });
});

test("a malformed response of the service is read if Node is told to", async () => {
  const channel = JSON.stringify({ id: 7, type: "EMAIL", config: {}, sendFailure: false });
  const service = await serveRaw((socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length : ${channel.length}\r\n\r\n${channel}`),
  );
  const rules = join(temporaryFolder(), "audit.yaml");
  writeFileSync(rules, "rules: { send-failure: error }\n");
  const environment = { NODE_OPTIONS: "--insecure-http-parser", MONITORING_BASE_URL: service.url };
  const { code, stdout } = await monitoringIn(
    { ...environment, MONITORING_API_KEY: "test-key-7" },
    ...["audit", "--rules", rules, "--channel", "7"],
  ).ended;
  expect([code, stdout]).toEqual([1, expect.stringContaining("sendFailure")]);
});
