/**
 * Tests the provider's process: its notices, and how it detects that the engine has exited, both through its stdin, which is a pipe from
 * the engine, and before each post. Also tests the Node version of a program, and values as the engine passes and stores them.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { unknownValue } from "@pulumi/pulumi/runtime/rpc";
import {
  assertEngineAlive,
  isUnknown,
  printNotice,
  toPlainObject,
  warnOfSecretsInLogs,
} from "../../provider/engine";
import { root } from "../../tools/setup";
import { run } from "../../tools/setup/run";
import { listen, nobodyListens } from "../client/services";
import { noticesDuring } from "../lifecycles/phases";
import { anyText, fc, runs } from "../propertySeed";

it.each<[string, string | string[], string]>([
  ["one line without control characters", " Update \u001b[2J\r\n\tadopted.\0 ", "Update [2J adopted."],
  ["the lines of a preview together", ["Posts", "  MONITORING:", "  | a  "], "Posts\n  MONITORING:\n  | a"],
])("a notice prints %s", async (_, text, expected) => {
  expect(await noticesDuring(() => printNotice(text))).toEqual([expected]);
});

// test/driver/wire.test.ts tests that the engine passes these options.
it.each<[string, string[], NodeJS.ProcessEnv]>([
  ["--tracing or --otel-traces", ["--tracing", "tcp://127.0.0.1:2"], {}],
  ["PULUMI_DEBUG_GRPC", [], { PULUMI_DEBUG_GRPC: "messages.json" }],
  ["-v=9", ["--logtostderr", "-v=9"], {}],
  ["PULUMI_DEBUG_GRPC, -v=9", ["-v=11"], { PULUMI_DEBUG_GRPC: "messages.json" }],
  ["", [], { PULUMI_DEBUG_GRPC: "" }],
  ["", ["--logtostderr", "-v=8"], {}],
])("a notice names the records of a run that contain secrets: %j", (names, args, env) => {
  const notices: string[] = [];
  warnOfSecretsInLogs((text) => notices.push(text), [...args, "127.0.0.1:1"], env);
  const warning: unknown = expect.stringContaining(
    `Pulumi is recording this run (${names}). The recording contains secret text`,
  );
  expect(notices).toEqual(names === "" ? [] : [warning]);
});

const provider = join(root, "dist", "provider", "dynamic", "index.js");
const idle = `require(${JSON.stringify(provider)}); console.log("loaded"); setInterval(() => {}, 1_000_000)`;

async function start(...args: string[]): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(process.execPath, ["-e", idle, "--", ...args], { cwd: root });
  await once(child.stdout, "data");
  return child;
}

it("the provider's process exits when the engine exits", async () => {
  const child = await start("127.0.0.1:1");
  child.stdin.end();
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(0);
});

it("a process that no engine started continues", async () => {
  const child = await start();
  child.stdin.end();
  await new Promise((done) => child.stdin.once("close", done));
  expect(child.exitCode).toBeNull();
  child.kill();
});

it("a program on a Node version that is too old fails with only the message", async () => {
  const old = '{ value: { ...process.versions, node: "18.20.8" } }';
  const script = `Object.defineProperty(process, "versions", ${old});
    try { require("pulumi-monitoring-service"); } catch (error) { console.log(error); }`;
  const { stdout } = await run(process.execPath, ["--eval", script], { cwd: root });
  expect(stdout).toBe(
    "[Error: pulumi-monitoring-service needs Node 20 or newer; this is Node 18.20.8. Install a newer version from https://nodejs.org]\n",
  );
});

describe("before a post, the engine that started the process", () => {
  const { argv } = process;
  afterEach(() => {
    process.argv = argv;
  });
  const setArguments = (...args: string[]): void => {
    process.argv = [...argv.slice(0, 2), ...args];
  };

  it.each([
    ["", []],
    [", even with its logs and traces", ["--logtostderr", "-v=9", "--tracing", "tcp://127.0.0.1:1"]],
  ])("the engine that started the process must accept connections before a post%s", async (_, flags) => {
    const { port } = await listen(createServer());
    setArguments(...flags, `localhost:${port}`);
    await expect(assertEngineAlive()).resolves.toBeUndefined();
    setArguments(...flags, new URL(nobodyListens).host);
    await expect(assertEngineAlive()).rejects.toThrow(
      "The Pulumi engine that requested this update has exited. Nothing was posted.",
    );
  });
});

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withNullPrototype: true,
  values: [
    anyText(),
    fc.constantFrom("half \ud83d", "\udc00 half", "NUL \0"),
    fc.double(),
    fc.constantFrom(undefined, () => 1, Symbol("s"), NaN, Infinity, new Date(NaN)),
  ],
});

it("any value is converted to JSON with well-formed strings, and a second conversion changes nothing", () => {
  fc.assert(
    fc.property(anything, (value) => {
      const cleaned = toPlainObject({ value });
      expect(listBrokenValues(cleaned)).toEqual([]);
      expect(toPlainObject(cleaned)).toEqual(cleaned);
    }),
    { numRuns: runs(250) },
  );
});

/** Returns the values that the engine would reject or change. */
function listBrokenValues(value: unknown): unknown[] {
  if (typeof value === "string") return /\p{Cs}/u.test(value) ? [value] : [];
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return [];
  if (Array.isArray(value)) return value.flatMap(listBrokenValues);
  const isBare = typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
  return isBare ? Object.entries(value).flat().flatMap(listBrokenValues) : [value];
}

it("the fields that the engine would reject are omitted, and null is kept", () => {
  const kept = { kept: null, big: 12n, when: new Date(0), half: "a\ud83d", "\udc00": new Date(NaN) };
  expect(toPlainObject({ ...kept, gone: undefined, method: () => 1 })).toEqual({
    kept: null,
    big: "12",
    when: "1970-01-01T00:00:00.000Z",
    half: "a\ufffd",
    "\ufffd": null,
  });
});

/** The engine's placeholders for unknown values: a string, a boolean, a number, a list, an asset, an archive and an object. */
const marks = [
  unknownValue,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];

it.each(marks)("the placeholder %s is found at any depth", (mark) => {
  for (const value of [mark, [mark], { a: mark }, { a: [null, { b: [1, mark] }] }])
    expect(isUnknown(value)).toBe(true);
});
