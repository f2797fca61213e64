/** Processes of one machine that publish to one incident: one at a time, also after one was killed. */
import { cpSync, mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { until } from "../client/services";
import { Machine } from "./machine";
import { create } from "../lifecycles/phases";
import { failureOf, Service, words } from "../lifecycles/updateProcess";

const service = new Service();
const machine = new Machine(service);
const other = { ...words, incidentId: "inc_card_declines" };

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
  await create(two, other);
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

it("a lock that another process holds for longer than any update takes fails the run without a post", async () => {
  await create(await machine.process(), words);
  const [note = ""] = readdirSync(machine.folder);
  const lock = join(machine.folder, `${note}.lock`);
  mkdirSync(lock);
  // As if it was renewed for ten minutes.
  const renewed = Date.now() / 1000 + 600;
  utimesSync(lock, renewed, renewed);
  setTimeout(() => jest.setSystemTime(Date.now() + 190_000), 1_000);
  const failed = await failureOf(create(await machine.process(), { ...words, description: "It is over." }));
  expect(failed.message).toBe(
    "Another process has been publishing to this incident for more than 190 s. Nothing was posted. Run `pulumi up` again.",
  );
  expect(service.posts).toHaveLength(1);
});
