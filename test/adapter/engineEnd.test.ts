/** The exit of the engine, which a provider process detects by its stdin: a pipe from the engine. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { prepareBuild } from "../../scripts/setup";

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
