/** The files of notes: how large one gets, and what isn't taken for one. */
import { readFileSync, writeFileSync } from "node:fs";
import { newSalt, saltedHash } from "../../provider/publishing/notes";
import "../lifecycles/idleClock";
import { created, NoteFolder } from "./noteFolder";

const folder = new NoteFolder();

it("the hash of a text is another one in the notes of each run", () => {
  const hashes = [newSalt(), newSalt()].map((salt) => saltedHash("text", salt));
  expect(new Set(hashes).size).toBe(2);
  expect(saltedHash("text", "salt")).toBe(saltedHash("text", "salt"));
});

describe("a file of notes that is full", () => {
  const mebibyte = 1_048_576;
  type Kind = { id?: string; isReported?: boolean; ageMs: number };
  const noteOf = ({ ageMs, ...more }: Kind, index: number) => ({
    nonce: `${JSON.stringify(more)} ${ageMs} ${index}`,
    incident: created,
    ...{ salt: "s".repeat(32), digest: "d".repeat(64), occurrence: 1 },
    at: Date.now() - ageMs,
    ...more,
  });
  /** As many notes as fit, the kinds in turns. */
  const fill = (...kinds: Kind[]) => {
    const notes: ReturnType<typeof noteOf>[] = [];
    for (let size = 60; ;) {
      const note = noteOf(kinds[notes.length % kinds.length] ?? { ageMs: 0 }, notes.length);
      size += JSON.stringify(note).length + 1;
      if (size > mebibyte) break;
      notes.push(note);
    }
    writeFileSync(folder.file, JSON.stringify({ holder: "h", sent: notes }));
    return notes.map(({ nonce }) => nonce);
  };
  const noncesNow = () => {
    const content = readFileSync(folder.file, "utf8");
    expect(content.length).toBeLessThanOrEqual(mebibyte);
    return (JSON.parse(content) as { sent: { nonce: string }[] }).sent.map(({ nonce }) => nonce);
  };
  const known = { id: "u", ageMs: 7_200_000 };
  const older = { id: "u", ageMs: 10_800_000 };
  const shownLate = { id: "u", ageMs: 90_000 };
  const killed = { ageMs: 200_000 };
  const running = { ageMs: 10_000 };
  const reported = { isReported: true, ageMs: 7_200_000 };
  const send = () => folder.locked((notes) => notes.sending("new", { key: "key", occurrence: 1 }));

  it.each<[string, Kind[], Kind]>([
    ["the oldest whose update is known", [reported, known, running, older, killed, shownLate], older],
    ["one whose time is over, when no known one is left", [reported, killed, running, shownLate], killed],
  ])("loses %s, and only as many as it must", async (_, kinds, goes) => {
    const before = fill(...kinds);
    await send();
    const after = noncesNow();
    expect(after.at(-1)).toBe("new");
    const lost = before.filter((nonce) => !after.includes(nonce));
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.length).toBeLessThan(5);
    const { ageMs } = goes;
    for (const nonce of lost) expect(nonce).toContain(` ${ageMs} `);
  });

  it("refuses the post when every post may still appear or is unknown, and says so", async () => {
    fill(running, reported, shownLate);
    await expect(send()).rejects.toThrow(
      `The notes about posts in ${folder.file} can't be read or replaced (it would be larger than 1048576 bytes), so nothing was posted.`,
    );
    expect(noncesNow()).not.toContain("new");
  });
});

describe.each<[string, string, string]>([
  ["is larger than this version writes", `{${" ".repeat(1_048_576)}}`, "it is larger than 1048576 bytes"],
  ["is empty", "", "it has another format"],
  ["isn't JSON", "{", "it has another format"],
  ["is of another version", '{"version":2,"posts":[]}', "it has another format"],
  [
    "has a time that no clock shows",
    '{"holder":"h","sent":[{"nonce":"n","incident":null,"salt":"s","digest":"d","occurrence":1,"at":1e300}]}',
    "it has another format",
  ],
])("a file of notes that %s", (_, content, reason) => {
  const refusal = () =>
    `The notes about posts in ${folder.file} can't be read or replaced (${reason}), so nothing was posted. They may tell of`;

  it("is refused with its path, and left as it is", async () => {
    writeFileSync(folder.file, content);
    await expect(folder.locked((notes) => notes.posts(["key"]))).rejects.toThrow(refusal());
    expect(() => folder.read()).toThrow(refusal());
    expect(readFileSync(folder.file, "utf8")).toBe(content);
  });

  it("is no other process that took over the lock", async () => {
    await folder.locked((notes) => {
      writeFileSync(folder.file, content);
      expect(() => notes.sending("n", { key: "key", occurrence: 1 })).toThrow(refusal());
      expect(readFileSync(folder.file, "utf8")).toBe(content);
    });
  });
});
