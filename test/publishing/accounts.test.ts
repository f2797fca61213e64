/**
 * A lock directory, and runs of two users. Only root can become another user. Without root, both users are the one who runs
 * the tests: the modes of the files are checked, and not what a second user can do with them.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { prepareBuild } from "../../tools/setup";
import { temporaryFolder } from "../temporaryFolder";

const isRoot = process.getuid?.() === 0;
const group = isRoot ? 30_000 : process.getgid?.();
const [one, two] = [20_001, 20_002];
const lock = resolve(__dirname, "../../dist/provider/publishing/lock");

beforeAll(prepareBuild);

interface Seen {
  readonly notices: readonly string[];
  /** The posts of earlier runs. */
  readonly nonces?: readonly string[];
  readonly error?: string;
}

/** A process of a user. Everything is loaded before it gives up its rights. */
function as(user: number, folder: string, statement: string): Seen {
  const code = `
    const { LockDirectory } = require(${JSON.stringify(lock)});
    const notices = [];
    const notice = (text) => notices.push(text);
    const directory = new LockDirectory(${JSON.stringify(folder)});
    const print = (seen) => console.log(JSON.stringify({ notices, ...seen }));
    const noncesIn = (notes) => notes.posts(["key"]).map(({ nonce }) => nonce);
    const user = ${user};
    if (${isRoot}) {
      process.setgroups([${group}]);
      process.setgid(user);
      process.setuid(user);
    }
    process.umask(0o077);
    (async () => { ${statement} })().catch(({ message }) => print({ error: message }));`;
  return JSON.parse(execFileSync(process.execPath, ["-e", code], { encoding: "utf8" })) as Seen;
}

const up = `await directory.withLock("place", { notice }, async (notes) => {
  const nonces = noncesIn(notes);
  notes.sending(String(user), { key: "key", occurrence: 1 });
  print({ nonces });
});`;
const preview = `print({ nonces: noncesIn(directory.read("place", notice)) });`;

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

const noteIn = (folder: string): string => {
  const [name = ""] = readdirSync(folder).filter((each) => each.endsWith(".json"));
  return join(folder, name);
};

describe("a lock directory of a group", () => {
  it("is shared by its users, whatever their umask", () => {
    const folder = groupFolder(0o2770);
    expect(as(one, folder, up)).toEqual({ notices: [], nonces: [] });
    expect(statSync(noteIn(folder)).mode & 0o777).toBe(0o660);
    expect(as(two, folder, up)).toEqual({ notices: [], nonces: [String(one)] });
    expect(statSync(noteIn(folder)).mode & 0o777).toBe(0o660);
    expect(as(one, folder, preview)).toEqual({ notices: [], nonces: [String(one), String(two)] });
  });

  it("gives the lock of a user who was killed to another one", () => {
    const folder = groupFolder(0o2770);
    as(one, folder, up);
    as(one, folder, `require("node:fs").mkdirSync(${JSON.stringify(`${noteIn(folder)}.lock`)}); print({});`);
    utimesSync(`${noteIn(folder)}.lock`, 1, 1);
    expect(as(two, folder, up)).toEqual({ notices: [], nonces: [String(one)] });
  });

  it("with the sticky bit, which keeps the lock of a user who was killed, refuses the post of another", () => {
    const folder = groupFolder(0o3770);
    as(one, folder, up);
    const lock = `${noteIn(folder)}.lock`;
    as(one, folder, `require("node:fs").mkdirSync(${JSON.stringify(lock)}); print({});`);
    utimesSync(lock, 1, 1);
    const { error, nonces } = as(two, folder, up);
    if (isRoot)
      expect(error).toContain(
        `The lock ${lock} can't be taken (EPERM), so nothing was posted. The file belongs to user ${one}`,
      );
    else expect(nonces).toEqual([String(one)]);
  });

  it.each([
    ["the group may not write to", 0o750],
    ["only its user may use", 0o700],
  ])("that %s has files of the user alone", (_, mode) => {
    const folder = groupFolder(mode);
    as(one, folder, up);
    expect(statSync(noteIn(folder)).mode & 0o777).toBe(0o600);
  });

  it("with a file that only another user may read refuses the post, and says whose it is", () => {
    const folder = groupFolder(0o2770);
    as(one, folder, up);
    chmodSync(noteIn(folder), isRoot ? 0o600 : 0);
    const whose = isRoot
      ? `The file belongs to user ${one}, and this run is by user ${two}. Let the users share a lock directory of their group, ` +
        "with mode 2770, or run all by one user."
      : "Run `pulumi up` again; if this persists, find what holds the file.";
    const error = `The notes about posts in ${noteIn(folder)} can't be read or replaced (EACCES), so nothing was posted. ${whose}`;
    for (const run of [up, preview]) expect(as(two, folder, run)).toEqual({ notices: [], error });
  });
});

it("a preview works without notes in a directory that its user may not enter, as `up` does", () => {
  const folder = groupFolder(0o700);
  as(one, folder, up);
  const note = noteIn(folder);
  if (isRoot) chownSync(folder, 0, 0);
  else chmodSync(folder, 0);
  const seen = {
    notices: [expect.stringContaining(`The lock directory ${folder} can't be used (EACCES).`)],
    nonces: [],
  };
  try {
    expect(as(two, folder, preview)).toEqual(seen);
    const { nonces, notices } = as(two, folder, up);
    expect({ nonces, notices }).toEqual(seen);
  } finally {
    chmodSync(folder, 0o700);
  }
  expect(noteIn(folder)).toBe(note);
});

it("a directory that doesn't give its group to new files keeps them to their user", () => {
  const folder = groupFolder(0o770);
  if (isRoot) chownSync(folder, one, 40_000);
  as(one, folder, up);
  expect(statSync(noteIn(folder)).mode & 0o777).toBe(isRoot ? 0o600 : 0o660);
});
