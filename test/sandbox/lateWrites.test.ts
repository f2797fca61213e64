import type { Sandbox } from "../../sandbox";
import { ask, created, failure, incidentId, news, post, read, updatesPath, withFault } from "./sandboxes";

const seen = async (sandbox: Sandbox, updateId: string) => {
  const single = await ask(sandbox, `${updatesPath}/${updateId}`);
  return single.status === 200;
};
const create = async (sandbox: Sandbox): Promise<string> => {
  await post(sandbox, { ...news, notifySubscribers: true });
  return sandbox.incident(incidentId).incidentUpdates[0]?.id ?? "";
};

test("a write is returned after a number of reads", async () => {
  const sandbox = await withFault({ kind: "lateVisibility", reads: 3 });
  const id = await create(sandbox);
  const incident = await (await read(sandbox)).json();
  expect(incident).toMatchObject({ lastUpdateStatus: "IDENTIFIED", incidentUpdates: [{}, {}] });
  expect(await (await ask(sandbox, "/v1/status-pages?limit=100")).text()).not.toContain(id);
  expect(await seen(sandbox, id)).toBe(false);
  expect(await seen(sandbox, id)).toBe(true);
  expect(await (await read(sandbox)).json()).toMatchObject({ lastUpdateStatus: "MONITORING" });
});

test("a write that reads don't return yet is on the page, and its emails are sent", async () => {
  const sandbox = await withFault({ kind: "lateVisibility", ms: 600_000 });
  const id = await create(sandbox);
  for (let turn = 0; turn < 5; turn += 1) expect(await seen(sandbox, id)).toBe(false);
  expect(await (await ask(sandbox, "/")).text()).toContain(id);
  expect(sandbox.mailed(id)).toBeGreaterThan(0);
  sandbox.faults.clear();
  expect(await seen(sandbox, id)).toBe(true);
});

test("a write is returned after a time", async () => {
  const sandbox = await withFault({ kind: "lateVisibility", ms: 30 });
  const id = await create(sandbox);
  while (!(await seen(sandbox, id)));
  expect(await (await read(sandbox)).text()).toContain(id);
});

test("combines with a lost response", async () => {
  const sandbox = await withFault(
    { kind: "lateVisibility", reads: 1 },
    { kind: "reset", applied: true, operation: "createIncidentUpdate" },
  );
  expect(await failure(post(sandbox))).toBe("ECONNRESET");
  expect(await (await read(sandbox)).json()).toMatchObject({ incidentUpdates: [{}, {}] });
  expect(created(sandbox)).toBe(1);
});
