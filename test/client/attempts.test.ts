/** A call is sent again if that may help, and a write only if it was provably not applied. `onRequest` is called after each attempt. */
import { type ClientOptions, MonitoringError } from "../../provider/client";
import { advance, skipWaits } from "./clock";
import {
  apiKey,
  createClient,
  edit,
  catchError,
  news,
  nobodyListens,
  rawResponse,
  read,
  realProcess,
  send,
  serve,
  serveJson,
  serveRaw,
  until,
  update,
  type Watched,
  write,
} from "./services";

afterEach(() => jest.restoreAllMocks());

/**
 * Returns the number of attempts and the result of a call. The service sends these bytes in turn and repeats the last; "" resets the
 * connection.
 */
async function attempted(call: (watched: Watched) => Promise<unknown>, ...wires: string[]) {
  const service = await serveRaw((socket, turn) => {
    const wire = wires[turn - 1] ?? wires.at(-1) ?? "";
    if (wire === "") socket.resetAndDestroy();
    else socket.end(wire);
  });
  const watched = createClient(service);
  const result = await skipWaits(watched, call).catch((error: unknown) => error);
  expect(watched.events.map(({ attempt }) => attempt)).toEqual(service.requests.map((_, index) => index + 1));
  return { attempts: service.requests.length, result };
}

const text = JSON.stringify(update);
const good = rawResponse(200, text, "Connection: close");

// test/client/errors.test.ts tests which results allow another attempt.
test.each([
  ["a read", "HTTP 503", read, rawResponse(503, "<html>")],
  ["a read", "a body of no length that stops short", read, `HTTP/1.1 200 OK\r\n\r\n${text.slice(0, -1)}`],
  ["a read", "a reset", read, ""],
])("%s is sent again, at most three times, after %s", async (_, __, call, wire = "") => {
  expect(await attempted(call, wire, wire, wire, good)).toEqual({ attempts: 4, result: update });
  const failed = await attempted(call, wire);
  expect(failed).toEqual({ attempts: 4, result: expect.any(MonitoringError) as unknown });
});

test("a call is sent again after 429 within its time limit, or once if it has one attempt", async () => {
  const limited = Array.from({ length: 6 }, () => rawResponse(429));
  for (const call of [read, write])
    expect(await attempted(call, ...limited, good)).toEqual({ attempts: 7, result: update });
  // Attempts that a rate limit rejected aren't counted.
  const unavailable = Array.from({ length: 3 }, () => rawResponse(503));
  const succeeded = { attempts: 10, result: update };
  expect(await attempted(read, ...limited, ...unavailable, good)).toEqual(succeeded);
  const service = await serveJson({}, 429);
  for (const options of [{ maxAttempts: 1 }, { deadlineMs: 150 }]) {
    const watched = createClient(service, options);
    expect(await catchError(write(watched))).toMatchObject({ name: "RateLimitError", applied: "no" });
    expect(watched.events).toHaveLength(1);
  }
});

test.each([
  ["a reset", ""],
  ["HTTP 503 with Retry-After", rawResponse(503, "", "Retry-After: 1")],
  ["HTTP 504 with a truncated body", "HTTP/1.1 504 Slow\r\nContent-Length: 99\r\n\r\nxx"],
])("a write is sent once, and its result is unknown, after %s", async (_, wire = "") => {
  const result = { name: "OutcomeUnknownError", applied: "unknown" };
  for (const call of [write, edit])
    expect(await attempted(call, wire)).toMatchObject({ attempts: 1, result });
});

test("the result of a write is unknown if the write is cancelled during the request", async () => {
  const service = await serveRaw(() => undefined);
  const cancel = new AbortController();
  const call = catchError(write(createClient(service, { signal: cancel.signal })));
  await until(() => service.requests.length === 1);
  cancel.abort(new Error("enough"));
  const message: unknown = expect.stringContaining("the call was canceled before the service responded");
  expect(await call).toMatchObject({ name: "OutcomeUnknownError", message });
  await until(() => service.connections.size === 0);
});

test.each([302, 307])(
  "a redirect (HTTP %i) is not followed, and no further request is sent",
  async (status) => {
    const other = await serveJson(update);
    const wire = rawResponse(status, "", `Location: ${other.url}/v1/elsewhere`);
    const message: unknown = expect.stringContaining(`redirected the request to ${other.url}, and`);
    for (const call of [read, write])
      expect(await attempted(call, wire)).toMatchObject({ attempts: 1, result: { status, message } });
    expect(other.requests).toEqual([]);
  },
);

/** Returns the waits between the attempts of a read. */
async function measureWaits(
  status: number,
  headers: Record<string, string>,
  options: Partial<ClientOptions>,
  random = 0.999999,
) {
  jest.setSystemTime(new Date("2026-01-31T09:30:00Z"));
  jest.spyOn(Math, "random").mockReturnValue(random);
  const all = { date: "Sat, 31 Jan 2026 09:30:00 GMT", ...headers };
  const watched = createClient(await serve((response) => response.writeHead(status, all).end()), options);
  expect(await catchError(skipWaits(watched, read))).toMatchObject({ status });
  return watched.events.map(({ waitMs }) => waitMs);
}

describe("between attempts", () => {
  test("a client waits a random part of a time that doubles up to 8 s, and never beyond the deadline", async () => {
    const waits = [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, undefined];
    const patient = { maxAttempts: 10, deadlineMs: 3_600_000 };
    await expect(measureWaits(503, {}, patient)).resolves.toEqual(waits);
    await expect(measureWaits(503, {}, { deadlineMs: 600 })).resolves.toEqual([250, undefined]);
    await expect(measureWaits(429, { "retry-after": "30" }, { deadlineMs: 30_000 })).resolves.toEqual([
      undefined,
    ]);
    await expect(measureWaits(503, {}, { maxAttempts: 3 }, 0.25)).resolves.toEqual([63, 125, undefined]);
    await expect(measureWaits(503, {}, { maxAttempts: 2 }, 0)).resolves.toEqual([0, undefined]);
  });

  test("the waits after 429 double until the service accepts a request", async () => {
    jest.spyOn(Math, "random").mockReturnValue(1);
    const statuses = [429, 429, 200, 429];
    const watched = createClient(await serve((response) => send(response, update, statuses.shift())));
    for (let calls = 0; calls < 2; calls++) await skipWaits(watched, read);
    expect(watched.events.map(({ waitMs }) => waitMs)).toEqual([1_000, 2_000, undefined, 1_000, undefined]);
  });

  const dates = [
    "Sat, 31 Jan 2026 09:30:00 GMT",
    "Fri, 30 Jan 2026 09:30:07 GMT",
    "Fri Jan 30 09:30:07 2026",
  ];
  const noDates = [
    ...["sat, 31 Jan 2026 09:30:07 GMT", "S, 31 Jan 2026 09:30:07 GMT", "SAT, 31 Jan 2026 09:30:07 GMT"],
    ...["Sat,31 Jan 2026 09:30:07 GMT", "x Sat, 31 Jan 2026 09:30:07 GMT", "soon", "May 2027", "Sat, soon"],
  ];
  test.each<[ms: number, headers: string[]]>([
    [1_000, ["1", "1.0"]],
    [7_000, ["07", "Sat, 31 Jan 2026 09:30:07 GMT", "Saturday, 31-Jan-26 09:30:07 GMT"]],
    [7_000, ["Sat Jan 31 09:30:07 2026"]],
    [60_000, ["60", "61", "60.5", "9".repeat(400), "Sun Feb  1 09:30:07 2026"]],
    [60_000, ["Sat, 31 Jan 2026 09:31:01 GMT"]],
    // These values don't request a wait.
    [250, ["", "0", "0.0", ".", "-5", "-1.5", "1,5", "1.5.5", "1.5s", "5s", "s5", "1e3", "1.5e1", "0x10"]],
    [250, ["2027-01-31", ...dates, ...noDates]],
  ])("a client waits %i ms as Retry-After requests: %j", async (ms, headers) => {
    const options = { maxAttempts: 2, deadlineMs: 3_600_000 };
    for (const header of headers)
      expect([header, await measureWaits(503, { "retry-after": header }, options)]).toEqual([
        header,
        [ms, undefined],
      ]);
  });
});

describe("after 429", () => {
  test("a client waits 1, 2, 4, … up to 15 s, at least half of each, and at most half of the time that the call has left", async () => {
    const hour = { deadlineMs: 3_600_000 };
    const waits = async (random: number) => (await measureWaits(429, {}, hour, random)).slice(0, 7);
    expect(await waits(0.999999)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    expect(await waits(0)).toEqual([500, 1_000, 2_000, 4_000, 7_500, 7_500, 7_500]);
    expect(await measureWaits(429, {}, { deadlineMs: 4_000 })).toEqual([
      1_000,
      1_500,
      749,
      374,
      187,
      undefined,
    ]);
  });

  const [at, time, unix] = ["Sat, 31 Jan 2026 09:30:09 GMT", "2026-01-31T09:30:09Z", 1_769_851_809];
  test.each<[headers: Record<string, string>, ms: number]>([
    [{ "x-ratelimit-reset": "9" }, 9_000],
    [{ "x-ratelimit-reset": String(unix) }, 9_000],
    [{ "x-ratelimit-reset": `${unix}000` }, 9_000],
    [{ "x-ratelimit-reset": time }, 9_000],
    [{ "ratelimit-reset": at }, 9_000],
    [{ "ratelimit-reset": "9" }, 9_000],
    [{ ratelimit: '"default";r=0;t=9' }, 9_000],
    [{ ratelimit: '"burst";r=0;t=2, "minute";r=0;t=9, "day";r=500;t=7200' }, 9_000],
    [{ ratelimit: "limit=600, remaining=0, reset=9" }, 9_000],
    [{ "retry-after": "3", "ratelimit-reset": "9" }, 9_000],
    [{ "retry-after": "9", "x-ratelimit-reset": "3" }, 9_000],
    // A reset that has passed, belongs to another window or isn't a time doesn't request a wait.
    [{ "retry-after": "9", "x-ratelimit-reset": "3600" }, 9_000],
    [{ "x-ratelimit-reset": "3600" }, 1_000],
    [{ "x-ratelimit-reset": String(unix - 10) }, 1_000],
    [{ "x-ratelimit-reset": "soon", ratelimit: "limit=10" }, 1_000],
  ])("a client waits until the limit ends according to the response: %j", async (headers, ms) => {
    expect((await measureWaits(429, headers, { deadlineMs: 20_000 }))[0]).toBe(ms);
  });
});

test("a date in Retry-After or a reset time is compared with the service's clock", async () => {
  const headers = { "retry-after": "Sat, 31 Jan 2026 09:25:03 GMT", date: "Sat, 31 Jan 2026 09:25:00 GMT" };
  await expect(measureWaits(403, headers, { deadlineMs: 5_000 })).resolves.toEqual([3_000, undefined]);
  const withoutDate = { ...headers, date: "soon" };
  await expect(measureWaits(503, withoutDate, { maxAttempts: 2 })).resolves.toEqual([250, undefined]);
  for (const reset of ["2026-01-31T09:25:03Z", "1769851503"]) {
    const limited = { date: headers.date, "x-ratelimit-reset": reset };
    expect([reset, (await measureWaits(429, limited, { deadlineMs: 20_000 }))[0]]).toEqual([reset, 3_000]);
  }
});

test("after too many attempts, the error of the last attempt is thrown", async () => {
  const watched = createClient(await serveJson({}, 500, 429, 408, 502));
  await expect(catchError(skipWaits(watched, read))).resolves.toMatchObject({ status: 502 });
});

test("a write is sent again after a TLS handshake that failed or timed out", async () => {
  let connections = 0;
  const service = await serveRaw((socket) => {
    connections += 1;
    if (connections === 1) socket.resetAndDestroy();
  });
  const watched = createClient({ url: service.url.replace("http:", "https:") }, { timeoutMs: 5_000 });
  const call = catchError(skipWaits(watched, write));
  for (const connection of [2, 3, 4]) {
    await until(() => connections === connection);
    await advance(5_000);
  }
  const message: unknown = expect.stringContaining(". Nothing was sent.");
  expect(await call).toMatchObject({ name: "TimeoutError", message, applied: "no" });
  expect(watched.events.map(({ status }) => status)).toEqual([undefined, undefined, undefined, undefined]);
});

const postUpdate = ({ client }: Watched, beforeSend: () => Promise<void>, options = {}) =>
  client.createIncidentUpdate("i1", news, { beforeSend, ...options });

test("beforeSend runs before every attempt", async () => {
  const service = await serveJson(update, 429, 429, 201);
  const sentBefore: number[] = [];
  const beforeSend = async () => void sentBefore.push(await Promise.resolve(service.requests.length));
  await skipWaits(createClient(service), (watched) => postUpdate(watched, beforeSend));
  expect(sentBefore).toEqual([0, 1, 2]);
});

test("a rejected or pending beforeSend prevents the request without holding up other calls", async () => {
  const service = await serveJson(update);
  const watched = createClient(service, { maxConcurrency: 1 });
  const reason = new Error("The engine is gone.");
  await expect(postUpdate(watched, () => Promise.reject(reason))).rejects.toBe(reason);
  const stuck = catchError(postUpdate(watched, () => new Promise(() => undefined), { deadlineMs: 1_000 }));
  await advance(1_000);
  expect((await stuck).name).toBe("TimeoutError");
  expect(service.requests).toEqual([]);
  await write(watched);
});

test("onRequest receives each attempt: operation, method, path template, attempt, status, time, and the wait after it", async () => {
  jest.spyOn(Math, "random").mockReturnValue(0.5);
  const watched = createClient(await serveJson(update, 503, 200), { accountId: "acc-1" });
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

test("onRequest receives the time for which the service holds back all calls, even if this call isn't repeated", async () => {
  const limited = await serve((response) => {
    response.setHeader("retry-after", "30");
    send(response, {}, 429);
  });
  const watched = createClient(limited, { maxAttempts: 2 });
  await skipWaits(watched, async () => catchError(read(watched)));
  expect(watched.events).toMatchObject([{ waitMs: 30_000, pauseMs: 30_000 }, { pauseMs: 30_000 }]);
  expect(watched.events[1]).not.toHaveProperty("waitMs");
});

describe("MONITORING_LOG", () => {
  let printed: jest.SpyInstance;
  beforeEach(() => (printed = jest.spyOn(process.stderr, "write").mockReturnValue(true)));
  const lines = () => printed.mock.calls.map(([line]) => String(line).replace(/\d+ ms/, "N ms"));

  test("MONITORING_LOG=requests logs each attempt's operation, ID, status, time and number, but no key or text", async () => {
    process.env["MONITORING_LOG"] = " requests ";
    const watched = createClient(await serveJson(update, 503, 200));
    await skipWaits(watched, () => catchError(watched.client.getIncidentUpdate("i1", apiKey)));
    await catchError(write(createClient({ url: nobodyListens }, { maxAttempts: 1 })));
    expect(lines()).toEqual([
      "request getIncidentUpdate i1/[hidden]: HTTP 503, N ms, attempt 1\n",
      "request getIncidentUpdate i1/[hidden]: HTTP 200, N ms, attempt 2\n",
      "request createIncidentUpdate i1: unreachable ECONNREFUSED, N ms, attempt 1\n",
    ]);
  });

  test("any other value of MONITORING_LOG causes an error, and nothing is logged without a value", async () => {
    process.env["MONITORING_LOG"] = "request";
    expect(() => createClient({ url: nobodyListens })).toThrow('MONITORING_LOG must be "requests" or unset');
    process.env["MONITORING_LOG"] = "";
    await read(createClient(await serveJson(update)));
    expect(lines()).toEqual([]);
  });
});

test("an onRequest that throws or rejects has no effect on the call", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  realProcess.on("unhandledRejection", note);
  const mistake = () => {
    throw new Error("in the listener");
  };
  const listeners: object[] = [{ onRequest: mistake }, { onRequest: () => Promise.resolve().then(mistake) }];
  for (const listener of listeners)
    await expect(write(createClient(await serveJson(update), listener))).resolves.toEqual(update);
  let turns = 0;
  await until(() => ++turns > 10);
  realProcess.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
