/**
 * A lock directory, and runs of two users. Only root can become another user. Without root, both users are the one who runs
 * the tests: the modes of the files are checked, and not what a second user can do with them.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../temporaryFolder";

const isRoot = process.getuid?.() === 0;
const group = isRoot ? 30_000 : process.getgid?.();
const [one, two] = [20_001, 20_002];
const lock = resolve(__dirname, "../../dist/provider/publishing/lockDirectory");

interface Seen {
  readonly notices: readonly string[];
  /** The posts of earlier runs. */
  readonly nonces?: readonly string[];
  readonly error?: string;
}

/** The process of a user. Everything is loaded before it gives up its rights. */
const codeOf = (user: number): string => `
  const { LockDirectory } = require(${JSON.stringify(lock)});
  const place = { service: { host: "127.0.0.1", path: "" }, incidentId: "inc-1" };
  const noncesIn = (notes) => notes.posts(["key"]).map(({ nonce }) => nonce);
  const runs = {
    up: (directory, notice) =>
      directory.withLock(place, { notice }, async (notes) => {
        const nonces = noncesIn(notes);
        await notes.sending("${user}", { key: "key", occurrence: 1 });
        return nonces;
      }),
    preview: async (directory, notice) => noncesIn(await directory.read(place, notice)),
  };
  if (${isRoot}) {
    process.setgroups([${group}]);
    process.setgid(${group});
    process.setuid(${user});
  }
  process.umask(0o077);
  process.on("message", ({ folder, run }) => {
    const notices = [];
    const print = (seen) => process.send({ notices, ...seen });
    const work = async () => runs[run](new LockDirectory(folder), (text) => notices.push(text));
    work().then((nonces) => print({ nonces }), ({ message }) => print({ error: message }));
  });`;
const processes = new Map<number, ChildProcess>();

beforeAll(() => {
  for (const user of [one, two]) {
    const child = spawn(process.execPath, ["-e", codeOf(user)], { stdio: ["ignore", 2, 2, "ipc"] });
    processes.set(user, child);
  }
});
afterAll(() => processes.forEach((child) => child.kill()));

/** What a run of a user sees. */
async function as(user: number, folder: string, run: "up" | "preview"): Promise<Seen> {
  const child = processes.get(user);
  if (!child) throw new Error(`There is no user ${user}.`);
  child.send({ folder, run });
  const [seen] = (await once(child, "message")) as [Seen];
  return seen;
}

/** A lock directory of the group. */
function groupFolder(mode: number): string {
  const parent = temporaryFolder();
  const folder = join(parent, "locks");
  chmodSync(parent, 0o755);
  mkdirSync(folder);
  if (isRoot && group !== undefined) chownSync(folder, one, group);
  chmodSync(folder, mode);
  return folder;
}

/** A user was killed who had the lock. */
function leaveLock(folder: string): string {
  const left = `${noteIn(folder)}.lock`;
  mkdirSync(left);
  if (isRoot) chownSync(left, one, -1);
  utimesSync(left, 1, 1);
  return left;
}

const noteIn = (folder: string): string => {
  const [name = ""] = readdirSync(folder).filter((each) => each.endsWith(".json"));
  return join(folder, name);
};

describe("a lock directory of a group", () => {
  it("is shared by its users, whatever their umask", async () => {
    const folder = groupFolder(0o2770);
    expect(await as(one, folder, "up")).toEqual({ notices: [], nonces: [] });
    expect(statSync(noteIn(folder)).mode & 0o777).toBe(0o660);
    expect(await as(two, folder, "up")).toEqual({ notices: [], nonces: [String(one)] });
    expect(statSync(noteIn(folder)).mode & 0o777).toBe(0o660);
    expect(await as(one, folder, "preview")).toEqual({ notices: [], nonces: [String(one), String(two)] });
  });

  it("gives the lock of a user who was killed to another one", async () => {
    const folder = groupFolder(0o2770);
    await as(one, folder, "up");
    leaveLock(folder);
    expect(await as(two, folder, "up")).toEqual({ notices: [], nonces: [String(one)] });
  });

  it("with the sticky bit, which keeps the lock of a user who was killed, refuses the post of another", async () => {
    const folder = groupFolder(0o3770);
    await as(one, folder, "up");
    const left = leaveLock(folder);
    const { error, nonces } = await as(two, folder, "up");
    if (isRoot)
      expect(error).toContain(
        `The lock ${left} can't be taken (EPERM), so nothing was posted. The file belongs to user ${one}`,
      );
    else expect(nonces).toEqual([String(one)]);
  });

  it.each([
    ["the group may not write to", 0o750],
    ["only its user may use", 0o700],
  ])("that %s has files of the user alone", async (_, mode) => {
    const folder = groupFolder(mode);
    await as(one, folder, "up");
    expect(statSync(noteIn(folder)).mode & 0o777).toBe(0o600);
  });

  it("with a file that only another user may read refuses the post, and says whose it is", async () => {
    const folder = groupFolder(0o2770);
    await as(one, folder, "up");
    chmodSync(noteIn(folder), isRoot ? 0o600 : 0);
    const whose = isRoot
      ? `The file belongs to user ${one}, and this run is by user ${two}. Let the users share a lock directory of their group, ` +
        "with mode 2770, or run all by one user."
      : "Run `pulumi up` again; if this persists, find what holds the file.";
    const error = `The notes about posts in ${noteIn(folder)} can't be read or replaced (EACCES), so nothing was posted. ${whose}`;
    for (const run of ["up", "preview"] as const)
      expect(await as(two, folder, run)).toEqual({ notices: [], error });
  });
});

it("a preview works without notes in a directory that its user may not enter, as `up` does", async () => {
  const folder = groupFolder(0o700);
  await as(one, folder, "up");
  const note = noteIn(folder);
  if (isRoot) chownSync(folder, 0, 0);
  else chmodSync(folder, 0);
  const seen = {
    notices: [expect.stringContaining(`The lock directory ${folder} can't be used (EACCES).`)],
    nonces: [],
  };
  try {
    expect(await as(two, folder, "preview")).toEqual(seen);
    const { nonces, notices } = await as(two, folder, "up");
    expect({ nonces, notices }).toEqual(seen);
  } finally {
    chmodSync(folder, 0o700);
  }
  expect(noteIn(folder)).toBe(note);
});

it("a directory that doesn't give its group to new files keeps them to their user", async () => {
  const folder = groupFolder(0o770);
  if (isRoot) chownSync(folder, one, 40_000);
  await as(one, folder, "up");
  expect(statSync(noteIn(folder)).mode & 0o777).toBe(isRoot ? 0o600 : 0o660);
});
