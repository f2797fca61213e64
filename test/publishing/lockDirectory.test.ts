/** A lock directory: one process of a machine publishes to an incident at a time, whose files it may hold, and what happens without it. */
import { execFileSync } from "node:child_process";
import fs, {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { forgetNotes, LockDirectory } from "../../provider/publishing/lockDirectory";
import { until } from "../client/services";
import { Machine } from "./machine";
import { place, unexpected } from "./noteFolder";
import { create } from "../lifecycles/phases";
import { failureOf, Service, words } from "../lifecycles/updateProcess";

const service = new Service();
const machine = new Machine(service);
const over = { ...words, description: "It is over." };
const told = () => service.notices.filter((text) => text.includes("lock directory"));

describe("the lock directory", () => {
  it("is private and contains no content", async () => {
    await create(await machine.process(), words);
    expect(statSync(machine.folder).mode & 0o777).toBe(0o700);
    const files = readdirSync(machine.folder);
    expect(files).toEqual([expect.stringMatching(/^monitoring-[0-9a-f]{32}\.json$/)]);
    const [file = ""] = files;
    expect(statSync(join(machine.folder, file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(machine.folder, file), "utf8")).not.toContain("Capacity");
  });

  it("that is not writable causes one notice, and publishing continues", async () => {
    const file = join(machine.parent, "a-file");
    writeFileSync(file, "");
    const process = await machine.process({ "monitoring:lockDirectory": file });
    await create(process, words);
    await create(process, over);
    expect(told().map((text) => text.replace(file, "FILE"))).toMatchSnapshot();
    expect(service.posts).toHaveLength(2);
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
        const lock = `${note}.lock`;
        writeFileSync(lock, "a file, not the directory that a lock is");
        utimesSync(lock, 0, 0);
      },
    ],
  ])("whose %s causes one notice, and publishing continues", async (_, spoil) => {
    await create(await machine.process(), words);
    const [note = ""] = readdirSync(machine.folder);
    spoil(join(machine.folder, note));
    await create(await machine.process(), over);
    expect(told()).toEqual([expect.stringMatching(/The lock directory \S+ can't be used \(E[A-Z]+\)\./)]);
    expect(service.posts).toHaveLength(2);
  });

  it("loses what it wrote a day ago, and nothing of others", async () => {
    const note = (digit: string, more = ""): string => `monitoring-${digit.repeat(32)}.json${more}`;
    const old = [note("a"), note("b", ".7c2a9e10-4b1d-4f7e-9d30-000000000001")];
    const invalid = note("c");
    const kept = ["customers.sqlite", `${"d".repeat(32)}.json`, `x${note("d")}`, note("d", ".bak"), invalid];
    kept.push(note("e"));
    const folders = ["folder", note("f")];
    for (const name of folders) mkdirSync(join(machine.folder, name, "inside"), { recursive: true });
    const empty = JSON.stringify({ holder: "h", sent: [] });
    for (const name of [...old, ...kept])
      writeFileSync(join(machine.folder, name), name === invalid ? "{}" : empty);
    const [oldLock, lock] = [note("1", ".lock"), note("e", ".lock")];
    for (const name of [oldLock, lock]) mkdirSync(join(machine.folder, name));
    for (const name of [...old, ...kept, ...folders, oldLock]) {
      const time = Date.now() / 1000 - (name === note("e") ? 0.5 : 2) * 86_400;
      utimesSync(join(machine.folder, name), time, time);
    }
    const target = join(machine.parent, "elsewhere");
    writeFileSync(target, empty);
    symlinkSync(target, join(machine.folder, note("0")));
    await create(await machine.process(), words);
    const left = readdirSync(machine.folder);
    expect(left).toEqual(expect.arrayContaining([...kept, ...folders, note("0"), lock]));
    expect(left.filter((name) => [...old, oldLock].includes(name))).toEqual([]);
    expect(readFileSync(target, "utf8")).toBe(empty);
    expect(told()).toEqual([]);
  });

  it.each<[string, (note: string) => void]>([
    ["a pipe", (note) => execFileSync("mkfifo", [note])],
    ["a link", (note) => symlinkSync(join(machine.parent, "elsewhere"), note)],
  ])("with %s in the place of a note doesn't block, and is replaced", async (_, put) => {
    writeFileSync(join(machine.parent, "elsewhere"), "");
    await create(await machine.process(), words);
    const [note = ""] = readdirSync(machine.folder);
    rmSync(join(machine.folder, note));
    put(join(machine.folder, note));
    await create(await machine.process(), over);
    expect(lstatSync(join(machine.folder, note)).isFile()).toBe(true);
    expect(readFileSync(join(machine.parent, "elsewhere"), "utf8")).toBe("");
    expect(service.posts).toHaveLength(2);
  });

  it.each<[string, () => string]>([
    [
      "there is no user",
      () => {
        throw new Error("uv_os_homedir returned ENOENT");
      },
    ],
    ["HOME is empty", () => ""],
  ])("is in no folder that another user can predict when %s", async (_, home) => {
    jest.spyOn(os, "homedir").mockImplementation(home);
    Reflect.deleteProperty(process.env, "PULUMI_HOME");
    await create(await machine.process({ "monitoring:lockDirectory": "" }), words);
    expect(told()).toEqual([expect.stringContaining("because this user has no home directory.")]);
    expect(service.posts).toHaveLength(1);
  });

  it.each<[string, () => void, reason: string]>([
    [
      "every user can write to",
      () => {
        mkdirSync(machine.folder);
        chmodSync(machine.folder, 0o777);
      },
      "every user can write to it",
    ],
    ["is a file", () => writeFileSync(machine.folder, ""), "EACCES"],
  ])("that %s gives a preview no notes, and the notice that `up` gives", async (_, make, reason) => {
    make();
    const notices: string[] = [];
    const directory = new LockDirectory(machine.folder);
    const file = directory.fileOf(place) ?? "";
    // Whoever wrote it is not believed.
    if (reason !== "EACCES") writeFileSync(file, "{");
    for (let read = 0; read < 2; read++) {
      const notes = await directory.read(place, (text) => void notices.push(text));
      expect(notes.posts(["key"])).toEqual([]);
    }
    expect(notices).toEqual([expect.stringContaining(`can't be used (${reason}).`)]);
  });

  it("that doesn't exist yet gives a preview no notes, and isn't created", async () => {
    const notes = await new LockDirectory(machine.folder).read(place, unexpected);
    expect(notes.posts(["key"])).toEqual([]);
    expect(readdirSync(machine.parent)).toEqual([]);
  });

  it("forgets the posts to an incident, unless a process holds its lock", async () => {
    const directory = new LockDirectory(machine.folder);
    const forget = () => {
      forgetNotes(place.service, [place.incidentId], machine.folder);
      return readdirSync(machine.folder).filter((name) => name.endsWith(".json")).length;
    };
    const notice = (text: string) => void service.notices.push(text);
    const left = await directory.withLock(place, { notice }, () => Promise.resolve(forget()));
    expect([left, forget()]).toEqual([1, 0]);
  });

  it("that every user can write to is refused, with the reason", async () => {
    mkdirSync(machine.folder);
    chmodSync(machine.folder, 0o777);
    await create(await machine.process(), words);
    expect(told()).toEqual([
      expect.stringMatching(
        /can't be used \(every user can write to it\).*to a directory that only you, or one group, can write to\.$/,
      ),
    ]);
    expect(readdirSync(machine.folder)).toEqual([]);
  });
});

/** The service applies the first post, and never responds. */
const hang = (): void =>
  service.sandbox.faults.add({ kind: "hang", applied: true, operation: "createIncidentUpdate", times: 1 });

it.each([
  ["one machine post an identical update once: the second adopts it", () => ({}), 1],
  [
    "two machines don't lock each other out",
    () => ({ "monitoring:lockDirectory": join(machine.parent, "other") }),
    2,
  ],
])("two processes of %s", async (_, settings, posts) => {
  const [one, two] = [await machine.process(), await machine.process(settings())];
  service.sandbox.faults.add({ kind: "latency", ms: 300, operation: "createIncidentUpdate" });
  const made = await Promise.all([create(one, words), create(two, words)]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(posts);
  expect(service.posts).toHaveLength(posts);
});

it("two processes don't wait for each other on different incidents", async () => {
  const [one, two] = [await machine.process(), await machine.process()];
  hang();
  const hanging = create(one, words);
  await until(() => service.posts.length > 0);
  await create(two, { ...words, incidentId: "inc_card_declines" });
  expect(await Promise.race([hanging, Promise.resolve("still waiting")])).toBe("still waiting");
  await hanging;
});

it("a process that is killed after its post leaves a lock that expires after ten seconds", async () => {
  hang();
  // It can't be killed here, and goes on in the folder as it was.
  const killed = create(await machine.process(), words);
  await until(() => service.posts.length > 0);
  const left = join(machine.parent, "left");
  cpSync(machine.folder, left, { recursive: true });
  machine.folder = left;
  const began = Date.now();
  await create(await machine.process(), words);
  expect(Date.now() - began).toBeLessThan(15_000);
  expect(service.posts).toHaveLength(1);
  await killed;
});

/** So much time goes by at once. */
function later(ms: number): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, "now").mockImplementation(() => now() + ms);
}

it("a lock that another process holds for longer than any update takes fails the run without a post", async () => {
  await create(await machine.process(), words);
  const [note = ""] = readdirSync(machine.folder);
  const lock = join(machine.folder, `${note}.lock`);
  mkdirSync(lock);
  // Its clock is ahead.
  const renew = () => utimesSync(lock, Date.now() / 1000 + 600, Date.now() / 1000 + 600);
  renew();
  setTimeout(() => {
    later(190_000);
    renew();
  }, 1_000);
  const failed = await failureOf(create(await machine.process(), over));
  expect(failed.message).toBe(
    "Another process has been publishing to this incident for more than 190 s. Nothing was posted. Run `pulumi up` again.",
  );
  expect(service.posts).toHaveLength(1);
});

it.each([
  ["ahead", Date.parse("2099-01-01T12:00:00Z"), "2099-01-01T12:00:00.000Z", "2099-01-01T12:00:10.000Z"],
  // As on file systems with 64 bits of seconds.
  ["beyond any date", 1e303, "+275760-09-13T00:00:00.000Z", "+275760-09-13T00:00:00.000Z"],
])(
  "a lock of a killed process whose clock was %s says after ten seconds when it may be deleted",
  async (_, mtimeMs, time, end) => {
    await create(await machine.process(), words);
    const [note = ""] = readdirSync(machine.folder);
    const lock = join(machine.folder, `${note}.lock`);
    mkdirSync(lock);
    utimesSync(lock, new Date("2099-01-01T12:00:00Z"), new Date("2099-01-01T12:00:00Z"));
    const { statSync: stat } = fs;
    const spy = jest
      .spyOn(fs, "statSync")
      .mockImplementation((file) => Object.assign(stat(file), file === lock && { mtimeMs }));
    setTimeout(() => later(11_000), 1_000);
    const failed = await failureOf(create(await machine.process(), over));
    spy.mockRestore();
    expect(failed.message).toBe(
      `The lock ${lock} was renewed at ${time}, which is in the future, and not since: a clock was ahead, and ` +
        "the process was probably killed. Nothing was posted. If no run publishes to this incident, also on other machines that " +
        `share the directory, delete the lock, and run \`pulumi up\` again. Otherwise it ends at ${end}.`,
    );
    expect(service.posts).toHaveLength(1);
    rmdirSync(lock);
    await create(await machine.process(), over);
    expect(service.posts).toHaveLength(2);
  },
);
