import { getEventListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type MonitoringClient } from "../../provider/client";
import { advance } from "./clock";
import {
  clientOf,
  collectGarbage,
  news,
  realProcess,
  type Respond,
  send,
  serve,
  serveJson,
  serveRaw,
  until,
  update,
} from "./services";

const reason = new Error("The user changed their mind.");

test.each([reason, undefined, null, "a text", 0])(
  "before it begins: nothing is sent, and the reason may be %p",
  async (anything) => {
    const service = await serveJson(update);
    const { client, events } = clientOf(service);
    const signal = AbortSignal.abort(anything);
    await expect(client.getIncidentUpdate("i1", "u1", { signal })).rejects.toBe(signal.reason);
    await nextTurn();
    expect(events).toEqual([]);
    expect(service.requests).toEqual([]);
  },
);

test.each<[string, Respond, number]>([
  ["while waiting for the response", () => undefined, 4],
  ["while waiting for the response to the only attempt", () => undefined, 1],
  ["in the middle of the response", (response) => response.write('{"id":'), 4],
])("%s: the request ends", async (_, respond, maxAttempts) => {
  const service = await serve(respond);
  const cancel = new AbortController();
  const { client } = clientOf(service, { maxAttempts });
  const call = client.getIncidentUpdate("i1", "u1", { signal: cancel.signal });
  await until(() => service.requests.length === 1);
  cancel.abort(reason);
  await expect(call).rejects.toBe(reason);
  await until(() => service.connections.size === 0);
});

type Call = (client: MonitoringClient, options: { signal: AbortSignal }) => Promise<unknown>;
test.each<[string, number, Call]>([
  ["a read", 503, (client, options) => client.getIncidentUpdate("i1", "u1", options)],
  ["a write", 429, (client, options) => client.createIncidentUpdate("i1", news, options)],
])("between attempts of %s, after HTTP %i: there is no other", async (_, status, start) => {
  const service = await serveJson({}, status);
  const cancel = new AbortController();
  const { client, events } = clientOf(service);
  const call = start(client, { signal: cancel.signal });
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

test("before a write is sent, by its beforeSend: it never is", async () => {
  const service = await serveJson(update);
  const cancel = new AbortController();
  const beforeSend = async () => {
    await Promise.resolve();
    cancel.abort(reason);
  };
  const options = { signal: cancel.signal, beforeSend };
  const call = clientOf(service).client.createIncidentUpdate("i1", news, options);
  await expect(call).rejects.toBe(reason);
  expect(service.requests).toEqual([]);
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
