/** Files that another process holds, as on Windows: the errors are injected, because only Windows gives them. */
import fs from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { Machine } from "./machine";
import { create } from "../lifecycles/phases";
import { failureOf, Service, words } from "../lifecycles/updateProcess";

const service = new Service();
const machine = new Machine(service);
const ofProperLockfile: { mkdir: (path: string, done: fs.NoParamCallback) => void } = createRequire(
  require.resolve("proper-lockfile"),
)("graceful-fs");

const codes = ["EPERM", "EACCES", "EBUSY"];
const [code = ""] = codes;
const isNote = (file: unknown): boolean => /^monitoring-[0-9a-f]{32}\.json$/.test(basename(String(file)));
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

afterEach(() => jest.restoreAllMocks());

describe("old files of other incidents", () => {
  const isOther = (file: unknown): boolean =>
    basename(String(file)).startsWith(`monitoring-${"a".repeat(32)}`);
  const { lstatSync, readdirSync } = fs;

  it.each<[string, () => void]>([
    [
      "one of them can't be looked at",
      () =>
        jest.spyOn(fs, "lstatSync").mockImplementation(((file: fs.PathLike, options: fs.StatSyncOptions) => {
          if (isOther(file)) throw failed("ESTALE");
          return lstatSync(file, options);
        }) as typeof fs.lstatSync),
    ],
    [
      "the directory can't be listed",
      () =>
        jest.spyOn(fs, "readdirSync").mockImplementation(((folder: fs.PathLike) => {
          if (folder === machine.folder) throw failed("EACCES");
          return readdirSync(folder);
        }) as typeof fs.readdirSync),
    ],
  ])("turn nothing off when %s", async (_, fail) => {
    fs.mkdirSync(machine.folder);
    fs.writeFileSync(`${machine.folder}/monitoring-${"a".repeat(32)}.json`, "");
    const process = await machine.process();
    fail();
    await create(process, words);
    jest.restoreAllMocks();
    expect(service.notices.join()).not.toContain("lock directory");
    expect(fs.readdirSync(machine.folder)).toHaveLength(2);
  });
});

describe("a note", () => {
  it.each(codes)("that gives %s for a moment is written, and nobody is bothered", async (code) => {
    holdNotes(code, (tried) => tried % 3 < 2);
    await create(await machine.process(), words);
    expect(service.posts).toHaveLength(1);
    expect(service.notices.join()).not.toContain("can't be");
    const [note = "", ...drafts] = fs.readdirSync(machine.folder);
    expect(drafts).toEqual([]);
    expect(fs.readFileSync(`${machine.folder}/${note}`, "utf8")).toContain('"digest"');
  });

  it.each<[string, (tried: number) => boolean]>([
    ["from the start", () => true],
    ["once the incident was read", (tried) => tried > 0],
  ])(
    "that is held for long, %s, fails the run, which posts nothing and leaves no draft",
    async (_, fails) => {
      const process = await machine.process();
      holdNotes(code, fails);
      const { message } = await failureOf(create(process, words));
      expect(message).toMatch(
        new RegExp(
          `^The notes about posts in \\S+\\.json can't be read or replaced \\(${code}\\), so nothing was posted\\.`,
        ),
      );
      expect(service.posts).toEqual([]);
      expect(fs.readdirSync(machine.folder).filter((name) => !isNote(name))).toEqual([]);
    },
  );

  it("that is held when it is read fails the run: it may tell of a post", async () => {
    await create(await machine.process(), words);
    const { openSync } = fs;
    jest.spyOn(fs, "openSync").mockImplementation((file, ...more) => {
      if (isNote(file)) throw failed(code);
      return openSync(file, ...more);
    });
    const changed = { ...words, description: "It is over." };
    const { message } = await failureOf(create(await machine.process(), changed));
    expect(message).toContain(`can't be read or replaced (${code})`);
    expect(service.posts).toHaveLength(1);
  });

  it("whose lock is held is no reason to publish without one", async () => {
    const { mkdir } = ofProperLockfile;
    let tried = 0;
    jest.spyOn(ofProperLockfile, "mkdir").mockImplementation((path, done) => {
      if (tried++ < 2) done(failed(code));
      else mkdir(path, done);
    });
    await create(await machine.process(), words);
    expect(tried).toBe(3);
    expect(service.notices.join()).not.toContain("lock directory");
    expect(service.posts).toHaveLength(1);
  });
});

it("a lock that stays held, as one of another user in a sticky directory, fails the run, which posts nothing", async () => {
  await create(await machine.process(), words);
  const [note = ""] = fs.readdirSync(machine.folder);
  const lock = `${machine.folder}/${note}.lock`;
  fs.mkdirSync(lock);
  const taking = jest.spyOn(ofProperLockfile, "mkdir").mockImplementation((_, done) => done(failed("EPERM")));
  const changed = { ...words, description: "It is over." };
  const { message } = await failureOf(create(await machine.process(), changed));
  expect(message).toBe(
    `The lock ${lock} can't be taken (EPERM), so nothing was posted. Run \`pulumi up\` again; if this persists, find what holds ` +
      "the file.",
  );
  expect(taking).toHaveBeenCalledTimes(11);
  expect(service.posts).toHaveLength(1);
});

it("a note that can't be replaced after the post is reported, and goes on warning others", async () => {
  holdNotes("EPERM", (tried) => tried > 1);
  await create(await machine.process(), words);
  expect(service.posts).toHaveLength(1);
  const [note = ""] = fs.readdirSync(machine.folder);
  expect(service.notices).toEqual([
    expect.stringContaining(
      `The notes about posts in ${machine.folder}/${note} can't be replaced (EPERM), so they lack the result of a post. ` +
        "For 2 minutes, other runs wait for its update; after that, nothing keeps another resource or stack from posting an " +
        "identical one.",
    ),
  ]);
  expect(fs.readFileSync(`${machine.folder}/${note}`, "utf8")).toContain('"digest"');
});

it("an old note that is held is left to a later run", async () => {
  fs.mkdirSync(machine.folder);
  const old = `${machine.folder}/monitoring-${"a".repeat(32)}.json`;
  fs.writeFileSync(old, JSON.stringify({ holder: "h", sent: [] }));
  fs.utimesSync(old, 0, 0);
  const { rmSync } = fs;
  const held = jest.spyOn(fs, "rmSync").mockImplementation((file, options) => {
    if (file === old) throw failed("EBUSY");
    rmSync(file, options);
  });
  await create(await machine.process(), words);
  expect(held).toHaveBeenCalledWith(old);
  expect(service.notices.join()).not.toContain("lock directory");
});
