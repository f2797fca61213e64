/** What a note is about: an incident and a content. */
import { readFileSync } from "node:fs";
import "../lifecycles/idleClock";
import { NoteFolder } from "./noteFolder";

const folder = new NoteFolder();

it("a note isn't about other contents, and holds no text", async () => {
  await folder.locked((notes) => notes.sending("n", { key: "key", occurrence: 1 }));
  expect(await folder.locked((notes) => notes.posts(["other"]))).toEqual([]);
  expect(readFileSync(folder.file, "utf8")).not.toContain('"key"');
});

it.each([
  ["before the post", -1_000, 1],
  ["a minute after the post, by another clock", 60_000, 1],
  ["after the post", 360_000, 0],
])("of an incident that is now said to be created %s, a note counts accordingly", async (_, ms, count) => {
  const sentAt = Date.now();
  await folder.locked((notes) => notes.sending("n", { key: "key", occurrence: 1 }));
  const said = new Date(sentAt + ms).toISOString();
  expect(await folder.locked((notes) => notes.posts(["key"]), said)).toHaveLength(count);
});
