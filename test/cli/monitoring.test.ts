import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { commands } from "../../cli/commands";
import { usageProblem } from "../../cli/command";
import { type FaultInput, wellKnown } from "../../sandbox";
import { ask, sandboxWith } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
import { monitoring } from "./monitoring";
import { addressIn, sandboxHere } from "./sandboxHere";

const ended = (...args: string[]) => monitoring(...args).ended;
const apiKey = wellKnown.apiKeys.quillmarket;
const killed = { code: 0, stderr: "" };

test.each([
  [
    "a misspelled command",
    ["audt"],
    'Unknown command audt (did you mean "audit"?). Run `monitoring --help`.',
  ],
  ["an unknown command", ["x\n"], "Unknown command x. Run `monitoring --help`."],
  [
    "a misspelled option",
    ["audit", "--chanels", "1"],
    'Unknown option --chanels (did you mean "--channel"?). Run `monitoring audit --help`.',
  ],
])("%s: exit code 2 and one line", async (_, args, line) => {
  expect(await ended(...args)).toEqual({ code: 2, stdout: "", stderr: `${line}\n` });
});

const positional = "This command does not take positional arguments.";

test.each<[keyof typeof commands, string[], string]>([
  [
    "audit",
    ["--format", "xml"],
    '--format must be one of text, json, markdown, sarif, junit, html, not "xml".',
  ],
  [
    "audit",
    ["--format", "markdwn"],
    '--format must be one of text, json, markdown, sarif, junit, html, not "markdwn" (did you mean "markdown"?).',
  ],
  ["doctor", ["x"], `Unexpected argument 'x'. ${positional}`],
  ["sandbox", ["x"], `Unexpected argument 'x'. ${positional}`],
  ["sandbox", ["-x"], "Unknown option -x."],
  ["sandbox", ["--port"], "Option '--port <value>' argument missing."],
  ["sandbox", ["--port", "70000"], '--port must be a number from 0 to 65535, not "70000".'],
  [
    "sandbox",
    ["--ids", "kept"],
    '--ids must be one of ignored, honoured, honoured-500, honoured-idempotent, rejected, not "kept".',
  ],
  // A pipeline must not pass without running its command.
  ["audit", ["--rules", "audit.yaml", "--help"], "Unknown option --help."],
  ["sandbox", ["--port", "0", "-h"], "Unknown option -h."],
  [
    "audit",
    ["--channel", "--help"],
    "Option '--channel' argument is ambiguous. Did you forget to specify the option argument for '--channel'? " +
      "To specify an option argument starting with a dash use '--channel=-XYZ'.",
  ],
])("monitoring %s %j is rejected, with the help to run", async (name, args, line) => {
  const command = commands[name];
  const { message } = (await command.run(args).catch((error: unknown) => error)) as Error;
  expect(usageProblem(message, name, command)).toBe(`${line} Run \`monitoring ${name} --help\`.`);
});

test("no command: exit code 2, and one line with all of them", async () => {
  const { code, stderr } = await ended();
  expect(code).toBe(2);
  expect(stderr).toMatch(/^A command is required, one of audit, .*, sandbox\. Run `monitoring --help`\.\n$/);
});

test.each([
  [["--help"], "sandbox   run a local monitoring service"],
  [["audit", "--help"], "Usage: monitoring audit [--rules FILE]"],
])("%j prints the usage", async (args, expected) => {
  const { code, stdout, stderr } = await ended(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(expected);
});

test.each([
  [
    "RangeError",
    "let rules = {}; for (let n = 0; n < 100_000; n++) rules = { rules }; module.exports = rules;",
  ],
  ["TypeError", 'setImmediate(() => undefined.x); module.exports = { extends: "recommended" };'],
])("an unexpected %s, also later: exit code 2, one line", async (name, code) => {
  const file = join(temporaryFolder(), "rules.cjs");
  writeFileSync(file, code);
  const { stdout, stderr, ...ended } = await monitoring("audit", "--rules", file, "--channel", "1").ended;
  expect({ stdout, ...ended }).toEqual({ stdout: "", code: 2 });
  const [last = "", end] = stderr.split("\n").slice(-2);
  expect(last).toMatch(/^monitoring: internal error in pulumi-monitoring-service; please report it \(/);
  expect(last).toContain(`(${name}, version ${version}, Node ${process.versions.node}).`);
  expect(end).toBe("");
  expect(stderr).not.toContain("    at ");
});

test("an unsupported version of Node: exit code 2, one line", async () => {
  const preload = join(temporaryFolder(), "old.js");
  const versions = '{ value: { ...process.versions, node: "18.20.8" } }';
  writeFileSync(preload, `Object.defineProperty(process, "versions", ${versions});`);
  const { NODE_OPTIONS } = process.env;
  process.env["NODE_OPTIONS"] = `--require ${JSON.stringify(preload)}`;
  const running = monitoring("--help");
  process.env["NODE_OPTIONS"] = NODE_OPTIONS ?? "";
  const required = "pulumi-monitoring-service needs Node 20 or newer; this is Node 18.20.8.";
  const stderr = `${required} Get one: https://nodejs.org\n`;
  expect(await running.ended).toEqual({ code: 2, stdout: "", stderr });
});

describe("monitoring sandbox", () => {
  const turnOn = async (url: string, ...faults: FaultInput[]) => {
    expect((await ask({ url, apiKey }, "/_sandbox/faults", { json: faults })).status).toBe(201);
  };

  test("prints how to connect, with the options that are given", async () => {
    const data = join(temporaryFolder(), "sandbox.json");
    const running = await sandboxHere("--data", data, "--ids", "honoured");
    const { url, text } = running;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(text).toContain(`export MONITORING_BASE_URL=${url}\n`);
    expect(text).toContain(`export MONITORING_API_KEY=${apiKey}\n`);
    expect(text).toContain(`export MONITORING_ACCOUNT_ID=${wellKnown.accounts.quillmarket}\n`);
    expect(text).toContain(`${url}/\n`);
    expect(text).toContain(wellKnown.statusPageIncidents.checkoutLatency);
    expect(await (await fetch(`${url}/`)).text()).toContain("Quillmarket");
    expect(readFileSync(data, "utf8")).toContain(wellKnown.accounts.quillmarket);
    const options: unknown = await (await ask({ url, apiKey }, "/_sandbox/options")).json();
    expect(options).toMatchObject({ ids: "honoured" });
    await running.stop();
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const)("runs until %s", async (signal) => {
    const running = await sandboxHere();
    expect(await running.stop(signal)).toBe(0);
  });

  test("ends immediately and silently while requests are pending", async () => {
    const running = monitoring("sandbox", "--port", "0");
    const url = addressIn(await running.printed(/ACCOUNT_ID=\S+\n/));
    await turnOn(url, { kind: "hang", times: 1 }, { kind: "latency", ms: 600_000, skip: 1 });
    const waiting = Array.from({ length: 20 }, () => ask({ url, apiKey }, "/v1/status-pages"));
    for (let delayed = 0; delayed < 19;)
      delayed = (await (await fetch(`${url}/_sandbox/requests`)).text()).split('"latency"').length - 1;

    running.process.kill("SIGTERM");
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(await running.ended).toMatchObject(killed);
  });

  test("an error is one line, exit code 1", async () => {
    const printed = jest.spyOn(console, "error").mockReturnValue();
    const { port } = new URL((await sandboxWith()).url);
    expect(await commands.sandbox.run(["--port", port])).toBe(1);
    const inUse = `Port ${port} is in use, perhaps by another sandbox: stop that one or choose another port (--port).`;
    expect(printed.mock.calls).toEqual([[inUse]]);
    printed.mockRestore();
  });
});
