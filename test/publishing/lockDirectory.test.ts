/**
 * Tests the lock directory, which lets only one process on a machine publish to an incident at a time, and publishing without it. Errors
 * of files that another process holds are injected, because they only occur on Windows.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import { basename, dirname, join } from "node:path";
import { Connections } from "../../provider/connection";
import { deleteNotes, LockDirectory } from "../../provider/publishing/lockDirectory";
import { countOpenFiles, NoteFolder, place } from "./noteFolder";
import { anotherRun, posts, publishUpdate, start } from "./setting";

const folder = new NoteFolder();
/** Only root can change the owner of a file. */
const isRoot = process.getuid?.() === 0;

describe("the lock directory", () => {
  it("the lock directory, its parent and its notes are private", async () => {
    const path = join(folder.path, "home", "locks");
    await folder.post(new LockDirectory(path));
    for (const created of [path, dirname(path)]) expect(fs.statSync(created).mode & 0o777).toBe(0o700);
    const [file = "", ...others] = fs.readdirSync(path);
    expect([file, others]).toEqual([expect.stringMatching(/^monitoring-[0-9a-f]{32}\.json$/), []]);
    expect(fs.statSync(join(path, file)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["allows group writes contains notes that the group can write", 0o2770, 0o660],
    ["doesn't allow group writes contains notes that only the user can access", 0o2750, 0o600],
    ["doesn't pass on its group contains notes that only the user can access", 0o770, isRoot ? 0o600 : 0o660],
  ])("the lock directory that %s", async (_, mode, ofNote) => {
    if (isRoot && mode === 0o770) fs.chownSync(folder.path, -1, 40_000);
    fs.chmodSync(folder.path, mode);
    await folder.post();
    expect(fs.statSync(folder.file).mode & 0o777).toBe(ofNote);
  });

  it("a lock directory that can't be created doesn't stop a run", async () => {
    // In /proc, creating a folder fails as if its parent didn't exist.
    await folder.post(new LockDirectory("/proc/none/locks"));
    const notice = expect.stringMatching(/^The lock directory \/proc\/none\/locks can't be used \(E[A-Z]+\)/);
    expect([folder.posts, folder.notices]).toEqual([1, [notice]]);
  });

  const everybodyWrites = () => fs.chmodSync(folder.path, 0o777);
  const isFile = () => {
    fs.rmdirSync(folder.path);
    fs.writeFileSync(folder.path, "");
  };
  const hasFileAsLock = () => {
    fs.writeFileSync(`${folder.file}.lock`, "");
    fs.utimesSync(`${folder.file}.lock`, 0, 0);
  };
  it.each<[string, spoil: () => void, reason: RegExp, inPreview: number]>([
    ["every user can write to", everybodyWrites, /every user can write to it/, 1],
    ["is a file", isFile, /E[A-Z]+/, 1],
    ["contains a file instead of a lock", hasFileAsLock, /E[A-Z]+/, 0],
  ])(
    "a lock directory that %s causes a notice, and publishing continues",
    async (_, spoil, reason, inPreview) => {
      spoil();
      // The content of such a directory is ignored.
      if (inPreview === 1 && fs.statSync(folder.path).isDirectory()) fs.writeFileSync(folder.file, "{");
      const notice = expect.stringMatching(
        RegExp(
          `^The lock directory ${folder.path} can't be used \\(${reason.source}\\)\\. Publishing continues without locks, so two ` +
            "processes that declare an identical update at the same time may both post it\\. " +
            "Set .* to a directory that only you or one group can write to\\.$",
        ),
      ) as unknown;
      const run = new LockDirectory(folder.path);
      for (let time = 0; time < 2; time++) await folder.post(run);
      expect([folder.posts, folder.notices]).toEqual([2, [notice]]);
      folder.notices.length = 0;
      const preview = new LockDirectory(folder.path);
      for (let time = 0; time < 2; time++)
        expect((await preview.read(place, folder.notice)).listPosts(["words"])).toEqual([]);
      expect(folder.notices).toEqual(Array(inPreview).fill(notice));
    },
  );

  it("a missing lock directory gives a preview no notes, and isn't created", async () => {
    const path = join(folder.path, "locks");
    expect((await new LockDirectory(path).read(place, folder.notice)).listPosts(["words"])).toEqual([]);
    expect([folder.notices, fs.existsSync(path)]).toEqual([[], false]);
  });

  it("the lock directory drops its own files after a day, and no other files", async () => {
    const note = (digit: string, more = ""): string => `monitoring-${digit.repeat(32)}.json${more}`;
    const empty = JSON.stringify({ version: 1, holder: "h", sent: [] });
    const old = [note("a"), note("b", ".7c2a9e10-4b1d-4f7e-9d30-000000000001")];
    const [oldLock, invalid, fresh] = [note("1", ".lock"), note("c"), note("e")];
    const kept = ["customers.sqlite", `${"d".repeat(32)}.json`, `x${note("d")}`, note("d", ".bak")];
    const folders = ["folder", note("f")];
    const getPath = (name: string) => join(folder.path, name);
    for (const name of folders) fs.mkdirSync(getPath(`${name}/inside`), { recursive: true });
    for (const name of [...old, ...kept, fresh]) fs.writeFileSync(getPath(name), empty);
    fs.writeFileSync(getPath(invalid), "{}");
    fs.mkdirSync(getPath(oldLock));
    for (const name of fs.readdirSync(folder.path)) {
      const time = Date.now() / 1000 - (name === fresh ? 0.5 : 2) * 86_400;
      fs.utimesSync(getPath(name), time, time);
    }
    fs.symlinkSync(getPath("customers.sqlite"), getPath(note("0")));
    await folder.post();
    const left = [...kept, ...folders, invalid, fresh, note("0"), basename(folder.file)];
    expect(fs.readdirSync(folder.path).sort()).toEqual(left.sort());
    expect([fs.readFileSync(getPath("customers.sqlite"), "utf8"), folder.notices]).toEqual([empty, []]);
  });

  it.each<[string, (target: string) => void]>([
    ["a pipe", () => execFileSync("mkfifo", [folder.file])],
    ["a link", (target) => fs.symlinkSync(target, folder.file)],
  ])("the lock directory with %s instead of a note doesn't block, and is replaced", async (_, put) => {
    const target = join(folder.path, "elsewhere");
    fs.writeFileSync(target, "");
    put(target);
    await folder.post();
    expect(fs.lstatSync(folder.file).isFile()).toBe(true);
    expect([fs.readFileSync(target, "utf8"), folder.posts, folder.notices]).toEqual(["", 1, []]);
  });

  it("the lock directory isn't in a folder that another user can predict if the user is unknown", async () => {
    jest.spyOn(os, "homedir").mockImplementation(() => {
      throw new Error("uv_os_homedir returned ENOENT");
    });
    const { lockDirectory } = new Connections(() => undefined, {
      MONITORING_API_KEY: "key",
      MONITORING_BASE_URL: "http://127.0.0.1:1",
    }).connect();
    await folder.post(new LockDirectory(lockDirectory));
    expect(folder.notices).toEqual([expect.stringContaining("because this user has no home directory.")]);
    expect(folder.posts).toBe(1);
  });

  it("the lock directory forgets the posts to an incident, unless a process holds its lock", async () => {
    const isLeft = () => {
      deleteNotes([place], folder.path);
      return fs.existsSync(folder.file);
    };
    expect([await folder.locked(isLeft), isLeft()]).toEqual([true, false]);
  });
});

it("the current content of the notes is cached, and read again only if the notes have changed", async () => {
  const run = new LockDirectory(folder.path);
  const ids = () =>
    run
      .peek(place)
      ?.listPosts(["words"])
      .map(({ id }) => id);
  expect(ids()).toBeUndefined();
  await folder.post();
  expect([ids(), run.peek(place) === run.peek(place)]).toEqual([["u1"], true]);
  // The file's size is unchanged.
  await folder.locked((notes) => notes.recordResult("n", { id: "u2" }));
  expect(ids()).toEqual(["u2"]);
});

it.each([
  ["one machine post an identical update once: the second adopts it", "", 1],
  ["two machines don't lock each other out", "other", 2],
])("two processes of %s", async (_, other, count) => {
  const setting = await start([], 60_000);
  const { answerPost, connection } = setting;
  setting.answerPost = (response) => setTimeout(() => answerPost(response), 300);
  const [one, two] = ["", other].map((name) =>
    anotherRun({ ...setting, connection: { ...connection, lockDirectory: join(folder.path, name) } }),
  );
  if (!one || !two) throw new Error("There are two processes.");
  const ended = await Promise.all([publishUpdate(one), publishUpdate(two)]);
  expect(ended).toMatchObject([{ kind: "done" }, { kind: "done" }]);
  expect(posts(setting)).toHaveLength(count);
});

it.each([
  ["different incidents", { containerId: "inc-2" }],
  ["different locations of an incident", { statusPageId: "page" }],
  ["incidents of different services", { service: { ...place.service, host: "127.0.0.2" } }],
])("two processes don't wait for each other on %s", async (_, elsewhere) => {
  const other = { ...place, ...elsewhere };
  const began = Date.now();
  const isFree = await folder.locked(() =>
    new LockDirectory(folder.path).withLock(other, folder, () => Promise.resolve(true)),
  );
  expect([isFree, Date.now() - began]).toEqual([true, 0]);
});

/** Creates the lock of another process. @param agoMs The time since its last renewal. */
function leaveLock(agoMs = 0): string {
  const lock = `${folder.file}.lock`;
  fs.mkdirSync(lock);
  const time = (Date.now() - agoMs) / 1000;
  fs.utimesSync(lock, time, time);
  return lock;
}

it("a process that is killed leaves a lock that expires after ten seconds", async () => {
  leaveLock();
  const began = Date.now();
  await folder.post();
  expect(Date.now() - began).toBeGreaterThan(9_000);
  expect(Date.now() - began).toBeLessThan(15_000);
});

/** Sets the clock forward. */
function later(ms: number): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, "now").mockImplementation(() => now() + ms);
}

it("a lock that another process holds for longer than any update takes fails the run without a post", async () => {
  // The other process's clock is ahead.
  const lock = leaveLock(-600_000);
  setTimeout(() => {
    later(190_000);
    fs.utimesSync(lock, Date.now() / 1000 + 600, Date.now() / 1000 + 600);
  }, 1_000);
  await expect(folder.post()).rejects.toThrow(
    "Another process has held the lock of this incident for more than 190 s. Nothing was posted. Run `pulumi up` again.",
  );
  expect(folder.posts).toBe(0);
});

it("a lock that was renewed in the past is awaited, however long the wait seems", async () => {
  const lock = leaveLock();
  setTimeout(() => {
    later(11_000);
    setTimeout(() => fs.rmSync(lock, { recursive: true }), 500);
  }, 500);
  await folder.post();
  expect(folder.posts).toBe(1);
});

it("the lock of a killed process whose clock was ahead causes an error after ten seconds, with its expiry", async () => {
  const [time, end] = ["2099-01-01T12:00:00.000Z", "2099-01-01T12:00:10.000Z"];
  const lock = leaveLock(Date.now() - Date.parse(time));
  setTimeout(() => later(11_000), 1_000);
  await expect(folder.post()).rejects.toThrow(
    `The lock ${lock} has a timestamp in the future (${time}) and isn't being renewed. A run on a machine with a fast clock was ` +
      "probably killed. Nothing was posted. If no run on any machine that shares the directory is posting to this incident, delete the " +
      `lock and run \`pulumi up\` again. Otherwise, the lock expires at ${end}.`,
  );
  fs.rmSync(lock, { recursive: true });
  await folder.post();
  expect(folder.posts).toBe(1);
});

const ofProperLockfile: { mkdir: (path: string, done: fs.NoParamCallback) => void } = createRequire(
  require.resolve("proper-lockfile"),
)("graceful-fs");

const isNote = (file: unknown): boolean => String(file) === folder.file;
const failed = (code: string): Error => Object.assign(new Error(`${code}: injected`), { code });

/** Makes either the opening of a note for writing fail, or any use of it. @param fails Receives the number of earlier attempts. */
function holdNotes(code: string, fails: (tried: number) => boolean, isRead = false): void {
  const { openSync, renameSync } = fs;
  let tried = 0;
  const hold = (file: fs.PathLike) => {
    if (isNote(file) && fails(tried++)) throw failed(code);
  };
  jest.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    hold(to);
    renameSync(from, to);
  });
  jest.spyOn(fs, "openSync").mockImplementation((file, flags, mode) => {
    if (isRead || (Number(flags) & fs.constants.O_RDWR) !== 0) hold(file);
    return openSync(file, flags, mode);
  });
}

const listNotedIds = async () => (await folder.read()).listPosts(["words"]).map(({ id }) => id);

it("an old note of another incident that is locked is left to a later run", async () => {
  const old = join(folder.path, `monitoring-${"a".repeat(32)}.json`);
  const { rmSync } = fs;
  fs.writeFileSync(old, JSON.stringify({ version: 1, holder: "h", sent: [] }));
  fs.utimesSync(old, 0, 0);
  jest.spyOn(fs, "rmSync").mockImplementation((file, options) => {
    if (file === old) throw failed("EBUSY");
    rmSync(file, options);
  });
  await folder.post();
  jest.restoreAllMocks();
  expect([folder.posts, folder.notices, fs.existsSync(old)]).toEqual([1, [], true]);
  await folder.post();
  expect(fs.existsSync(old)).toBe(false);
});

describe("a note", () => {
  it.each(["EPERM", "EACCES", "EBUSY"])(
    "a note that is locked for a moment (%s) is written without a notice",
    async (code) => {
      holdNotes(code, (tried) => tried % 3 < 2);
      await folder.post();
      expect([folder.posts, folder.notices, await listNotedIds()]).toEqual([1, [], ["u1"]]);
      expect(fs.readdirSync(folder.path)).toEqual([basename(folder.file)]);
    },
  );

  /** The file is synced before the folder that contains its name. */
  const failSync = (synced: number) => () => {
    const syncing = jest.spyOn(fs, "fsync");
    for (let time = 0; time < synced; time++) syncing.mockImplementationOnce((_, done) => done(null));
    syncing.mockImplementationOnce((_, done) => done(failed("EIO")));
  };
  const holdLong = () => holdNotes("EPERM", () => true);
  const holdReads = () => holdNotes("EPERM", () => true, true);
  it.each<[string, posted: number, fails: () => void, code: string, left: number]>([
    ["is locked for a long time, from the start", 1, holdLong, "EPERM", 1],
    ["is locked for a long time, before it exists", 0, holdLong, "EPERM", 0],
    ["is locked for a long time, when it is read, because it may record a post", 1, holdReads, "EPERM", 1],
    ["can't be written to the disk", 0, failSync(0), "EIO", 0],
    ["may be missing after a crash", 0, failSync(1), "EIO", 1],
  ])(
    "a note that %s fails the run, which posts nothing and leaves no draft",
    async (_, posted, fails, code, left) => {
      if (posted > 0) await folder.post();
      fails();
      const before = countOpenFiles();
      await expect(folder.post()).rejects.toThrow(
        `The records in ${folder.file} can't be read or replaced (${code}). Nothing was posted.`,
      );
      expect(countOpenFiles()).toBe(before);
      const files = [basename(folder.file)].slice(0, left);
      expect([folder.posts, fs.readdirSync(folder.path)]).toEqual([posted, files]);
      const told = listNotedIds();
      if (fails === holdReads) await expect(told).rejects.toThrow("can't be read or replaced (EPERM)");
      else expect(await told).toEqual(["u1"].slice(0, posted));
    },
  );

  it("a note that can't be read for a reason other than a lock is read only once", async () => {
    await folder.post();
    const tries: number[] = [];
    holdNotes("EIO", (tried) => tries.push(tried) > 0, true);
    await expect(folder.read()).rejects.toThrow("can't be read or replaced (EIO)");
    expect(tries).toEqual([0]);
  });

  it("a note of another user causes an error with its owner and a way to share it", async () => {
    await folder.post();
    if (isRoot) fs.chownSync(folder.file, 20_001, -1);
    holdNotes("EACCES", () => true);
    const whose = isRoot
      ? "The file belongs to user 20001, but this run belongs to user 0. Use a lock directory that belongs to a group of these users, with mode 2770"
      : "Run `pulumi up` again. If the error persists, find the process that holds the file.";
    await expect(folder.post()).rejects.toThrow(`(EACCES). Nothing was posted. ${whose}`);
  });

  it("a note that can't be replaced after the post is reported, and still prevents duplicates", async () => {
    const { writeSync } = fs;
    let tried = 0;
    jest.spyOn(fs, "writeSync").mockImplementation((...all: unknown[]) => {
      if (tried++ > 0) throw failed("ENOSPC");
      return Number(Reflect.apply(writeSync, fs, all));
    });
    await folder.post();
    expect(folder.posts).toBe(1);
    expect(folder.notices).toEqual([
      `The records in ${folder.file} can't be updated (ENOSPC), so they don't contain the result of a post. Other runs wait 2 minutes ` +
        "for its update. After that, an identical update of another resource or stack may be posted. Check the file's permissions and the disk before the next run.",
    ]);
    expect(await listNotedIds()).toEqual([undefined]);
  });

  it("a note that can't be closed after the post is reported, and the post is recorded", async () => {
    const { writeSync, closeSync } = fs;
    let written: unknown;
    jest.spyOn(fs, "writeSync").mockImplementation((...all: unknown[]) => {
      [written] = all;
      return Number(Reflect.apply(writeSync, fs, all));
    });
    jest.spyOn(fs, "closeSync").mockImplementation((descriptor) => {
      closeSync(descriptor);
      if (descriptor === written) throw failed("EDQUOT");
    });
    await folder.post();
    expect(folder.notices).toEqual([
      expect.stringContaining("can't be updated (EDQUOT), so they don't contain"),
    ]);
  });

  it("a note that the disk accepts in parts is complete", async () => {
    const { writeSync } = fs;
    jest.spyOn(fs, "writeSync").mockImplementation((...all: unknown[]) => {
      const [descriptor, bytes, at, length, position] = all;
      const most = Math.min(20, Number(length));
      return Number(Reflect.apply(writeSync, fs, [descriptor, bytes, at, most, position]));
    });
    await folder.post();
    expect([folder.posts, folder.notices, await listNotedIds()]).toEqual([1, [], ["u1"]]);
  });

  it("a note is left unchanged if a full disk accepts only a part of it", async () => {
    const run = new LockDirectory(folder.path);
    await folder.post(run);
    const before = fs.readFileSync(folder.file, "utf8");
    const { writeSync } = fs;
    jest.spyOn(fs, "writeSync").mockImplementation((...all: unknown[]) => {
      const [descriptor, bytes, at, , position] = all;
      if (at !== 0) throw failed("ENOSPC");
      return Number(Reflect.apply(writeSync, fs, [descriptor, bytes, 0, 20, position]));
    });
    await expect(folder.post(run)).rejects.toThrow(
      "can't be read or replaced (ENOSPC). Nothing was posted. Run `pulumi up` again. If the error persists, free up disk space, or set " +
        "monitoring:lockDirectory to a different directory. All runs that share the current directory must use the new one.",
    );
    jest.restoreAllMocks();
    expect([folder.posts, fs.readFileSync(folder.file, "utf8")]).toEqual([1, before]);
  });
});

it("a later update of a run reads its notes, notes its post, verifies its lock, and notes the result", async () => {
  const run = new LockDirectory(folder.path);
  await folder.post(run);
  const called: string[] = [];
  for (const [name, call] of Object.entries(fs))
    if (typeof call === "function" && /^[a-z]/.test(name))
      jest.spyOn(fs, name as "fsync").mockImplementation((...all: unknown[]) => {
        called.push(name);
        const result: unknown = Reflect.apply(call, fs, all);
        return result;
      });
  await folder.post(run);
  jest.restoreAllMocks();
  const read = ["lstatSync", "openSync", "readFileSync", "closeSync"];
  const note = ["statSync", ...read.slice(0, -1), "fstatSync", "writeSync", "fsync"];
  expect(called).toEqual([...note, ...read, "writeSync", "closeSync"]);
});

it("a note that another process writes while a run continues its notes is left unchanged", async () => {
  const run = new LockDirectory(folder.path);
  await folder.post(run);
  const [other, { readFileSync }] = [JSON.stringify({ version: 1, holder: "other", sent: [] }), fs];
  jest.spyOn(fs, "readFileSync").mockImplementationOnce((file, options) => {
    const text = readFileSync(file, options);
    fs.writeFileSync(`${folder.file}.other`, other);
    fs.renameSync(`${folder.file}.other`, folder.file);
    return text;
  });
  await expect(folder.post(run)).rejects.toThrow("Another process took over the lock of this incident");
  expect([folder.posts, readFileSync(folder.file, "utf8")]).toEqual([1, other]);
});

it("a lock that is held for a moment doesn't make a run publish without a lock", async () => {
  const { mkdir } = ofProperLockfile;
  let tried = 0;
  jest.spyOn(ofProperLockfile, "mkdir").mockImplementation((path, done) => {
    if (tried++ < 2) done(failed("EPERM"));
    else mkdir(path, done);
  });
  await folder.post();
  expect([tried, folder.posts, folder.notices]).toEqual([3, 1, []]);
});

it("a lock that stays held, such as another user's in a sticky directory, fails the run, which posts nothing", async () => {
  const lock = `${folder.file}.lock`;
  fs.mkdirSync(lock);
  const taking = jest.spyOn(ofProperLockfile, "mkdir").mockImplementation((_, done) => done(failed("EPERM")));
  await expect(folder.post()).rejects.toThrow(
    `The lock ${lock} can't be acquired (EPERM). Nothing was posted. Run \`pulumi up\` again. If the error persists, find the process ` +
      "that holds the file.",
  );
  expect(taking).toHaveBeenCalledTimes(11);
  expect(folder.posts).toBe(0);
});
