import { type FaultInput, type Sandbox, SandboxError, wellKnown } from "../../sandbox";
import { ask, created, failure, latestId, news, post, read, updatesPath, withFault } from "./sandboxes";

describe("a fault affects", () => {
  const unavailable = { kind: "status", code: 503 } as const;
  const account = wellKnown.accounts.labs;
  const list = (sandbox: Sandbox) => ask(sandbox, "/v1/status-pages");
  const listOfLabs = (sandbox: Sandbox) => ask(sandbox, "/v1/status-pages", { account });
  const listWithoutKey = (sandbox: Sandbox) => ask(sandbox, "/v1/status-pages", { apiKey: null });

  const statuses = async (sandbox: Sandbox, requests: ((sandbox: Sandbox) => Promise<Response>)[]) => {
    const seen: number[] = [];
    for (const request of requests) seen.push((await request(sandbox)).status);
    return seen;
  };

  test.each<[string, object, Parameters<typeof statuses>[1], number[]]>([
    ["all requests by default", {}, [read, read, read, post], [503, 503, 503, 503]],
    ["requests of one operation", { operation: "createIncidentUpdate" }, [read, post], [200, 503]],
    ["requests for one account", { account }, [list, listOfLabs], [200, 503]],
    [
      "no requests without a key, which don't count",
      { times: 1 },
      [listWithoutKey, list, list],
      [401, 503, 200],
    ],
  ])("%s", async (_, which, requests, expected) => {
    expect(await statuses(await withFault({ ...unavailable, ...which }), requests)).toEqual(expected);
  });

  test("all but the first requests, up to a maximum", async () => {
    const sandbox = await withFault({ ...unavailable, skip: 1, times: 2 });
    expect(await statuses(sandbox, [read, read, read, read, read])).toEqual([200, 503, 503, 200, 200]);
    expect(sandbox.faults.list()).toMatchObject([{ matched: 5, struck: 2 }]);
  });

  test("requests with a probability, reproducible by seed", async () => {
    const reads = Array.from({ length: 100 }, () => read);
    const draw = async (seed: number) =>
      statuses(await withFault({ ...unavailable, probability: 0.3, seed }), reads);
    const [one, again, other] = [await draw(1), await draw(1), await draw(2)];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    const struck = one.filter((status) => status === 503).length;
    expect(struck).toBeGreaterThan(15);
    expect(struck).toBeLessThan(45);
  });

  test("with others: the first one that replaces the response wins, delays add up", async () => {
    const delay: FaultInput = { kind: "latency", ms: 20 };
    const sandbox = await withFault(
      ...[delay, { ...unavailable, times: 1 }, { kind: "status", code: 500 } as const, delay],
    );
    const start = performance.now();
    expect((await read(sandbox)).status).toBe(503);
    expect(performance.now() - start).toBeGreaterThanOrEqual(38);
    expect((await read(sandbox)).status).toBe(500);
    const kinds = ["latency", "status", "latency"];
    expect(sandbox.requests.map(({ faults }) => faults)).toEqual([kinds, kinds]);
    expect(sandbox.faults.list().map(({ struck }) => struck)).toEqual([2, 1, 1, 2]);
  });

  test("nothing when it is invalid, and every mistake is reported", async () => {
    const { faults } = await withFault();
    const adding = () => faults.add({ kind: "status", code: 99, times: 0 });
    expect(adding).toThrow(SandboxError);
    expect(adding).toThrow(/\[0\]\.times: .*\n.*\[0\]\.code: /);
    expect(() => faults.add({ kind: "lateVisibility" })).toThrow("ms or reads is missing");
    expect(faults.list()).toEqual([]);
  });
});

describe("whether a write is applied", () => {
  test.each<[FaultInput, number]>([
    [{ kind: "status", code: 500 }, 0],
    [{ kind: "status", code: 500, applied: true }, 1],
    [{ kind: "rateLimit" }, 0],
    [{ kind: "redirect", location: "https://elsewhere.example/" }, 0],
    [{ kind: "html" }, 0],
    [{ kind: "html", applied: true }, 1],
    [{ kind: "wrongJson" }, 1],
    [{ kind: "wrongJson", applied: false }, 0],
    [{ kind: "empty" }, 1],
    [{ kind: "empty", applied: false }, 0],
    [{ kind: "drip", bytes: 1000 }, 1],
    [{ kind: "drip", bytes: 1000, applied: false }, 0],
    [{ kind: "cut" }, 1],
    [{ kind: "cut", applied: false }, 0],
    [{ kind: "reset" }, 0],
    [{ kind: "reset", applied: true }, 1],
    [{ kind: "answer" }, 0],
    [{ kind: "answer", applied: true }, 1],
    [{ kind: "latency", ms: 1 }, 1],
  ])("%j: %i", async (fault, applied) => {
    const sandbox = await withFault(fault);
    await failure(post(sandbox));
    expect(created(sandbox)).toBe(applied);
    expect(sandbox.requests).toMatchObject([{ applied: applied === 1, faults: [fault.kind] }]);
  });

  test("a write that the service rejects is not applied, whatever the fault", async () => {
    const sandbox = await withFault({ kind: "reset", applied: true });
    await failure(post(sandbox, { ...news, status: "CLOSED" }));
    await failure(ask(sandbox, updatesPath, { json: news, apiKey: null }));
    expect(created(sandbox)).toBe(0);
    expect(sandbox.requests.map(({ applied }) => applied)).toEqual([false]);
  });
});

describe("lateVisibility", () => {
  const seen = async (sandbox: Sandbox, id: string) =>
    (await ask(sandbox, `${updatesPath}/${id}`)).status === 200;
  const create = async (sandbox: Sandbox) => {
    await post(sandbox, { ...news, notifySubscribers: true });
    return latestId(sandbox);
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
});
