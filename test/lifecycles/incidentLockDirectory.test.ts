/** The directory of the locks and notes: whose files it may hold, and what happens when it can't be used. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Machine } from "./lockedMachine";
import { create } from "./phases";
import { incidentId, Service, words } from "./updateProcess";

const service = new Service();
const machine = new Machine(service);
const idOf = (id: string | undefined): string => `${incidentId}/${id}`;

describe("the lock directory", () => {
  it("is private and contains no content", async () => {
    await create(await machine.process(), words);
    expect(statSync(machine.folder).mode & 0o777).toBe(0o700);
    const files = readdirSync(machine.folder);
    expect(files).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.json$/)]);
    const [file = ""] = files;
    expect(statSync(join(machine.folder, file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(machine.folder, file), "utf8")).not.toContain("Capacity");
  });

  it("that is not writable causes one notice, and publishing continues", async () => {
    const file = join(machine.parent, "a-file");
    writeFileSync(file, "");
    const process = await machine.process({ "monitoring:lockDirectory": file });
    await create(process, words);
    await create(process, { ...words, description: "It is over." });
    const told = service.notices.filter((text) => text.includes("lock directory"));
    expect(told).toEqual([
      `IncidentUpdate: The lock directory ${file} can't be used (EEXIST). Publishing continues without locks: two processes on this machine ` +
        "that declare an identical update at the same time may both post it. Set monitoring:lockDirectory, " +
        "MONITORING_LOCK_DIRECTORY or lockDirectory of the Provider to a writable directory.",
    ]);
    expect(service.posts()).toHaveLength(2);
  });

  it.each<[string, (note: string) => void]>([
    [
      "notes can't be written",
      (note) => {
        rmSync(note);
        mkdirSync(join(note, "in-the-way"), { recursive: true });
      },
    ],
    [
      "locks can't be created",
      (note) => {
        const lock = note.replace(".json", ".lock");
        writeFileSync(lock, "a file, not the directory that a lock is");
        utimesSync(lock, 0, 0);
      },
    ],
  ])("whose %s causes one notice, and publishing continues", async (_, spoil) => {
    await create(await machine.process(), words);
    const [note = ""] = readdirSync(machine.folder);
    spoil(join(machine.folder, note));
    await create(await machine.process(), { ...words, description: "It is over." });
    expect(service.notices.filter((text) => text.includes("lock directory"))).toEqual([
      expect.stringMatching(
        /The lock directory \S+ can't be used \(E[A-Z]+\)\. Publishing continues without locks/,
      ),
    ]);
    expect(service.posts()).toHaveLength(2);
  });

  it("loses the notes that are older than an hour, and nothing of others", async () => {
    const note = (digit: string, more = ""): string => `${digit.repeat(32)}.json${more}`;
    const draft = ".7c2a9e10-4b1d-4f7e-9d30-000000000001";
    const old = [note("a"), note("b", draft)];
    const folders = ["folder", note("f")];
    const kept = ["customers.sqlite", "package.json", `${"c".repeat(32)}.lock`, `x${note("d")}`, "folder"];
    for (const name of folders) mkdirSync(join(machine.folder, name, "inside"), { recursive: true });
    for (const [name, hours] of [
      ...[...old, note("f"), ...kept].map((each) => [each, 2] as const),
      [note("e"), 0.5] as const,
    ]) {
      const time = Date.now() / 1000 - hours * 3600;
      if (!folders.includes(name)) writeFileSync(join(machine.folder, name), "{}");
      utimesSync(join(machine.folder, name), time, time);
    }
    // Like a note that another process removes at the same time.
    symlinkSync("nowhere", join(machine.folder, note("0")));
    await create(await machine.process(), words);
    const left = readdirSync(machine.folder);
    expect(left).toEqual(expect.arrayContaining([...kept, note("e")]));
    expect(left.filter((name) => [...old, note("f")].includes(name))).toEqual([]);
    expect(service.notices.join()).not.toContain("lock directory");
  });

  it("with an invalid file does not prevent publishing", async () => {
    await create(await machine.process(), words);
    for (const name of readdirSync(machine.folder)) writeFileSync(join(machine.folder, name), "{");
    expect(await create(await machine.process(), words)).toMatchObject({
      id: idOf(service.published()[0]?.id),
    });
  });
});
