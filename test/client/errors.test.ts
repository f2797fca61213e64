/** The class and the exact message of each error: the reader of a pipeline log has nothing else. */
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { ApiError, isMonitoringError, type MonitoringClient, NotFoundError } from "../../provider/client";
import * as errors from "../../provider/client/errors";
import { advance } from "./clock";
import {
  apiKey,
  clientOf,
  failureOf,
  news,
  nobodyListens,
  send,
  serve,
  serveJson,
  serveRaw,
  type Service,
  until,
} from "./services";

const once = { maxAttempts: 1, timeoutMs: 2_000 };

type Call = (client: MonitoringClient) => PromiseLike<unknown>;
const read: Call = (client) => client.getIncidentUpdate("i1", "u1");
const write: Call = (client) => client.createIncidentUpdate("i1", news);

const raw = (response: string) => () => serveRaw((socket) => socket.end(response));
const responseOf = (code: number, body: string): string =>
  `HTTP/1.1 ${String(code).padStart(3, "0")} X\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const status = (code: number, body: unknown = { error: "Because" }) =>
  raw(responseOf(code, JSON.stringify(body)));
const reset = () => serveRaw((socket) => socket.resetAndDestroy());

const checkBaseUrl = "Check that the base URL leads to the service's API.";
const connection = "Check the base URL, the network and the proxy, if any.";
const success = "the service reported success, but";

test.each<[string, () => Promise<Pick<Service, "url">>, string]>([
  ["HTTP 99", status(99), `unexpected status (HTTP 99): "Because". ${checkBaseUrl}`],
  [
    "HTTP 300",
    status(300),
    "the service redirected the request, and redirects are not followed (HTTP 300). Correct the base URL.",
  ],
  [
    "HTTP 400",
    status(400),
    `rejected (HTTP 400): "Because". Correct the request as the service's message says, then run again.`,
  ],
  [
    "HTTP 401",
    status(401),
    'the API key was not accepted (HTTP 401): "Because". Check the API key and the base URL.',
  ],
  [
    "HTTP 403",
    status(403),
    'not allowed (HTTP 403): "Because". Check the account id and what the API key may do.',
  ],
  [
    "HTTP 404",
    status(404),
    'not found (HTTP 404): "Because". The id may belong to another account: ' +
      "check the account id and the base URL.",
  ],
  [
    "HTTP 429",
    status(429),
    'too many requests (HTTP 429): "Because". Wait a minute, or set maxRequestsPerMinute.',
  ],
  ["HTTP 500", status(500), 'the service failed (HTTP 500): "Because". Try again later.'],
  [
    "an HTML page, which is not quoted",
    raw(responseOf(502, "\n <html>Bad gateway at 10.0.0.7")),
    'the service failed (HTTP 502): "an HTML page, perhaps of a proxy in front". Try again later.',
  ],
  ["plain text", raw(responseOf(502, "out of order <7>")), "the service failed (HTTP 502). Try again later."],
  ["success without a body", raw(responseOf(200, "")), `${success} the response is empty. ${checkBaseUrl}`],
  [
    "success with a page",
    raw(responseOf(200, "<html>")),
    `${success} the response is not JSON. ${checkBaseUrl}`,
  ],
  [
    "a string",
    status(200, "ok"),
    `${success} these fields of the response don't match the API: the response itself. ${checkBaseUrl}`,
  ],
  [
    "missing fields",
    status(200, {}),
    `${success} these fields of the response don't match the API: description. ${checkBaseUrl}`,
  ],
  ["a reset", reset, "the connection was lost before the response was complete (ECONNRESET). Try again."],
  [
    "a refused connection",
    () => Promise.resolve({ url: nobodyListens }),
    `the service could not be reached (ECONNREFUSED). ${connection}`,
  ],
  [
    "a response that is too large",
    () =>
      serve((response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(6 * 1024 * 1024))),
      ),
    `the response is larger than 5 MiB. ${checkBaseUrl}`,
  ],
])("the message of a read: %s", async (_, service, message) => {
  const error = await failureOf(read(clientOf(await service(), once).client));
  expect(error.message).toBe(`getIncidentUpdate i1/u1: ${message}`);
});

const unknown = (event: string): string =>
  `createIncidentUpdate i1: sent once, and the service ${event}, so it may or may not have been applied. ` +
  "It was not sent again. Read the incident to see whether it is there.";

test.each<[string, () => Promise<Service>, string]>([
  ["success without a body", raw(responseOf(201, "")), "reported success, but the response is empty"],
  ["success with a page", raw(responseOf(201, "<html>")), "reported success, but the response is not JSON"],
  [
    "success without an id",
    status(201, {}),
    "reported success, but these fields of the response don't match the API: id, description",
  ],
  ["a failure", status(503), 'responded with HTTP 503: "Because"'],
  ["a failure without a message", raw(responseOf(503, "")), "responded with HTTP 503"],
  ["a reset", reset, "closed the connection (ECONNRESET)"],
])("the message of a write: %s", async (_, service, event) => {
  const error = await failureOf(write(clientOf(await service(), once).client));
  expect(error.message).toBe(unknown(event));
});

test.each<[string, Call, string]>([
  [
    "read",
    read,
    "getIncidentUpdate i1/u1: timed out waiting for the response. Try again, or raise timeoutMs if the service is slow.",
  ],
  ["write", write, unknown("did not respond in time")],
])("the message of a %s that times out", async (_, call, message) => {
  const service = await serveRaw(() => undefined);
  const failure = failureOf(call(clientOf(service, once).client));
  await until(() => service.requests.length > 0);
  await advance(once.timeoutMs);
  expect((await failure).message).toBe(message);
});

test("the message lists at most ten fields of a response", async () => {
  const incidentUpdates = Array.from({ length: 300 }, () => ({ id: 7, description: "x" }));
  const service = await serveJson({ id: "i1", name: "x", incidentUpdates });
  const error = await failureOf(clientOf(service).client.getStatusPageIncident("i1"));
  const places = Array.from({ length: 10 }, (_, index) => `incidentUpdates.${index}.id`);
  expect(error.message).toContain(
    `these fields of the response don't match the API: ${places.join(", ")}. Check`,
  );
});

test.each<[string, number[]]>([
  ["ApiError", [300, 301, 302, 304, 307, 308]],
  ["AuthenticationError", [401]],
  ["PermissionError", [403]],
  ["NotFoundError", [404]],
  ["RateLimitError", [429]],
  ["RequestError", [400, 402, 405, 408, 409, 410, 418, 422, 499]],
  ["ServerError", [500, 502, 503, 599, 999]],
])("%s is the error of HTTP %p", async (name, statuses) => {
  const service = await serve((response, _, turn) => send(response, { statusCode: 200 }, statuses[turn - 1]));
  const { client } = clientOf(service, once);
  for (const code of statuses) {
    const error = await failureOf(client.getAlertChannel(7));
    expect(error).toMatchObject({ name, status: code, operation: "getAlertChannel" });
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toContain(`(HTTP ${code})`);
  }
});

describe("the message of the service is quoted", () => {
  test.each([
    [
      "statusCode, error and message",
      { statusCode: 409, error: "Conflict", message: "Try later" },
      ': "Try later"',
    ],
    ["statusCode and error", { statusCode: 409, error: "Conflict", attributes: {} }, ': "Conflict"'],
    ["error alone", { error: "No such thing" }, ': "No such thing"'],
    ["message and errorCode", { message: "Bad luck", errorCode: "E1" }, ': "Bad luck"'],
    ["a bare string", "Not today", ': "Not today"'],
    ["an empty message", { message: "", error: "Conflict" }, ': "Conflict"'],
    ["a message of another type", { message: { a: 1 }, error: "Conflict" }, ': "Conflict"'],
    ["control characters", { message: "a\nb\u001b[31m\u0000c\u202ed\te" }, ': "a b [31m c d e"'],
    ["a long message", { message: "x".repeat(5_000) }, `: "${"x".repeat(300)}…"`],
    ["nothing", {}, ""],
    ["null", null, ""],
    ["a list", ["no"], ""],
  ])("%s", async (_, body, quoted) => {
    const { client } = clientOf(await serveJson(body, 409), once);
    expect((await failureOf(client.getAlertChannel(7))).message).toBe(
      `getAlertChannel 7: rejected (HTTP 409)${quoted}. Correct the request as the service's message says, then run again.`,
    );
  });

  test.each([
    ["the text of an update", `${"Wide (and long) ".repeat(20_000)}end`, apiKey],
    ["an API key", news.description, `wide.${"0aZ_-/+~".repeat(1_000)}`],
  ])("without %s, however long it is", async (what, description, key) => {
    const secret = what === "an API key" ? key : description;
    const service = await serve((response, _, turn) =>
      send(response, { message: `No: ${secret.toUpperCase()}!` }, turn === 1 ? 422 : 503),
    );
    const { client } = clientOf(service, { apiKey: key });
    const post = () => client.createIncidentUpdate("i1", { ...news, description: `\n ${description} ` });
    const [refused, unclear] = [await failureOf(post()), await failureOf(post())];
    expect(refused.message).toBe(
      `createIncidentUpdate i1: rejected (HTTP 422): "No: [hidden]!". Correct the request as the service's message says, then run again.`,
    );
    expect(unclear.name).toBe("OutcomeUnknownError");
    expect(unclear.message).toContain('responded with HTTP 503: "No: [hidden]!", so it may or may not');
  });

  test("half of a surrogate pair in the text of an update changes nothing", async () => {
    const { client } = clientOf(await serveJson({ message: "No" }, 422));
    const error = await failureOf(
      client.createIncidentUpdate("i1", { ...news, description: "half \ud83d pair" }),
    );
    expect(error.name).toBe("RequestError");
  });
});

test.each([
  ["as it is", "req-1", "req-1"],
  ["as one printable line", "re\tq " + "x".repeat(400), `re q ${"x".repeat(295)}…`],
  ["unless it is empty", "", undefined],
])("the request id is shown %s", async (_, sent, shown) => {
  const service = await serve((response) => response.writeHead(400, { "x-request-id": sent }).end());
  const error = await failureOf(clientOf(service).client.getAlertChannel(7));
  expect(error).toMatchObject(shown === undefined ? {} : { requestId: shown });
  expect("requestId" in error).toBe(shown !== undefined);
  expect(error.message.includes("Request id:")).toBe(shown !== undefined);
});

describe("an error of this package", () => {
  const made = () =>
    new NotFoundError("getAlertChannel 7: not found", { status: 404, operation: "getAlertChannel" });

  test("is recognized, and printed with its name", () => {
    expect(isMonitoringError(made())).toBe(true);
    expect(String(made())).toBe("NotFoundError: getAlertChannel 7: not found");
    expect(inspect(made())).toMatch(/^NotFoundError: getAlertChannel 7: not found\n {4}at /);
  });

  test("is recognized when it comes from another copy of the package", () => {
    let other: typeof errors | undefined;
    jest.isolateModules(() => {
      other = jest.requireActual<typeof errors>("../../provider/client/errors");
    });
    const foreign = new (other ?? errors).NotFoundError("x", { status: 404, operation: "x" });
    expect(foreign).not.toBeInstanceOf(NotFoundError);
    expect(isMonitoringError(foreign)).toBe(true);
  });

  test.each([undefined, null, "text", 7, new Error("x"), { name: "MonitoringError" }, new DOMException("x")])(
    "%p is not one",
    (value) => expect(isMonitoringError(value)).toBe(false),
  );

  test("has the name of its class, and extends MonitoringError", () => {
    const classes = Object.entries(errors).filter(([name]) => /^[A-Z]/.test(name));
    expect(classes).toHaveLength(15);
    for (const [name, value] of classes) {
      expect(value.prototype).toHaveProperty("name", name);
      expect(value === errors.MonitoringError || value.prototype instanceof errors.MonitoringError).toBe(
        true,
      );
    }
  });

  test("holds no cause, no request and no header", async () => {
    const service = await serveJson({ message: "no" }, 500);
    const error = await failureOf(clientOf(service, once).client.getAlertChannel(7));
    expect(Reflect.ownKeys(error).sort()).toEqual(["message", "operation", "stack", "status"]);
    expect("cause" in error).toBe(false);
  });
});
