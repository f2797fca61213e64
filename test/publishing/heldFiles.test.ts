/** Files that another process holds, as on Windows: the errors are injected, because only Windows gives them. */
import fs from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { LockDirectory } from "../../provider/publishing/lockDirectory";
import "../lifecycles/idleClock";
import { NoteFolder } from "./noteFolder";

const folder = new NoteFolder();
const ofProperLockfile: { mkdir: (path: string, done: fs.NoParamCallback) => void } = createRequire(
  require.resolve("proper-lockfile"),
)("graceful-fs");

const isNote = (file: unknown): boolean => String(file) === folder.file;
const failed = (code: string): Error => Object.assign(new Error(`${code}: injected`), { code });

/** Changes of a note fail. @param fails told how many were tried before */
function holdNotes(code: string, fails: (tried: number) => boolean): void {
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
    if (flags === "a") hold(file);
    return openSync(file, flags, mode);
  });
}

const noted = async () => (await folder.read()).posts(["key"]).map(({ id }) => id);

describe("an old note of another incident", () => {
  const old = () => join(folder.path, `monitoring-${"a".repeat(32)}.json`);
  const { lstatSync, readdirSync, rmSync } = fs;

  it.each<[string, () => void]>([
    [
      "can't be looked at",
      () =>
        jest.spyOn(fs, "lstatSync").mockImplementation(((file: fs.PathLike, options: fs.StatSyncOptions) => {
          if (file === old()) throw failed("ESTALE");
          return lstatSync(file, options);
        }) as typeof fs.lstatSync),
    ],
    [
      "can't be found, because the directory can't be listed,",
      () =>
        jest.spyOn(fs, "readdirSync").mockImplementation(((path: fs.PathLike) => {
          if (path === folder.path) throw failed("EACCES");
          return readdirSync(path);
        }) as typeof fs.readdirSync),
    ],
    [
      "is held",
      () =>
        jest.spyOn(fs, "rmSync").mockImplementation((file, options) => {
          if (file === old()) throw failed("EBUSY");
          rmSync(file, options);
        }),
    ],
  ])("that %s is left to a later run", async (_, fail) => {
    fs.writeFileSync(old(), JSON.stringify({ holder: "h", sent: [] }));
    fs.utimesSync(old(), 0, 0);
    fail();
    await folder.post();
    jest.restoreAllMocks();
    expect([folder.posts, folder.notices, fs.existsSync(old())]).toEqual([1, [], true]);
    await folder.post();
    expect(fs.existsSync(old())).toBe(false);
  });
});

describe("a note", () => {
  it.each(["EPERM", "EACCES", "EBUSY"])(
    "that gives %s for a moment is written, and nobody is bothered",
    async (code) => {
      holdNotes(code, (tried) => tried % 3 < 2);
      await folder.post();
      expect([folder.posts, folder.notices, await noted()]).toEqual([1, [], ["u1"]]);
      expect(fs.readdirSync(folder.path)).toEqual([basename(folder.file)]);
    },
  );

  it.each<[string, (tried: number) => boolean]>([
    ["from the start", () => true],
    ["once the incident was read", (tried) => tried > 0],
  ])(
    "that is held for long, %s, fails the run, which posts nothing and leaves no draft",
    async (_, fails) => {
      holdNotes("EPERM", fails);
      await expect(folder.post()).rejects.toThrow(
        `The notes about posts in ${folder.file} can't be read or replaced (EPERM), so nothing was posted.`,
      );
      expect([
        folder.posts,
        fs.readdirSync(folder.path).filter((name) => name !== basename(folder.file)),
      ]).toEqual([0, []]);
    },
  );

  it("that is held when it is read fails the run: it may tell of a post", async () => {
    await folder.post();
    const { openSync } = fs;
    jest.spyOn(fs, "openSync").mockImplementation((file, ...more) => {
      if (isNote(file)) throw failed("EPERM");
      return openSync(file, ...more);
    });
    await expect(folder.post()).rejects.toThrow("can't be read or replaced (EPERM)");
    expect(folder.posts).toBe(1);
  });

  it("that can't be replaced after the post is reported, and goes on warning others", async () => {
    holdNotes("EPERM", (tried) => tried > 1);
    await folder.post();
    expect(folder.posts).toBe(1);
    expect(folder.notices).toEqual([
      `The notes about posts in ${folder.file} can't be replaced (EPERM), so they lack the result of a post. For 2 minutes, ` +
        "other runs wait for its update; after that, nothing keeps another resource or stack from posting an identical one.",
    ]);
    expect(await noted()).toEqual([undefined]);
  });

  it("of which a full disk takes only a part is left as it was, although Windows shortens no file that is open to append", async () => {
    const run = new LockDirectory(folder.path);
    await folder.post(run);
    const before = fs.readFileSync(folder.file, "utf8");
    const { openSync, writeFileSync, ftruncateSync } = fs;
    const appending = new Set<unknown>();
    jest.spyOn(fs, "openSync").mockImplementation((file, flags, mode) => {
      const descriptor = openSync(file, flags, mode);
      if (flags === "a") appending.add(descriptor);
      else appending.delete(descriptor);
      return descriptor;
    });
    jest.spyOn(fs, "writeFileSync").mockImplementation((file, text) => {
      if (typeof text === "string") writeFileSync(file, text.slice(0, 20));
      throw failed("ENOSPC");
    });
    jest.spyOn(fs, "ftruncateSync").mockImplementation((descriptor, size) => {
      if (appending.has(descriptor)) throw failed("EPERM");
      ftruncateSync(descriptor, size);
    });
    await expect(folder.post(run)).rejects.toThrow(
      "can't be read or replaced (ENOSPC), so nothing was posted.",
    );
    jest.restoreAllMocks();
    expect([folder.posts, fs.readFileSync(folder.file, "utf8")]).toEqual([1, before]);
  });
});

describe("a lock", () => {
  it("that is held for a moment is no reason to publish without one", async () => {
    const { mkdir } = ofProperLockfile;
    let tried = 0;
    jest.spyOn(ofProperLockfile, "mkdir").mockImplementation((path, done) => {
      if (tried++ < 2) done(failed("EPERM"));
      else mkdir(path, done);
    });
    await folder.post();
    expect([tried, folder.posts, folder.notices]).toEqual([3, 1, []]);
  });

  it("that stays held, as one of another user in a sticky directory, fails the run, which posts nothing", async () => {
    const lock = `${folder.file}.lock`;
    fs.mkdirSync(lock);
    const taking = jest
      .spyOn(ofProperLockfile, "mkdir")
      .mockImplementation((_, done) => done(failed("EPERM")));
    await expect(folder.post()).rejects.toThrow(
      `The lock ${lock} can't be taken (EPERM), so nothing was posted. Run \`pulumi up\` again; if this persists, find what ` +
        "holds the file.",
    );
    expect(taking).toHaveBeenCalledTimes(11);
    expect(folder.posts).toBe(0);
  });
});
