/** Processes of one machine that publish to one incident: one at a time, and each knows the posts of the previous ones. */
import { cpSync, mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { Machine } from "./machine";
import { create } from "../lifecycles/phases";
import { failureOf, incidentId, Service, words } from "../lifecycles/updateProcess";

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

  it("makes the next process adopt the update without a declared date", async () => {
    service.sandbox.faults.add({ kind: "lateVisibility", ms: 30_000 });
    await killedAfterThePost(false, { publicIncidentUpdateDate: "2026-01-31T09:30:00Z" });
    await create(await machine.process(), words);
    expect(service.posts()).toHaveLength(1);
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
    const lock = join(machine.folder, `${note}.lock`);
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
      "Another process has been publishing to this incident for more than 180 s. Nothing was posted. Run `pulumi up` again.",
    );
    expect(service.posts()).toHaveLength(1);
  });
});
