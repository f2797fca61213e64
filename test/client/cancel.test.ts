import { getEventListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { advance } from "./clock";
import {
  clientOf,
  collectGarbage,
  news,
  realProcess,
  send,
  serve,
  serveJson,
  serveRaw,
  until,
  update,
} from "./services";

const reason = new Error("The user changed their mind.");

describe("cancelling a read", () => {
  test("before it begins: nothing is sent", async () => {
    const service = await serveJson(update);
    const { client, events } = clientOf(service);
    const signal = AbortSignal.abort(reason);
    await expect(client.getIncidentUpdate("i1", "u1", { signal })).rejects.toBe(reason);
    await nextTurn();
    expect(events).toEqual([]);
    expect(service.requests).toEqual([]);
  });

  test.each([4, 1])(
    "while waiting for the response, of %i attempts: the request ends",
    async (maxAttempts) => {
      const service = await serveRaw(() => undefined);
      const cancel = new AbortController();
      const { client } = clientOf(service, { maxAttempts });
      const call = client.getIncidentUpdate("i1", "u1", { signal: cancel.signal });
      await until(() => service.requests.length === 1);
      cancel.abort(reason);
      await expect(call).rejects.toBe(reason);
      await until(() => service.connections.size === 0);
    },
  );

  test("in the middle of the response: the request ends", async () => {
    const service = await serve((response) => response.write('{"id":'));
    const cancel = new AbortController();
    const call = clientOf(service).client.getIncidentUpdate("i1", "u1", { signal: cancel.signal });
    await until(() => service.requests.length === 1);
    cancel.abort(reason);
    await expect(call).rejects.toBe(reason);
    await until(() => service.connections.size === 0);
  });

  test("between attempts: there is no other", async () => {
    const service = await serveJson({}, 503);
    const cancel = new AbortController();
    const { client, events } = clientOf(service);
    const call = client.getIncidentUpdate("i1", "u1", { signal: cancel.signal });
    await until(() => events.length === 1);
    cancel.abort(reason);
    await expect(call).rejects.toBe(reason);
    await advance(60_000);
    expect(service.requests).toHaveLength(1);
  });

  test("while it waits for its turn: it is never sent, and holds up no other", async () => {
    const waiting: (() => void)[] = [];
    const service = await serve((response) => waiting.push(() => send(response, update)));
    const { client } = clientOf(service, { maxConcurrency: 1 });
    const cancel = new AbortController();
    const first = client.getIncidentUpdate("i1", "u1");
    const second = client.getIncidentUpdate("i1", "u2", { signal: cancel.signal });
    const third = client.getIncidentUpdate("i1", "u3");
    await until(() => waiting.length === 1);
    cancel.abort(reason);
    await expect(second).rejects.toBe(reason);
    waiting.shift()?.();
    await first;
    await until(() => waiting.length === 1);
    waiting.shift()?.();
    await third;
    expect(service.requests.map(({ url }) => url.slice(-2))).toEqual(["u1", "u3"]);
  });

  test("after it ended: nothing happens", async () => {
    const cancel = new AbortController();
    const { client } = clientOf(await serveJson(update));
    await expect(client.getIncidentUpdate("i1", "u1", { signal: cancel.signal })).resolves.toEqual(update);
    cancel.abort(reason);
  });

  test.each([undefined, null, "a text", 0])("the reason may be anything, such as %p", async (odd) => {
    const { client } = clientOf(await serveJson(update));
    const signal = AbortSignal.abort(odd);
    await expect(client.getIncidentUpdate("i1", "u1", { signal })).rejects.toBe(signal.reason);
  });
});

describe("cancelling a write", () => {
  test("before it is sent: it never is, and the call rejects with the reason", async () => {
    const service = await serve((response) => send(response, update, 201));
    const cancel = new AbortController();
    const beforeSend = async () => {
      await Promise.resolve();
      cancel.abort(reason);
    };
    const { client } = clientOf(service);
    const call = client.createIncidentUpdate("i1", news, { signal: cancel.signal, beforeSend });
    await expect(call).rejects.toBe(reason);
    expect(service.requests).toEqual([]);
  });

  test("after HTTP 429: the call rejects with the reason", async () => {
    const service = await serveJson({}, 429);
    const cancel = new AbortController();
    const { client, events } = clientOf(service);
    const call = client.createIncidentUpdate("i1", news, { signal: cancel.signal });
    await until(() => events.length === 1);
    cancel.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(service.requests).toHaveLength(1);
  });
});

test("the client's own signal cancels every call, now and later", async () => {
  const service = await serveRaw(() => undefined);
  const cancel = new AbortController();
  const { client } = clientOf(service, { signal: cancel.signal });
  const calls = [client.getAlertChannel(1), client.getAlertChannel(2), client.listStatusPages().then()];
  await until(() => service.requests.length === 3);
  cancel.abort(reason);
  for (const call of calls) await expect(call).rejects.toBe(reason);
  await expect(client.getAlertChannel(3)).rejects.toBe(reason);
  await until(() => service.connections.size === 0);
  expect(service.requests).toHaveLength(3);
});

test("no call leaves a timer behind that would keep a program from ending", async () => {
  const service = await serve((response, { url }) => {
    if (url.endsWith("1")) send(response, update);
    if (url.endsWith("2")) send(response, {}, 404);
  });
  const { client } = clientOf(service);
  const cancel = new AbortController();
  const hanging = client.getIncidentUpdate("i1", "3", { signal: cancel.signal });
  await client.getIncidentUpdate("i1", "1");
  await expect(client.getIncidentUpdate("i1", "2")).rejects.toThrow("not found");
  await until(() => service.requests.length === 3);
  cancel.abort(reason);
  await expect(hanging).rejects.toBe(reason);
  await until(() => jest.getTimerCount() === 0);
});

test("a thousand calls may hang on one signal: no warning, and nothing stays on it", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  realProcess.on("warning", note);
  const service = await serve((response, { url }, turn) => {
    if (turn % 100 === 0) collectGarbage();
    send(response, update, url.endsWith("0") ? 404 : 200);
  });
  const [one, two] = [new AbortController().signal, new AbortController().signal];
  const { client } = clientOf(service, { signal: one });
  const calls = Array.from({ length: 1_000 }, (_, index) =>
    client.getIncidentUpdate("i1", index, { signal: two }),
  );
  const results = await Promise.allSettled(calls);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(900);
  for (const signal of [one, two]) expect(getEventListeners(signal, "abort")).toEqual([]);
  realProcess.off("warning", note);
  expect(warnings).toEqual([]);
});
