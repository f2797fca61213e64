/** What the lifecycle of `IncidentUpdate` reads before it posts, and what it finds there. */
import { wellKnown } from "../../../sandbox";
import { create, inputsOf } from "../phases";
import { incidentId, named, Service, words } from "../updateProcess";

const service = new Service();

it("an update that exists is adopted, also with other white space and ways to write a character, which are recorded later", async () => {
  const spelt = "  Caf\u00e9 tills  are\r\nslow. ";
  const existing = service.putByHand({ description: spelt });
  const { id, outs } = await service.declare({ description: "Cafe\u0301 tills are slow." });
  expect(id).toBe(`${incidentId}/${existing}`);
  expect(service.notices).toEqual([
    expect.stringContaining(`an identical update (${existing}) has existed in incident ${incidentId} since `),
  ]);
  const process = await service.process();
  const inputs = await inputsOf(process, { ...named, description: spelt });
  expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
  const { outs: recorded = {} } = await process.update(id, outs, inputs);
  expect(service.notices.at(-1)).toContain(
    "description differs only in white space, HTML entities or Unicode",
  );
  expect(await process.diff(id, recorded, inputs)).toEqual({ changes: false, replaces: [] });
  expect(service.posts).toEqual([]);
});

it("an update costs two requests when it is created, one for all of its incident on refresh, and none when nothing changed", async () => {
  const { checkoutLatency, cardDeclines } = wellKnown.statusPageIncidents;
  const incidents = [checkoutLatency, cardDeclines];
  const updates = incidents.flatMap((each) =>
    [1, 2, 3].map((hour) => ({
      ...words,
      __resource: `${each}-${hour}`,
      incidentId: each,
      description: `Hour ${hour}.`,
    })),
  );
  const first = await service.process();
  const declared = await Promise.all(updates.map((args) => create(first, args)));
  expect(service.posts).toHaveLength(updates.length);
  expect(service.sandbox.requests).toHaveLength(2 * updates.length);
  service.sandbox.clearRequests();
  const second = await service.process();
  const read = await Promise.all(declared.map(({ id, outs }) => second.read(id, outs)));
  const asked = service.sandbox.requests.map(({ path }) => path.split("/").at(-1));
  expect(asked.sort()).toEqual(incidents.sort());
  service.sandbox.clearRequests();
  const third = await service.process();
  for (const [index, { id = "", props = {} }] of read.entries()) {
    const inputs = await inputsOf(third, updates[index] ?? {});
    expect(await third.diff(id, props, inputs)).toEqual({ changes: false, replaces: [] });
  }
  expect(service.sandbox.requests).toEqual([]);
});
