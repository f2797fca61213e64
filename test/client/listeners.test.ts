/** What `onRequest` is called with, and that it can't change the result of a call. */
import { advance, skipWaits } from "./clock";
import {
  clientOf,
  failureOf,
  read,
  realProcess,
  send,
  serve,
  serveJson,
  serveRaw,
  until,
  update,
  write,
} from "./services";

afterEach(() => jest.restoreAllMocks());

describe("onRequest", () => {
  test("reports each attempt: operation, method, path template, attempt, status, time, and the wait after it", async () => {
    jest.spyOn(Math, "random").mockReturnValue(0.5);
    const watched = clientOf(await serveJson(update, 503, 200), { accountId: "acc-1" });
    await skipWaits(watched, read);
    const common = {
      operation: "getIncidentUpdate",
      method: "GET",
      path: "/v1/status-pages/incidents/{incidentId}/incident-updates/{incidentUpdateId}",
      date: expect.stringMatching(/ GMT$/),
      ms: expect.any(Number),
    };
    expect(watched.events).toEqual([
      { ...common, attempt: 1, status: 503, waitMs: 125 },
      { ...common, attempt: 2, status: 200 },
    ]);
  });

  test("reports how long the service holds back all calls, also when this one isn't sent again", async () => {
    const limited = await serve((response) => {
      response.setHeader("retry-after", "30");
      send(response, {}, 429);
    });
    const watched = clientOf(limited, { maxAttempts: 2 });
    await skipWaits(watched, async () => failureOf(read(watched)));
    expect(watched.events).toMatchObject([{ waitMs: 30_000, pauseMs: 30_000 }, { pauseMs: 30_000 }]);
    expect(watched.events[1]).not.toHaveProperty("waitMs");
  });

  test("reports the time of an attempt without a response, and no status", async () => {
    const service = await serveRaw(() => undefined);
    const watched = clientOf(service, { timeoutMs: 1_234 });
    const failure = failureOf(write(watched));
    await until(() => service.requests.length === 1);
    await advance(1_234);
    await failure;
    const path = "/v1/status-pages/incidents/{incidentId}/incident-updates";
    expect(watched.events).toStrictEqual([
      { operation: "createIncidentUpdate", method: "POST", path, attempt: 1, ms: 1_234 },
    ]);
  });
});

const mistake = () => {
  throw new Error("in the listener");
};

test.each<[string, object]>([
  ["onRequest that throws", { onRequest: mistake }],
  ["onRequest that rejects", { onRequest: () => Promise.reject(new Error("in the listener")) }],
])("an %s changes nothing", async (_, listener) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  realProcess.on("unhandledRejection", note);
  await expect(write(clientOf(await serveJson(update), listener))).resolves.toEqual(update);
  let turns = 0;
  await until(() => ++turns > 10);
  realProcess.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
