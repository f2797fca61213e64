/** What `onRequest` is called with, and that it can't change the result of a call. */
import { advance, skipWaits } from "./clock";
import {
  apiKey,
  clientOf,
  failureOf,
  read,
  realProcess,
  serve,
  serveJson,
  serveRaw,
  until,
  update,
  write,
} from "./services";

afterEach(() => jest.restoreAllMocks());

const headers = { deprecation: "@1767225600", sunset: "Wed, 11 Nov 2026 23:59:59 GMT" };

/** A service that sends these headers with each response. */
const serviceWith = (sent: Record<string, string>) =>
  serve((response) => response.writeHead(200, sent).end(JSON.stringify(update)));

describe("onRequest", () => {
  test("reports each attempt: operation, method, path template, attempt, status, time, and the wait after it", async () => {
    jest.spyOn(Math, "random").mockReturnValue(0.5);
    const watched = clientOf(await serveJson(update, 503, 200), { accountId: "acc-1" });
    await skipWaits(watched, read);
    const common = {
      operation: "getIncidentUpdate",
      method: "GET",
      path: "/v1/status-pages/incidents/{incidentId}/incident-updates/{incidentUpdateId}",
      ms: expect.any(Number),
    };
    expect(watched.events).toEqual([
      { ...common, attempt: 1, status: 503, waitMs: 125 },
      { ...common, attempt: 2, status: 200 },
    ]);
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

describe("onRequest, of a deprecated operation,", () => {
  async function announcedWith(sent: Record<string, string>) {
    const watched = clientOf(await serviceWith(sent));
    await read(watched);
    return watched.events.map(({ deprecation, sunset }) => ({ deprecation, sunset }));
  }

  test.each<[string, Record<string, string>]>([
    ["both headers", headers],
    ["only Sunset", { sunset: headers.sunset }],
    ["only Deprecation", { deprecation: "true" }],
  ])("reports %s", async (_, sent) => {
    await expect(announcedWith(sent)).resolves.toEqual([sent]);
  });

  test.each<Record<string, string>>([{}, { deprecation: "", sunset: " " }])(
    "reports nothing when the headers are %j",
    async (sent) => {
      await expect(announcedWith(sent)).resolves.toEqual([{}]);
    },
  );

  test("masks the key in the headers, and makes them one short line", async () => {
    const [event] = await announcedWith({ deprecation: `${apiKey} \u009b31m${"x".repeat(1_000)}` });
    expect(event?.deprecation).toBe(`[hidden] 31m${"x".repeat(288)}…`);
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
  await expect(write(clientOf(await serviceWith(headers), listener))).resolves.toEqual(update);
  let turns = 0;
  await until(() => ++turns > 10);
  realProcess.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
