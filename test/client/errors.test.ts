/** The class and the exact message of each error: the reader of a pipeline log has nothing else. */
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { ApiError, isMonitoringError, NotFoundError } from "../../provider/client";
import * as errors from "../../provider/client/errors";
import { errorCode } from "../../provider/client/http";
import { advance } from "./clock";
import {
  apiKey,
  clientOf,
  failureOf,
  news,
  nobodyListens,
  rawResponse,
  read,
  serve,
  serveJson,
  serveRaw,
  type Service,
  until,
  type Watched,
  write,
} from "./services";

const once = { maxAttempts: 1, timeoutMs: 2_000 };

type Start = () => Promise<Pick<Service, "url">>;
const raw = (response: string) => () => serveRaw((socket) => socket.end(response));
const reset = () => serveRaw((socket) => socket.resetAndDestroy());
const plainForTls = async () => {
  const { url } = await serveJson({});
  return { url: url.replace("http:", "https:") };
};
const refusal = () => Promise.resolve({ url: nobodyListens });
const bomb = gzipSync(Buffer.alloc(33 * 1024 * 1024));
const tooLarge = () => serve((response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
const because = JSON.stringify({ error: "Because" });
const sentence = JSON.stringify({ error: "No." });
const page = "\n <html>Bad gateway at 10.0.0.7";

const noRedirects = "the service redirected the request, and redirects are not followed";
const halfABody = "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{";
const checkBaseUrl = "Check that the base URL leads to the service's API.";
const checkConnection = "Check baseUrl, the network and the proxy, if any.";
const unknown = (event: string): string =>
  `createIncidentUpdate i1: sent once, and the service ${event}, so it may or may not have been applied. ` +
  "It was not sent again. Read the incident to see whether it is there.";

test.each<[status: number, meaning: string, advice: string, body?: string, quoted?: string]>([
  [99, "unexpected status", checkBaseUrl],
  [300, noRedirects, "Correct the base URL.", because, ""],
  [400, "rejected", "Correct the request as the service's message says, then run again."],
  [401, "the API key was not accepted", "Check the API key and the base URL."],
  [403, "not allowed", "Check the account id and what the API key may do."],
  [404, "not found", "The id may belong to another account: check the account id and the base URL."],
  [429, "too many requests", "Wait a minute, or set maxRequestsPerMinute."],
  [500, "the service failed", "Try again later."],
  [502, "the service failed", "Try again later.", page, ': "an HTML page, perhaps of a proxy in front"'],
  [502, "the service failed", "Try again later.", "out of order <7>", ""],
  [400, "rejected", "Correct the request as the service's message says, then run again.", sentence, ': "No"'],
])("the message of HTTP %i: %s", async (status, meaning, advice, body = because, quoted = ': "Because"') => {
  const service = await raw(rawResponse(String(status).padStart(3, "0"), body))();
  const error = await failureOf(read(clientOf(service, once)));
  expect(error.message).toBe(`getIncidentUpdate i1/u1: ${meaning} (HTTP ${status})${quoted}. ${advice}`);
});

test.each<[what: string, start: Start, reason: string, advice: string]>([
  ["a reset", reset, "the connection was lost before the response was complete (ECONNRESET)", "Try again."],
  ["half a body", raw(halfABody), "the connection was lost before the response was complete", "Try again."],
  [
    "a refused connection",
    refusal,
    "the service could not be reached at URL (ECONNREFUSED)",
    checkConnection,
  ],
  [
    "plain http where TLS was expected",
    plainForTls,
    "the service could not be reached at URL (EPROTO)",
    "It probably speaks plain http there: if it runs on this machine, begin baseUrl with http://. Otherwise, check " +
      "baseUrl, the network and the proxy, if any.",
  ],
  ["a response that is too large", tooLarge, "the response is larger than 32 MiB", checkBaseUrl],
])("the message of a read after %s", async (_, start, reason, advice) => {
  const service = await start();
  const error = await failureOf(read(clientOf(service, once)));
  expect(error.message).toBe(`getIncidentUpdate i1/u1: ${reason.replace("URL", service.url)}. ${advice}`);
});

test("the message of a list whose page is too large advises a smaller limit", async () => {
  const error = await failureOf(clientOf(await tooLarge(), once).client.listStatusPages());
  expect(error.message).toBe(
    "listStatusPages: the response is larger than 32 MiB. Ask for fewer status pages at a time, with a smaller limit.",
  );
});

const mismatch = (fields: string) => `these fields of the response don't match the API: ${fields}`;

test.each<[what: string, body: string, ofRead: string, ofWrite?: string]>([
  ["no body", "", "the response is empty"],
  ["a page", "<html>", "the response is not JSON"],
  ["a string", '"ok"', mismatch("the response itself")],
  ["missing fields", "{}", mismatch("description"), mismatch("id, description")],
])("the messages after success with %s", async (_, body, ofRead, ofWrite = ofRead) => {
  const watched = clientOf(await raw(rawResponse(200, body))(), once);
  expect((await failureOf(read(watched))).message).toBe(
    `getIncidentUpdate i1/u1: the service reported success, but ${ofRead}. ${checkBaseUrl}`,
  );
  expect((await failureOf(write(watched))).message).toBe(unknown(`reported success, but ${ofWrite}`));
});

test.each<[call: (watched: Watched) => PromiseLike<unknown>, fields: string]>([
  [({ client }) => client.getAlertChannel(7), "id, type, config"],
  [({ client }) => client.getStatusPageIncident("i1"), "id, name"],
  [({ client }) => client.getIncident("i1"), "id, name"],
  [({ client }) => client.listStatusPages(), "entries"],
])("the message of %p names the fields that callers rely on", async (call, fields) => {
  const error = await failureOf(call(clientOf(await serveJson({}), once)));
  expect(error.message).toContain(`but ${mismatch(fields)}. ${checkBaseUrl}`);
});

test.each<[what: string, start: Start, event: string]>([
  ["a failure", raw(rawResponse(503, because)), 'responded with HTTP 503: "Because"'],
  ["a failure without a message", raw(rawResponse(503)), "responded with HTTP 503"],
  ["a reset", reset, "closed the connection (ECONNRESET)"],
  ["a response that is too large", tooLarge, "closed the connection"],
])("the message of a write after %s", async (_, start, event) => {
  const error = await failureOf(write(clientOf(await start(), once)));
  expect(error.message).toBe(unknown(event));
});

test.each<[string, (watched: Watched) => Promise<unknown>, string]>([
  [
    "read",
    read,
    "getIncidentUpdate i1/u1: timed out waiting for the response. Try again, or raise timeoutMs if the service is slow.",
  ],
  ["write", write, unknown("did not respond in time")],
])("the message of a %s that times out", async (_, call, message) => {
  const service = await serveRaw(() => undefined);
  const failure = failureOf(call(clientOf(service, once)));
  await until(() => service.requests.length > 0);
  await advance(once.timeoutMs);
  expect((await failure).message).toBe(message);
});

test.each([
  [303, "ApiError", noRedirects, "Correct the base URL."],
  [
    404,
    "NotFoundError",
    "not found",
    "The id may belong to another account: check the account id and the base URL.",
  ],
  [409, "RequestError", "rejected", "Correct the request as the service's message says, then run again."],
])(
  "the message of a write after HTTP %i says that it may have been applied: %s",
  async (status, name, meaning, advice) => {
    const error = await failureOf(write(clientOf(await serveJson({ error: "Because" }, status), once)));
    expect(error.name).toBe(name);
    // The body of a redirect isn't read.
    const quoted = status < 400 ? "" : ': "Because"';
    expect(error.message).toBe(
      `createIncidentUpdate i1: ${meaning} (HTTP ${status})${quoted}. The write may have been applied all the same, and was ` +
        `not sent again: first read the incident to see whether it is there. ${advice}`,
    );
  },
);

test("the message lists at most ten fields of a response", async () => {
  const incidentUpdates = Array.from({ length: 300 }, () => ({ id: true, description: "x" }));
  const { client } = clientOf(await serveJson({ id: "i1", name: "x", incidentUpdates }));
  const error = await failureOf(client.getStatusPageIncident("i1"));
  const places = Array.from({ length: 10 }, (_, index) => `incidentUpdates.${index}.id`);
  expect(error.message).toContain(`${mismatch(places.join(", "))}. Check`);
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
  const { client } = clientOf(await serveJson({ statusCode: 200 }, ...statuses), once);
  for (const code of statuses) {
    const error = await failureOf(client.getAlertChannel(7));
    expect(error).toMatchObject({ name, status: code, operation: "getAlertChannel" });
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toContain(`(HTTP ${code})`);
  }
});

describe("the message of the service is quoted", () => {
  test.each([
    ["error and message", { statusCode: 409, error: "Conflict", message: "Try later" }, ': "Try later"'],
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
    const service = await serveJson({ message: `No: ${secret.toUpperCase()}!` }, 422, 503);
    const { client } = clientOf(service, { apiKey: key });
    const post = () => client.createIncidentUpdate("i1", { ...news, description: `\n ${description} ` });
    const [refused, unclear] = [await failureOf(post()), await failureOf(post())];
    expect(refused.message).toBe(
      `createIncidentUpdate i1: rejected (HTTP 422): "No: [hidden]!". Correct the request as the service's message says, then run again.`,
    );
    expect(unclear.name).toBe("OutcomeUnknownError");
    expect(unclear.message).toContain('responded with HTTP 503: "No: [hidden]!", so it may or may not');
  });
});

test.each([
  ["as it is", "req-1", "req-1"],
  ["as one printable line", "re\tq " + "x".repeat(400), `re q ${"x".repeat(295)}…`],
  ["unless it is empty", "", undefined],
])("the request id is shown %s", async (_, sent, shown) => {
  const service = await serve((response) => response.writeHead(400, { "x-request-id": sent }).end());
  const error = await failureOf(read(clientOf(service)));
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

  test("holds no cause, no request and no header", async () => {
    const error = await failureOf(read(clientOf(await serveJson({ message: "no" }, 500), once)));
    expect(Reflect.ownKeys(error).sort()).toEqual(["message", "operation", "stack", "status"]);
  });
});

describe("of an error of Node", () => {
  const withCode = (code: unknown): Error => Object.assign(new Error("secret"), { code });

  test.each(["ECONNREFUSED", "DEPTH_ZERO_SELF_SIGNED_CERT", "Z_BUF"])("the code %s is shown", (code) => {
    expect(errorCode(withCode(code))).toBe(code);
  });

  test.each([
    withCode("econnrefused"),
    withCode("see ECONNREFUSED"),
    withCode("ECONNREFUSED of mon_secret"),
    withCode("E"),
    withCode(`E${"X".repeat(61)}`),
    withCode(["ECONNREFUSED"]),
    withCode(undefined),
    new Error("ECONNREFUSED"),
    { code: "ECONNREFUSED" },
    "ECONNREFUSED",
    undefined,
  ])("nothing else is a code that may be shown: %p", (error) => {
    expect(errorCode(error)).toBeUndefined();
  });
});
