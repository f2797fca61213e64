import { clientOf, failureOf, news, send, serve, until, update } from "./services";

/** A service that answers when it is let go. */
async function held(json: unknown = update) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const service = await serve((response) => void released.then(() => send(response, json)));
  return { service, release };
}

test("equal reads in flight are one request, answered to each", async () => {
  const { service, release } = await held();
  const { client } = clientOf(service);
  const calls = Array.from({ length: 20 }, () => client.getIncidentUpdate("i1", "u1"));
  release();
  await expect(Promise.all(calls)).resolves.toEqual(calls.map(() => update));
  expect(service.requests).toHaveLength(1);
});

test("each caller gets an object of its own, to the depths that the contract doesn't describe", async () => {
  const { service, release } = await held({ id: 7, type: "WEBHOOK", config: { headers: [{ name: "a" }] } });
  const { client } = clientOf(service);
  const calls = Promise.all([
    client.getAlertChannel(7),
    client.getAlertChannel(7),
    client.getAlertChannel(7),
  ]);
  release();
  const [one, ...others] = await calls;
  one.config.headers = "mine";
  expect(others[0]).toEqual(others[1]);
  expect(others[0].config.headers).not.toBe(others[1].config.headers);
  expect(others[0].config.headers).toEqual([{ name: "a" }]);
});

test("reads that differ are requests of their own, and so are writes", async () => {
  const { service, release } = await held({ ...update, name: "x", incidentUpdates: [] });
  const { client } = clientOf(service);
  const calls = [
    client.getIncident("i1"),
    client.getIncident("i1", { includeAllIncidentUpdates: true }),
    client.getIncident("i2"),
    client.getStatusPageIncident("i1"),
    client.createIncidentUpdate("i1", news),
    client.createIncidentUpdate("i1", news),
  ];
  release();
  await Promise.all(calls);
  expect(service.requests).toHaveLength(6);
});

test("a caller may ask for a read of its own", async () => {
  const { service, release } = await held();
  const { client } = clientOf(service);
  const own = { shared: false };
  const calls = [client.getIncidentUpdate("i1", "u1"), client.getIncidentUpdate("i1", "u1", own)];
  calls.push(client.getIncidentUpdate("i1", "u1", own), client.getIncidentUpdate("i1", "u1"));
  release();
  await Promise.all(calls);
  expect(service.requests).toHaveLength(3);
});

test("a read that has ended is never given to a later caller, whether it went well or not", async () => {
  const service = await serve((response, _, turn) =>
    send(response, { ...update, votes: turn }, turn === 1 ? 404 : 200),
  );
  const { client } = clientOf(service);
  const read = () => client.getIncidentUpdate("i1", "u1");
  const [failed, after] = [failureOf(read()), read().catch(read)];
  expect((await failed).name).toBe("NotFoundError");
  await expect(after).resolves.toMatchObject({ votes: 2 });
  await expect(read()).resolves.toMatchObject({ votes: 3 });
});

test("a failure is told to each caller", async () => {
  const service = await serve((response) => send(response, {}, 403));
  const { client } = clientOf(service);
  const failures = await Promise.all([1, 2, 3].map(() => failureOf(client.getAlertChannel(7))));
  expect(failures.map(({ name }) => name)).toEqual(Array(3).fill("PermissionError"));
  expect(service.requests).toHaveLength(1);
});

describe("when callers of one request leave", () => {
  test("the others still get their answer", async () => {
    const { service, release } = await held();
    const { client } = clientOf(service);
    const leaver = new AbortController();
    const left = client.getIncidentUpdate("i1", "u1", { signal: leaver.signal });
    const stays = client.getIncidentUpdate("i1", "u1");
    await until(() => service.requests.length === 1);
    leaver.abort(new Error("I leave"));
    await expect(left).rejects.toThrow("I leave");
    release();
    await expect(stays).resolves.toEqual(update);
    expect(service.requests).toHaveLength(1);
  });

  test("the last one ends the request", async () => {
    const { service } = await held();
    const { client } = clientOf(service);
    const leavers = [new AbortController(), new AbortController()];
    const calls = leavers.map(({ signal }) => client.getIncidentUpdate("i1", "u1", { signal }));
    await until(() => service.requests.length === 1);
    for (const leaver of leavers) leaver.abort();
    for (const call of calls) await expect(call).rejects.toThrow("aborted");
    await until(() => service.connections.size === 0);
  });

  test("whoever comes in the same moment is not cancelled with them", async () => {
    const { service, release } = await held();
    const { client } = clientOf(service);
    const leaver = new AbortController();
    const left = client.getIncidentUpdate("i1", "u1", { signal: leaver.signal });
    await until(() => service.requests.length === 1);
    leaver.abort();
    const atOnce = client.getIncidentUpdate("i1", "u1");
    await expect(left).rejects.toThrow("aborted");
    const later = client.getIncidentUpdate("i1", "u1");
    release();
    await expect(Promise.all([atOnce, later])).resolves.toEqual([update, update]);
  });

  test("whoever comes after the last has left gets a request of its own", async () => {
    const { service, release } = await held();
    const { client } = clientOf(service);
    const leaver = new AbortController();
    const left = client.getIncidentUpdate("i1", "u1", { signal: leaver.signal });
    await until(() => service.requests.length === 1);
    leaver.abort();
    await expect(left).rejects.toThrow("aborted");
    const later = client.getIncidentUpdate("i1", "u1");
    await until(() => service.requests.length === 2);
    release();
    await expect(later).resolves.toEqual(update);
  });

  test("a signal that has fired before never joins", async () => {
    const { service, release } = await held();
    const { client } = clientOf(service);
    const call = client.getIncidentUpdate("i1", "u1");
    const gone = AbortSignal.abort(new Error("gone"));
    await expect(client.getIncidentUpdate("i1", "u1", { signal: gone })).rejects.toThrow("gone");
    release();
    await expect(call).resolves.toEqual(update);
  });
});

test("a read that isn't shared is answered by no cache, either", async () => {
  const service = await serve((response) => send(response, update));
  const { client } = clientOf(service);
  await client.getIncidentUpdate("i1", "u1", { shared: false });
  await client.getIncidentUpdate("i1", "u1");
  expect(service.requests.map(({ headers }) => headers["cache-control"])).toEqual(["no-cache", undefined]);
});
