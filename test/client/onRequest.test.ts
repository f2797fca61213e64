import { advance, skipWaits } from "./clock";
import {
  clientOf,
  failureOf,
  news,
  nobodyListens,
  realProcess,
  send,
  serve,
  serveJson,
  serveRaw,
  until,
  update,
} from "./services";

afterEach(() => jest.restoreAllMocks());

test("each attempt is reported: operation, method, path template, attempt, status, time, and the wait after it", async () => {
  jest.spyOn(Math, "random").mockReturnValue(0.5);
  const service = await serve((response, _, turn) => send(response, update, turn === 1 ? 503 : 200));
  const { client, events } = clientOf(service, { accountId: "acc-1" });
  await skipWaits(client.getIncidentUpdate("i1", "u1"), events);
  const common = {
    operation: "getIncidentUpdate",
    method: "GET",
    path: "/v1/status-pages/incidents/{incidentId}/incident-updates/{incidentUpdateId}",
    ms: expect.any(Number),
  };
  expect(events).toEqual([
    { ...common, attempt: 1, status: 503, waitMs: 125 },
    { ...common, attempt: 2, status: 200 },
  ]);
});

test("an attempt without a response has no status", async () => {
  const { client, events } = clientOf({ url: nobodyListens }, { maxAttempts: 1 });
  await failureOf(client.getAlertChannel(7));
  expect(events).toStrictEqual([
    { operation: "getAlertChannel", method: "GET", path: "/v1/alert-channels/{id}", attempt: 1, ms: 0 },
  ]);
});

test("the time is that of the attempt", async () => {
  const service = await serveRaw(() => undefined);
  const { client, events } = clientOf(service, { maxAttempts: 1, timeoutMs: 1_234 });
  const failure = failureOf(client.createIncidentUpdate("i1", news));
  await until(() => service.requests.length === 1);
  await advance(1_234);
  await failure;
  expect(events).toEqual([
    {
      operation: "createIncidentUpdate",
      method: "POST",
      path: "/v1/status-pages/incidents/{incidentId}/incident-updates",
      attempt: 1,
      ms: 1_234,
    },
  ]);
});

test("each page is reported", async () => {
  const service = await serve((response, _, turn) =>
    send(response, { entries: [], nextId: turn === 1 ? "b" : null }),
  );
  const { client, events } = clientOf(service);
  for await (const entry of client.listStatusPages()) expect(entry).toBeDefined();
  expect(events.map(({ operation, path }) => [operation, path])).toEqual(
    Array(2).fill(["listStatusPages", "/v1/status-pages"]),
  );
});

test("what is refused before any request is no attempt", async () => {
  const { client, events } = clientOf({ url: "https://api.example.com" });
  await failureOf(client.getAlertChannel("../x"));
  expect(events).toEqual([]);
});

test.each<[string, () => void]>([
  [
    "throws",
    () => {
      throw new Error("in the hook");
    },
  ],
  ["rejects", () => Promise.reject(new Error("in the hook"))],
])("a hook that %s changes nothing", async (_, onRequest) => {
  const loose: unknown[] = [];
  const note = (reason: unknown) => loose.push(reason);
  realProcess.on("unhandledRejection", note);
  const { client } = clientOf(await serveJson(update), { onRequest });
  await expect(client.createIncidentUpdate("i1", news)).resolves.toEqual(update);
  let turns = 0;
  await until(() => ++turns > 10);
  realProcess.off("unhandledRejection", note);
  expect(loose).toEqual([]);
});
