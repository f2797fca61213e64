/** Tests the notes about posts, which are on disk before the post and valid for a day, and their files. */
import { type ServerResponse } from "node:http";
import fs, { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LockDirectory } from "../../provider/publishing/lockDirectory";
import { type Notes, type Sender } from "../../provider/publishing/notes";
import { send } from "../client/services";
import { countOpenFiles, NoteFolder, noteContent, place, unexpected } from "./noteFolder";
import { declared, lose, publishUpdate, start, timesOfReads, update } from "./setting";

const folder = new NoteFolder();

function takeOver(note: string): void {
  writeFileSync(`${note}.draft`, `${JSON.stringify({ version: 1, holder: "another", sent: [] })}\n`);
  renameSync(`${note}.draft`, note);
}

it.each<[string, (note: string) => void]>([
  ["took over", takeOver],
  [
    "replaced by a copy",
    (note) => {
      copyFileSync(note, `${note}.draft`);
      renameSync(`${note}.draft`, note);
    },
  ],
  ["took over and released", (note) => rmSync(note)],
])("a lock that another process %s prevents the post, and its note is left unchanged", async (_, happens) => {
  await folder.locked(async (notes) => {
    await notes.recordPost("earlier", noteContent);
    happens(folder.file);
    const files = () =>
      readdirSync(folder.path).map(
        (name) => !name.endsWith(".lock") && readFileSync(join(folder.path, name), "utf8"),
      );
    const left = files();
    await expect(notes.recordPost("n", noteContent)).rejects.toThrow(
      "Another process took over the lock of this incident, or replaced its records in the lock directory. Nothing was posted. Run `pulumi up` again.",
    );
    notes.recordResult("earlier", { id: "u1" });
    notes.drop("earlier");
    expect(files()).toEqual(left);
  });
});

it("a lock that another process took over while the note was synced also prevents the post", async () => {
  await folder.locked(async (notes) => {
    const { fsync } = fs;
    jest.spyOn(fs, "fsync").mockImplementationOnce((descriptor, done) => {
      takeOver(folder.file);
      fsync(descriptor, done);
    });
    await expect(notes.recordPost("n", noteContent)).rejects.toThrow(
      "Another process took over the lock of this incident, or replaced its records in the lock directory.",
    );
  });
});

it("each post is noted separately until it can no longer appear", async () => {
  const liveFor = (key: string) =>
    folder.locked((notes) =>
      notes.listPosts([key]).map(({ id, mayAppearUntil }) => [id, mayAppearUntil - Date.now()]),
    );
  const keys = ["rejected", "killed", "lost", "applied"];
  await folder.locked(async (notes) => {
    for (const key of keys) await notes.recordPost(key, { ...noteContent, contentKey: key });
  });
  await folder.locked((notes) => {
    notes.drop("rejected");
    notes.recordResult("lost", { isReported: true });
    notes.recordResult("applied", { id: "u1" });
  });
  jest.setSystemTime(Date.now() + 20_000);
  expect(await liveFor("rejected")).toEqual([]);
  expect(await liveFor("lost")).toEqual([[undefined, 60_000]]);
  expect(await liveFor("applied")).toEqual([["u1", 40_000]]);
  const asked = (await folder.read()).listPosts(["lost"]).map((post) => post.codeStart - Date.now());
  expect(asked).toEqual([100_000]);
  jest.setSystemTime(Date.now() + 60_000);
  expect(await liveFor("lost")).toEqual([[undefined, 40_000]]);
  // This simulates a clock that was set back.
  jest.setSystemTime(Date.now() - 3_600_000);
  expect(await liveFor("lost")).toEqual([[undefined, 60_000]]);
  const listAfter = async (afterMs: number) => {
    jest.setSystemTime(Date.now() + afterMs);
    return folder.locked((notes) =>
      notes.listPosts(keys).map(({ contentKey, isReported }) => [contentKey, isReported]),
    );
  };
  // The update of a killed post is recognized for a day.
  const all = [
    ["killed", undefined],
    ["lost", true],
    ["applied", undefined],
  ];
  expect(await listAfter(3_600_000 + 86_319_999)).toEqual(all);
  expect(await listAfter(1)).toEqual([]);
});

it("the result of a post changes no other note, and the result of an edit replaces the notes of its update", async () => {
  const listNotes = (notes: Notes) => notes.listPosts(["words"]).map(({ nonce, id }) => [nonce, id]);
  await folder.locked(async (notes) => {
    await notes.recordPost("first", noteContent);
    notes.recordResult("first", { id: "u1" });
    await notes.recordPost("killed", noteContent, { edits: "u1" });
    await notes.recordPost("second", noteContent);
    notes.recordResult("second", { id: "u2" });
    expect(listNotes(notes)).toEqual([
      ["first", "u1"],
      ["killed", undefined],
      ["second", "u2"],
    ]);
    // The resource of the killed edit may have a new name and declare other content.
    expect(notes.listPosts(["other"])).toMatchObject([{ nonce: "killed", contentKey: "" }]);
    await notes.recordPost("edit", noteContent, { edits: "u1" });
    notes.recordResult("edit", { id: "u1" });
    expect(listNotes(notes)).toEqual([
      ["second", "u2"],
      ["edit", "u1"],
    ]);
  });
});

it("a post's note records earlier posts that were found, because the next run after a kill needs them", async () => {
  await folder.locked(async (notes) => notes.recordPost("lost", noteContent));
  await folder.locked(async (notes) => {
    await notes.recordPost("denied", { ...noteContent, occurrence: 2 });
    const applied = ["lost", "forgotten"].map((nonce) => ({ nonce, id: "u1" }));
    await notes.recordPost("n", { ...noteContent, occurrence: 2 }, { applied, denied: ["denied"] });
    const written = readFileSync(folder.file, "utf8");
    for (const { nonce, id } of applied) notes.recordResult(nonce, { id });
    notes.drop("forgotten");
    expect(readFileSync(folder.file, "utf8")).toBe(written);
  });
  const posts = await folder.locked((notes) => notes.listPosts(["words"]));
  expect(posts.map(({ nonce, id }) => [nonce, id])).toEqual([
    ["lost", "u1"],
    ["n", undefined],
  ]);
});

it.each<[string, sender: Sender, reader?: Sender, isOfOther?: true, isOwn?: true]>([
  ["another resource of the command", { engine: "e", resource: "a" }, { engine: "e", resource: "b" }, true],
  ["this resource", { engine: "e", resource: "a" }, { engine: "e", resource: "a" }, undefined, true],
  ["another command", { engine: "e", resource: "a" }, { engine: "f", resource: "b" }],
  [
    "this resource in another command",
    { engine: "e", resource: "a" },
    { engine: "f", resource: "a" },
    undefined,
    true,
  ],
  ["an unknown command", { resource: "a" }, { resource: "b" }],
  ["a command, without a reader", { engine: "e", resource: "a" }],
])(
  "the note of a post records whether another Provider's process or this resource has sent it: %s",
  async (_, sender, ...[reader, isOfOther, isOwn]) => {
    await folder.locked((notes) => notes.recordPost("n", noteContent, { sender }));
    const [post] = await folder.locked((notes) => notes.listPosts(["words"], reader));
    expect(post).toMatchObject({ nonce: "n", contentKey: "words" });
    expect([post?.isFromOtherProvider, post?.isOwn]).toEqual([isOfOther, isOwn]);
  },
);

it.each<[string, owners: readonly (Sender | undefined)[], owner: string]>([
  ["its sender, if no other is known", [undefined], "a"],
  ["the resource that adopts it", [{ resource: "b" }], "b"],
  ["the last resource that adopts it", [{ resource: "a" }, { resource: "b" }], "b"],
])("a post belongs to %s", async (_, owners, owner) => {
  await folder.locked(async (notes) => {
    await notes.recordPost("n", noteContent, { sender: { resource: "a" } });
    for (const each of owners) notes.recordResult("n", { id: "u1" }, each);
  });
  const own = await folder.locked((notes) => ["a", "b"].filter((resource) => notes.hasPost({ resource })));
  expect(own).toEqual([owner]);
});

it("posts no longer belong to a resource that was removed from the state, and other resources keep their posts", async () => {
  const [removed, other, none] = ["removed", "other", "none"].map((resource) => ({ resource }));
  const own = (notes: Notes) =>
    [removed, other, none].map((reader) => [
      reader && notes.hasPost(reader),
      ...notes.listPosts(["words"], reader).map(({ isOwn }) => isOwn),
    ]);
  await folder.locked(async (notes) => {
    for (const sender of [removed, other])
      await notes.recordPost(`of ${sender?.resource}`, noteContent, { sender });
  });
  const before = [
    [true, true, undefined],
    [true, undefined, true],
    [false, undefined, undefined],
  ];
  expect(await folder.locked(own)).toEqual(before);
  await folder.locked((notes) => removed && notes.disown(removed));
  expect(await folder.locked(own)).toEqual([[false, undefined, undefined], ...before.slice(1)]);
});

describe("a killed run", () => {
  /** Creates the next run on the same machine. */
  async function afterKilled() {
    const setting = await start([update("u0", { description: "Else." })], 60_000);
    const { connection } = setting;
    const post = { ...noteContent, contentKey: declared.contentKey };
    await folder.locked((notes) => notes.recordPost("killed", post), null, connection.origin);
    return { setting, next: { ...setting, connection: { ...connection, lockDirectory: folder.path } } };
  }

  const times = [0, 500, 1_500, 3_500, 7_500, 15_500, 23_500, 31_500, 39_500, 47_500, 55_500, 60_000];

  it("a killed run has left a note, and the next run searches for a minute before it posts", async () => {
    const { setting, next } = await afterKilled();
    const readAt = timesOfReads(setting);
    await expect(publishUpdate(next)).resolves.toMatchObject({ posted: { id: "posted" } });
    expect(readAt).toEqual(times);
    expect(next.notices).toEqual([expect.stringContaining("Waiting up to 60 s before posting")]);
  });

  it("a killed run's post isn't searched for longer if the clock is set back during the search", async () => {
    const { setting, next } = await afterKilled();
    const { answerRead } = setting;
    // This simulates a process that has run for an hour.
    const now = performance.now.bind(performance);
    jest.spyOn(performance, "now").mockImplementation(() => now() + 3_600_000);
    const began = performance.now();
    setting.answerRead = (response) => {
      jest.setSystemTime(Date.now() - 60_000);
      answerRead(response);
    };
    await expect(publishUpdate(next)).resolves.toMatchObject({ posted: { id: "posted" } });
    expect(performance.now() - began).toBe(60_000);
  });
});

it.each([
  ["is rejected leaves no note", (response: ServerResponse) => send(response, {}, 403), []],
  ["has no response leaves a note that it was reported", lose, [[undefined, true]]],
  ["is applied leaves a note of its update", undefined, [["posted", undefined]]],
])("a post that %s", async (_, answer, left) => {
  const setting = await start([], 60_000);
  setting.answerPost = answer ?? setting.answerPost;
  await publishUpdate({ ...setting, connection: { ...setting.connection, lockDirectory: folder.path } });
  const notes = (await folder.read(setting.connection.origin)).listPosts([declared.contentKey]);
  expect(notes.map(({ id, isReported }) => [id, isReported])).toEqual(left);
});

it("a note isn't used for other content, and contains no text, because its hash differs in the notes of each run", async () => {
  const files: string[] = [];
  for (let run = 0; run < 2; run++) {
    await folder.locked((notes) => notes.recordPost("n", noteContent));
    expect(await folder.locked((notes) => notes.listPosts(["other"]))).toEqual([]);
    files.push(readFileSync(folder.file, "utf8"));
    rmSync(folder.file);
  }
  expect(files.join()).not.toContain('"words"');
  expect(new Set(files.map((file) => /"content":"(\w+)"/.exec(file)?.[1])).size).toBe(2);
});

it("the note of an update is invalid for an incident that was created after its post", async () => {
  const sentAt = Date.now();
  await folder.locked(async (notes) => {
    await notes.recordPost("n", noteContent);
    notes.recordResult("n", { id: "u" });
  });
  jest.setSystemTime(sentAt + 7_200_000);
  const created = new Date(sentAt + 360_000).toISOString();
  expect(await folder.locked((notes) => notes.listPosts(["words"]), created)).toEqual([]);
});

const setPlatform = (value: string) => Object.defineProperty(process, "platform", { value });
const { platform } = process;
afterEach(() => setPlatform(platform));

const ofFolder = "sync FOLDER";
const ofFile = ["sync DRAFT", "rename, all synced", ...(platform === "win32" ? [] : [ofFolder])];
const ofNote = ["append to NOTES", "sync NOTES", "send, all synced"];

it.each<[string, isLater: boolean, expected: readonly string[], code?: string]>([
  ["a run's first note", false, [...ofFile, ...ofNote]],
  ["a later note", true, ofNote],
  ["a note in a folder that can't be synced", false, [...ofFile, ...ofNote], "EINVAL"],
  ["a note in a folder on a network", false, [...ofFile, ...ofNote], "ENOTSUP"],
  ["a note on a system without sync", false, [...ofFile, ...ofNote], "ENOSYS"],
  [
    "a note on Windows, which syncs no folders,",
    false,
    [...ofFile.filter((each) => each !== ofFolder), ...ofNote],
    "win32",
  ],
])("%s is on disk before its post, including its name", async (_, isLater, expected, ...[code]) => {
  if (code === "win32") setPlatform(code);
  const run = new LockDirectory(folder.path);
  const steps: string[] = [];
  let pending = 0;
  const step = (name: string) => steps.push(`${name}, ${pending === 0 ? "all" : "not"} synced`);
  const note = (nonce: string) =>
    run.withLock(place, { notice: unexpected }, async (notes) => {
      await notes.recordPost(nonce, noteContent);
      step("send");
    });
  if (isLater) await note("first");
  steps.length = 0;
  const { fsync, openSync, writeSync, renameSync } = fs;
  const paths = new Map<unknown, unknown>();
  jest.spyOn(fs, "openSync").mockImplementation((path, ...options) => {
    const descriptor = openSync(path, ...options);
    paths.set(descriptor, path);
    return descriptor;
  });
  const describeFile = (descriptor: unknown) => {
    const path = paths.get(descriptor);
    if (path === folder.path) return "FOLDER";
    return path === folder.file ? "NOTES" : "DRAFT";
  };
  jest.spyOn(fs, "fsync").mockImplementation((descriptor, done) => {
    const name = describeFile(descriptor);
    steps.push(`sync ${name}`);
    pending += 1;
    fsync(descriptor, () => {
      pending -= 1;
      done(name === "FOLDER" && code ? Object.assign(new Error("injected"), { code }) : null);
    });
  });
  jest.spyOn(fs, "writeSync").mockImplementation((...all: unknown[]) => {
    steps.push(`append to ${describeFile(all[0])}`);
    return Number(Reflect.apply(writeSync, fs, all));
  });
  jest.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    step("rename");
    renameSync(from, to);
    for (const [descriptor, path] of paths) if (path === from) paths.set(descriptor, to);
  });
  await note("n");
  expect(steps).toEqual(expected);
});

const cut = '{"version":1,"holder":"h","dropped":[],"sent":[{"nonce":"cut';

it("a line of notes that a crash or a full disk has cut is ignored, because its post wasn't sent", async () => {
  await folder.locked((notes) => notes.recordPost("n", noteContent));
  fs.appendFileSync(folder.file, cut);
  const listNonces = (notes: Notes) => notes.listPosts(["words"]).map(({ nonce }) => nonce);
  expect(listNonces(await folder.read())).toEqual(["n"]);
  await folder.locked((notes) => notes.recordPost("m", noteContent));
  expect(listNonces(await folder.read())).toEqual(["n", "m"]);
});

const rejection = () =>
  `The records in ${folder.file} can't be read or replaced (unknown format). Nothing was posted. The file may record a post that isn't ` +
  "visible yet. If a different version of pulumi-monitoring-service wrote it, use that version. Otherwise, check that every update is on " +
  "the public page, and delete the file.";

const note = { nonce: "n", containerCreatedAt: null, salt: "s", content: "c", occurrence: 1, at: 1 };
const line = { version: 1, holder: "h", sent: [note] };
it.each([
  ["is empty", ""],
  ["has no version", JSON.stringify({ ...line, version: undefined })],
  ["has the next version", JSON.stringify({ ...line, version: 2 })],
  [
    "has a later line of the next version",
    `${JSON.stringify(line)}\n${JSON.stringify({ ...line, version: 2 })}\n`,
  ],
  ["has a time that no clock shows", JSON.stringify({ ...line, sent: [{ ...note, at: 1e300 }] })],
])("a file of notes that %s is rejected with its path, and left unchanged", async (_, content) => {
  writeFileSync(folder.file, content);
  const before = countOpenFiles();
  await expect(folder.locked((notes) => notes.listPosts(["words"]))).rejects.toThrow(rejection());
  await expect(folder.read()).rejects.toThrow(rejection());
  expect(countOpenFiles()).toBe(before);
  expect(readFileSync(folder.file, "utf8")).toBe(content);
});

it("a file of notes of this version is read", async () => {
  const edit = { ...note, edits: "u1", at: Date.now() };
  writeFileSync(folder.file, `${JSON.stringify({ ...line, sent: [edit] })}\n`);
  expect((await folder.read()).listPosts([])).toMatchObject([{ nonce: "n", edits: "u1" }]);
});

it("a file of notes that was emptied is rejected for that reason instead of a lock that was taken over", async () => {
  await folder.locked(async (notes) => {
    writeFileSync(folder.file, "");
    await expect(notes.recordPost("n", noteContent)).rejects.toThrow(rejection());
  });
});
