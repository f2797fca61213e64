import { type FaultInput, type Sandbox, SandboxError, wellKnown } from "../../sandbox";
import {
  ask,
  created,
  failure,
  incidentPath,
  news,
  post,
  read,
  sandboxWith,
  updatesPath,
  withFault,
} from "./sandboxes";

describe("a fault affects", () => {
  const unavailable = { kind: "status", code: 503 } as const;
  const statuses = async (sandbox: Sandbox, count: number) => {
    const seen: number[] = [];
    for (let turn = 0; turn < count; turn += 1) seen.push((await read(sandbox)).status);
    return seen;
  };

  test("all requests by default", async () => {
    const sandbox = await withFault(unavailable);
    expect(await statuses(sandbox, 3)).toEqual([503, 503, 503]);
    expect((await post(sandbox)).status).toBe(503);
  });

  test("requests of one operation", async () => {
    const sandbox = await withFault({ ...unavailable, operation: "createIncidentUpdate" });
    expect((await read(sandbox)).status).toBe(200);
    expect((await post(sandbox)).status).toBe(503);
  });

  test("requests for one account", async () => {
    const account = wellKnown.accounts.labs;
    const sandbox = await withFault({ ...unavailable, account });
    expect((await ask(sandbox, "/v1/status-pages")).status).toBe(200);
    expect((await ask(sandbox, "/v1/status-pages", { account })).status).toBe(503);
  });

  test("all but the first requests, up to a maximum", async () => {
    const sandbox = await withFault({ ...unavailable, skip: 1, times: 2 });
    expect(await statuses(sandbox, 5)).toEqual([200, 503, 503, 200, 200]);
    expect(sandbox.faults.list()).toMatchObject([{ matched: 5, struck: 2 }]);
  });

  test("requests with a probability, reproducible by seed", async () => {
    const draw = async (seed: number) =>
      statuses(await withFault({ ...unavailable, probability: 0.3, seed }), 100);
    const [one, again, other] = [await draw(1), await draw(1), await draw(2)];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    const struck = one.filter((status) => status === 503).length;
    expect(struck).toBeGreaterThan(15);
    expect(struck).toBeLessThan(45);
  });

  test("with others: the first one that replaces the response wins, delays add up", async () => {
    const sandbox = await withFault(
      { kind: "latency", ms: 20 },
      { ...unavailable, times: 1 },
      { kind: "status", code: 500 },
      { kind: "latency", ms: 20 },
    );
    const start = performance.now();
    expect((await read(sandbox)).status).toBe(503);
    expect(performance.now() - start).toBeGreaterThanOrEqual(38);
    expect((await read(sandbox)).status).toBe(500);
    expect(sandbox.requests.map(({ faults }) => faults)).toEqual([
      ["latency", "status", "latency"],
      ["latency", "status", "latency"],
    ]);
    expect(sandbox.faults.list().map(({ struck }) => struck)).toEqual([2, 1, 1, 2]);
  });

  test("requests before authentication, as a proxy does", async () => {
    const sandbox = await withFault(unavailable);
    expect((await ask(sandbox, incidentPath, { apiKey: null })).status).toBe(503);
  });

  test("nothing after it is removed", async () => {
    const sandbox = await withFault(unavailable);
    sandbox.faults.clear();
    expect((await read(sandbox)).status).toBe(200);
    sandbox.faults.add({ kind: "status", code: 500 });
    expect((await read(sandbox)).status).toBe(500);
  });

  test("nothing when it is invalid, and every mistake is reported", async () => {
    const { faults } = await sandboxWith();
    expect(() => faults.add({ kind: "status", code: 99, times: 0 })).toThrow(SandboxError);
    expect(() => faults.add({ kind: "status", code: 99, times: 0 })).toThrow(
      /\[0\]\.times: .*\n.*\[0\]\.code: /,
    );
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
    await post(sandbox)
      .then((response) => response.text())
      .catch(() => "no answer");
    expect(created(sandbox)).toBe(applied);
    expect(sandbox.requests).toMatchObject([{ applied: applied === 1, faults: [fault.kind] }]);
  });

  test("a write that the service rejects is not applied, whatever the fault", async () => {
    const sandbox = await withFault({ kind: "reset", applied: true });
    await failure(post(sandbox, { ...news, status: "CLOSED" }));
    await failure(ask(sandbox, updatesPath, { json: news, apiKey: null }));
    expect(created(sandbox)).toBe(0);
    expect(sandbox.requests.map(({ applied }) => applied)).toEqual([false, false]);
  });
});
