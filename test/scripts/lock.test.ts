import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { withLock } from "../../scripts/setup/lock";
import { temporaryFolder } from "./fakePrograms";

const quick = { pollMs: 5 };
let folder: string;
let file: string;
let printed: jest.SpyInstance;

beforeEach(() => {
  printed = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  folder = temporaryFolder();
  file = path.join(folder, "versions", "lock");
});

afterEach(() => {
  jest.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

it("runs one action at a time, and says that the others wait", async () => {
  const events: string[] = [];
  const first = withLock(file, async () => {
    events.push("first begins");
    await new Promise((resolve) => setImmediate(resolve));
    events.push("first ends");
  });
  await Promise.all([first, withLock(file, () => Promise.resolve(events.push("second")), quick)]);

  expect(events).toEqual(["first begins", "first ends", "second"]);
  expect(printed).toHaveBeenCalledTimes(1);
  expect(printed).toHaveBeenCalledWith("Waiting for another set-up to finish.\n");
});

it("is free again after a failure", async () => {
  await expect(withLock(file, () => Promise.reject(new Error("disk full")))).rejects.toThrow("disk full");
  await expect(withLock(file, () => Promise.resolve("done"))).resolves.toBe("done");
  expect(fs.readdirSync(path.dirname(file))).toEqual([]);
});

it("is taken over when its owner no longer touches it", async () => {
  held();
  fs.utimesSync(file, new Date(0), new Date(0));

  await expect(withLock(file, () => Promise.resolve("done"), quick)).resolves.toBe("done");
});

it("is not taken over from an owner that touches it", async () => {
  held();
  let through = false;
  const waiting = withLock(file, () => Promise.resolve((through = true)), quick);
  while (printed.mock.calls.length === 0) await new Promise(setImmediate);
  expect(through).toBe(false);

  fs.rmSync(file);
  await waiting;
  expect(through).toBe(true);
});

it("is touched by its owner", async () => {
  await withLock(
    file,
    async () => {
      fs.utimesSync(file, new Date(0), new Date(0));
      while (fs.statSync(file).mtimeMs === 0) await new Promise(setImmediate);
    },
    { staleMs: 100 },
  );
});

it("is free again after an interrupt", async () => {
  const script = `require("./scripts/setup/lock").withLock(process.argv[1], () => new Promise(() => console.log("held")))`;
  const owner = spawn(process.execPath, ["-e", script, file], { cwd: path.resolve(__dirname, "../..") });
  await once(owner.stdout, "data");
  expect(fs.existsSync(file)).toBe(true);
  owner.kill("SIGINT");
  await once(owner, "close");

  expect(fs.existsSync(file)).toBe(process.platform === "win32");
});

function held(): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, "another process");
}
