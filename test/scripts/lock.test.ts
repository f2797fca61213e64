import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { withLock } from "../../scripts/setup/lock";
import { temporaryFolder } from "./fakePrograms";

const quick = { pollMs: 5 };
let folder: string;
let file: string;
let said: jest.SpyInstance;

beforeEach(() => {
  said = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  folder = temporaryFolder();
  file = path.join(folder, "versions", "lock");
});

afterEach(() => {
  jest.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

it("lets one at a time through, and tells the others that they wait", async () => {
  const story: string[] = [];
  const first = withLock(file, async () => {
    story.push("first begins");
    await new Promise((resolve) => setImmediate(resolve));
    story.push("first ends");
  });
  await Promise.all([first, withLock(file, () => Promise.resolve(story.push("second")), quick)]);

  expect(story).toEqual(["first begins", "first ends", "second"]);
  expect(said).toHaveBeenCalledTimes(1);
  expect(said).toHaveBeenCalledWith("Another set-up is at work; waiting for it.\n");
});

it("is free again after a failure", async () => {
  await expect(withLock(file, () => Promise.reject(new Error("disk full")))).rejects.toThrow("disk full");
  await expect(withLock(file, () => Promise.resolve("done"))).resolves.toBe("done");
  expect(fs.readdirSync(path.dirname(file))).toEqual([]);
});

it("is taken over from a process that is dead", async () => {
  const dead = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(dead, "close");
  held(`${String(dead.pid)} ${os.hostname()}`);

  await expect(withLock(file, () => Promise.resolve("done"), quick)).resolves.toBe("done");
});

it("is taken over when nobody has touched it for long, whoever the holder was", async () => {
  held(`${process.pid} another-machine`);
  fs.utimesSync(file, new Date(0), new Date(0));

  await expect(withLock(file, () => Promise.resolve("done"), quick)).resolves.toBe("done");
});

it("is not taken over from a process that lives", async () => {
  held(`${process.pid} ${os.hostname()}`);
  let through = false;
  const waiting = withLock(file, () => Promise.resolve((through = true)), quick);
  while (said.mock.calls.length === 0) await new Promise(setImmediate);
  expect(through).toBe(false);

  fs.rmSync(file);
  await waiting;
  expect(through).toBe(true);
});

function held(by: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, by);
}
