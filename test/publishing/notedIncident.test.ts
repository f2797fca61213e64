/** Which incident a note is about: its creation time may be corrected, or written in several ways. */
import { readFileSync } from "node:fs";
import "../lifecycles/idleClock";
import { NoteFolder } from "./noteFolder";

const folder = new NoteFolder();

it("a note isn't about other contents, and holds no text", async () => {
  await folder.locked((notes) => notes.sending("n", { key: "key", occurrence: 1 }));
  expect(await folder.locked((notes) => notes.posts(["other"]))).toEqual([]);
  expect(readFileSync(folder.file, "utf8")).not.toContain('"key"');
});

/** Teams correct when an incident began; a service that was set up anew creates others with the same ids. */
it.each([
  ["an hour earlier", -3_600_000, 1],
  ["just before the post", -1_000, 1],
  ["after the post by less than clocks differ", 240_000, 1],
  ["after the post", 360_000, 0],
])("of an incident that is now said to be created %s, a note counts accordingly", async (_, ms, count) => {
  const sentAt = Date.now();
  await folder.locked((notes) => notes.sending("n", { key: "key", occurrence: 1 }));
  const said = new Date(sentAt + ms).toISOString();
  expect(await folder.locked((notes) => notes.posts(["key"]), said)).toHaveLength(count);
});

it("a note counts where the incident's time never changed, however far the clocks differ", async () => {
  const ahead = new Date(Date.now() + 7_200_000).toISOString();
  await folder.locked((notes) => notes.sending("n", { key: "key", occurrence: 1 }), ahead);
  expect(await folder.locked((notes) => notes.posts(["key"]), ahead)).toHaveLength(1);
});

it.each([
  ["with milliseconds", "2026-11-20T09:00:00.000Z"],
  ["without a zone", "2026-11-20 09:00:00"],
  ["as a date", "2026-11-20"],
  ["not at all", null],
])("a note is about its incident when the creation time is written %s", async (_, incident) => {
  await folder.locked((notes) => notes.sending("n", { key: "key", occurrence: 1 }));
  expect(await folder.locked((notes) => notes.posts(["key"]), incident)).toHaveLength(1);
});
