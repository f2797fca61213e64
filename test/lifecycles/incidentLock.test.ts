/** Processes of one machine that publish to one incident: one at a time, and each knows the posts of the previous ones. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type SentPosts, withLock } from "../../provider/lifecycles/incidentLock";
import { Machine } from "./lockedMachine";
import { create } from "./phases";
import { failureOf, incidentId, Service, words } from "./updateProcess";

const service = new Service();
const machine = new Machine(service);
const idOf = (id: string | undefined): string => `${incidentId}/${id}`;

/**
 * What a process leaves in the folder that is killed between its post and the response. The process itself goes on in
 * the folder as it was: it can't be killed here.
 *
 * @param lock whether its lock is there, too
 * @param args what it declared beside the usual
 */
async function killedAfterThePost(lock = false, args: object = {}): Promise<void> {
  service.sandbox.faults.add({ kind: "hang", applied: true, operation: "createIncidentUpdate", times: 1 });
  void create(await machine.process(), { ...words, ...args }).catch(() => undefined);
  while (service.posts().length === 0) await new Promise(setImmediate);
  const left = join(machine.parent, "left");
  cpSync(machine.folder, left, { recursive: true, filter: (file) => lock || !file.endsWith(".lock") });
  machine.folder = left;
}

describe("two concurrent processes", () => {
  it("post an identical update once: the second adopts it", async () => {
    const [one, two] = [await machine.process(), await machine.process()];
    service.sandbox.faults.add({ kind: "latency", ms: 300, operation: "createIncidentUpdate" });
    const [first, second] = await Promise.all([create(one, words), create(two, words)]);
    expect(second.id).toBe(first.id);
    expect(service.posts()).toHaveLength(1);
  });

  it("don't wait for each other on different incidents", async () => {
    const [one, two] = [await machine.process(), await machine.process()];
    service.sandbox.faults.add({ kind: "hang", operation: "createIncidentUpdate", times: 1 });
    const hanging = create(one, words).catch(() => "no response");
    while (service.posts().length === 0) await new Promise(setImmediate);
    await create(two, { ...words, incidentId: "inc_card_declines" });
    expect(await Promise.race([hanging, Promise.resolve("still waiting")])).toBe("still waiting");
    await hanging;
  });

  it("don't lock each other out on different machines", async () => {
    const other = { "monitoring:lockDirectory": join(machine.parent, "other") };
    const [one, two] = [await machine.process(), await machine.process(other)];
    service.sandbox.faults.add({ kind: "latency", ms: 300, operation: "createIncidentUpdate" });
    await Promise.all([create(one, words), create(two, words)]);
    expect(service.posts()).toHaveLength(2);
  });
});

describe("a process that is killed after its post", () => {
  it("makes the next process wait for the update and adopt it", async () => {
    service.sandbox.faults.add({ kind: "lateVisibility", ms: 30_000 });
    await killedAfterThePost();
    const { id } = await create(await machine.process(), words);
    expect(id).toBe(idOf(service.published()[0]?.id));
    expect(service.posts()).toHaveLength(1);
    expect(service.notices.join()).toMatch(
      /this machine sent an identical update to incident inc_checkout_latency moments ago, and the service doesn't show it yet\. Searching for it for up to \d+ s before anything is posted\./,
    );
  });

  it("makes the next process post after a minute when the update never appears", async () => {
    await killedAfterThePost();
    service.deleteUpdatesByHand();
    const began = Date.now();
    await create(await machine.process(), words);
    expect(Date.now() - began).toBeGreaterThanOrEqual(60_000);
    expect(Date.now() - began).toBeLessThan(70_000);
    expect(service.posts()).toHaveLength(2);
  });

  it("makes the next process read again when a read fails, and adopt the update", async () => {
    service.sandbox.faults.add({ kind: "lateVisibility", ms: 5_000 });
    await killedAfterThePost();
    const reads = { kind: "status", code: 500, operation: "getStatusPageIncident" } as const;
    service.sandbox.faults.add({ ...reads, skip: 1, times: 8 });
    await create(await machine.process(), words);
    expect(service.posts()).toHaveLength(1);
  });

  it.each<[string, () => void, RegExp]>([
    ["can't be read any more", () => service.sandbox.faults.add({ kind: "status", code: 500 }), /HTTP 500/],
    ["is deleted", () => service.sandbox.byHand.deleteIncident(incidentId), /not found/],
  ])("makes the next process fail without a post when the incident %s", async (_, happens, message) => {
    service.sandbox.faults.add({ kind: "lateVisibility", ms: 3_600_000 });
    await killedAfterThePost();
    const next = failureOf(create(await machine.process(), words));
    while (!service.notices.join().includes("Searching for it")) await new Promise(setImmediate);
    happens();
    const began = Date.now();
    expect((await next).message).toMatch(message);
    expect(Date.now() - began).toBeLessThan(75_000);
    expect(service.posts()).toHaveLength(1);
  });

  it("makes the next process adopt the update without a declared date", async () => {
    service.sandbox.faults.add({ kind: "lateVisibility", ms: 30_000 });
    await killedAfterThePost(false, { publicIncidentUpdateDate: "2026-01-31T09:30:00Z" });
    await create(await machine.process(), words);
    expect(service.posts()).toHaveLength(1);
  });

  it("delays the next process by at most a minute when the clock was set back", async () => {
    await killedAfterThePost();
    service.deleteUpdatesByHand();
    jest.setSystemTime(Date.now() - 3_600_000);
    const began = Date.now();
    await create(await machine.process(), words);
    expect(Date.now() - began).toBeLessThan(75_000);
  });

  it.each<[string, object]>([
    ["another content", { description: "It is over." }],
    ["another occurrence", { occurrence: 2 }],
    ["another incident", { incidentId: "inc_card_declines" }],
  ])("does not delay a declaration with %s", async (_, args) => {
    await killedAfterThePost();
    const began = Date.now();
    await create(await machine.process(), { ...words, ...args });
    expect(Date.now() - began).toBeLessThan(1_000);
    expect(service.posts()).toHaveLength(2);
  });

  it("leaves a lock that expires after ten seconds", async () => {
    await killedAfterThePost(true);
    const began = Date.now();
    await create(await machine.process(), words);
    expect(Date.now() - began).toBeLessThan(15_000);
    expect(service.posts()).toHaveLength(1);
  });

  it("does not delay the same words with another date once the first are shown", async () => {
    const began = Date.now();
    for (const hour of ["10", "11", "12"])
      await create(await machine.process(), {
        ...words,
        publicIncidentUpdateDate: `2026-01-31T${hour}:00:00Z`,
      });
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(service.posts()).toHaveLength(3);
  });

  it("delays the next process by at most a minute after a response", async () => {
    await create(await machine.process(), words);
    const { sandbox } = service;
    sandbox.byHand.deleteUpdate(incidentId, service.published()[0]?.id ?? "");
    jest.setSystemTime(Date.now() + 30_000);
    const began = Date.now();
    await create(await machine.process(), words);
    expect(Date.now() - began).toBeGreaterThan(25_000);
    expect(Date.now() - began).toBeLessThan(35_000);
    expect(service.posts()).toHaveLength(2);
  });

  it("has no effect two minutes later", async () => {
    await killedAfterThePost();
    service.deleteUpdatesByHand();
    jest.setSystemTime(Date.now() + 121_000);
    const began = Date.now();
    await create(await machine.process(), words);
    expect(Date.now() - began).toBeLessThan(1_000);
  });
});

it("a renamed resource also searches for a post without a response", async () => {
  service.sandbox.faults.add({ kind: "reset", applied: true, operation: "createIncidentUpdate" });
  service.sandbox.faults.add({ kind: "lateVisibility", ms: 50_000 });
  const lost = create(await machine.process({ "monitoring:deadlineMs": "3000" }), words);
  expect((await failureOf(lost)).id).toContain("/unconfirmed-");
  const { id } = await create(await machine.process(), words);
  expect(id).toBe(idOf(service.published()[0]?.id));
  expect(service.posts()).toHaveLength(1);
});

it.each([422, 429])("a post with the response HTTP %i delays nothing", async (code) => {
  service.sandbox.faults.add({ kind: "status", code, operation: "createIncidentUpdate", times: 4 });
  await failureOf(create(await machine.process(), words));
  service.sandbox.faults.clear();
  const began = Date.now();
  await create(await machine.process(), words);
  expect(Date.now() - began).toBeLessThan(1_000);
});

it("a resent update delays nothing", async () => {
  service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
  const lost = await failureOf(create(await machine.process(), words));
  const process = await machine.process();
  const began = Date.now();
  await process.update(lost.id ?? "", lost.properties ?? {}, { ...words, onUnconfirmed: "resend" });
  expect(Date.now() - began).toBeLessThan(20_000);
  expect(service.posts()).toHaveLength(2);
});

describe("a lock that another process", () => {
  it("holds for more than a minute fails the run without a post", async () => {
    await create(await machine.process(), words);
    const [note = ""] = readdirSync(machine.folder);
    const lock = join(machine.folder, note.replace(".json", ".lock"));
    mkdirSync(lock);
    let renewing: NodeJS.Timeout | undefined;
    const renew = (): void => {
      utimesSync(lock, Date.now() / 1000, Date.now() / 1000);
      renewing = setTimeout(renew, 1_000);
    };
    renew();
    const failed = await failureOf(create(await machine.process(), { ...words, description: "It is over." }));
    clearTimeout(renewing);
    expect(failed.message).toBe(
      "Another process on this machine has been publishing to this incident for more than 60 s. Nothing was posted. Run `pulumi up` again.",
    );
    expect(service.posts()).toHaveLength(1);
  });

  it.each<[string, (note: string) => void]>([
    ["took over", (note) => writeFileSync(note, JSON.stringify({ holder: "another", sent: [] }))],
    ["took over and released", (note) => rmSync(note)],
  ])("%s prevents the post, and its note is left alone", async (_, happens) => {
    await withLock(machine.folder, "place", { notice: () => undefined }, (sentPosts) => {
      const note = noteIn(machine.folder);
      happens(note);
      const left = existsSync(note) && readFileSync(note, "utf8");
      expect(() => sentPosts.noteSending("content")).toThrow(
        "Another process on this machine took over the lock of this incident. Nothing was posted.",
      );
      sentPosts.noteApplied("content", "u1");
      sentPosts.noteNotApplied("content");
      expect(existsSync(note) && readFileSync(note, "utf8")).toBe(left);
      return Promise.resolve();
    });
  });
});

it("each content is noted on its own, until it can no longer appear", async () => {
  const notes = <T>(work: (sentPosts: SentPosts) => T): Promise<T> =>
    withLock(machine.folder, "place", { notice: () => undefined }, (sentPosts) =>
      Promise.resolve(work(sentPosts)),
    );
  const stillAppearsFor = (content: string, ...shown: string[]): Promise<number | undefined> =>
    notes((sentPosts) => {
      const until = sentPosts.mayAppearUntil(
        content,
        shown.map((id) => ({ id })),
      );
      return until === undefined ? until : until - Date.now();
    });
  await notes((sentPosts) =>
    ["rejected", "lost", "applied"].map((content) => sentPosts.noteSending(content)),
  );
  await notes((sentPosts) => {
    sentPosts.noteNotApplied("rejected");
    sentPosts.noteApplied("applied", "u1");
  });
  jest.setSystemTime(Date.now() + 20_000);
  expect(await stillAppearsFor("rejected")).toBeUndefined();
  expect(await stillAppearsFor("lost")).toBe(60_000);
  expect(await stillAppearsFor("applied", "u2")).toBe(40_000);
  expect(await stillAppearsFor("applied", "u1")).toBeUndefined();
  jest.setSystemTime(Date.now() + 101_000);
  await notes((sentPosts) => sentPosts.noteSending("next"));
  expect(readFileSync(noteIn(machine.folder), "utf8").match(/"digest"/g)).toHaveLength(1);
});

function noteIn(folder: string): string {
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".json")) ?? "no note");
}
