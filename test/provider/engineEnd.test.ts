/** The exit of the engine, which a provider process detects by its stdin, a pipe from the engine, and before each post. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { assertEngineAlive } from "../../provider/engine/process";
import { prepareBuild } from "../../tools/setup";
import { listen, nobodyListens } from "../client/services";

const provider = resolve(__dirname, "../../dist/provider/dynamic/index.js");
const idle = `require(${JSON.stringify(provider)}); console.log("loaded"); setInterval(() => {}, 1_000_000)`;

beforeAll(prepareBuild);

async function start(...args: string[]): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(process.execPath, ["-e", idle, "--", ...args], { cwd: join(__dirname, "../..") });
  await once(child.stdout, "data");
  return child;
}

it("exits the process when the engine exits", async () => {
  const child = await start("127.0.0.1:1");
  child.stdin.end();
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(0);
});

it("keeps a process that no engine started", async () => {
  const child = await start();
  child.stdin.end();
  await new Promise((done) => child.stdin.once("close", done));
  expect(child.exitCode).toBeNull();
  child.kill();
});

describe("before a post, the engine that started the process", () => {
  const { argv } = process;
  afterEach(() => {
    process.argv = argv;
  });
  const startedBy = (...args: string[]): void => {
    process.argv = [...argv.slice(0, 2), ...args];
  };

  it.each([
    ["", []],
    [", also with its logs and traces", ["--logtostderr", "-v=9", "--tracing", "tcp://127.0.0.1:1"]],
  ])("must take connections%s", async (_, flags) => {
    const { port } = await listen(createServer());
    startedBy(...flags, `localhost:${port}`);
    await expect(assertEngineAlive()).resolves.toBeUndefined();
    startedBy(...flags, new URL(nobodyListens).host);
    await expect(assertEngineAlive()).rejects.toThrow(
      "The Pulumi engine that requested this update has exited, so nothing was posted.",
    );
  });

  it("is not asked when there is none", async () => {
    startedBy("--runInBand");
    await expect(assertEngineAlive()).resolves.toBeUndefined();
  });
});
