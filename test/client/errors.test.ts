/** The class and the exact message of each error, in the snapshot: the reader of a pipeline log has nothing else. */
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { ApiError, isMonitoringError, NotFoundError } from "../../provider/client";
import * as errors from "../../provider/client/errors";
import { errorCode } from "../../provider/files";
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
const plainForTls = async () => {
  const { url } = await serveJson({});
  return { url: url.replace("http:", "https:") };
};
const bomb = gzipSync(Buffer.alloc(33 * 1024 * 1024));
const tooLarge = () => serve((response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
const because = JSON.stringify({ error: "Because" });
const statuses = ["099", 303, 400, 401, 403, 404, 409, 429, 503];

/** The class and the message of each error, without the address of the service. */
async function said(service: Pick<Service, "url">, ...calls: ((watched: Watched) => PromiseLike<unknown>)[]) {
  const lines: string[] = [];
  for (const call of calls) lines.push(String(await failureOf(call(clientOf(service, once)))));
  return lines.join("\n").replaceAll(service.url, "URL");
}

test.each<[what: string, Start]>([
  ...statuses.map((status): [string, Start] => [`HTTP ${status}`, raw(rawResponse(status, because))]),
  ["HTTP 400 with a sentence", raw(rawResponse(400, JSON.stringify({ error: "No." })))],
  ["HTTP 502 with a page", raw(rawResponse(502, "\n <html>Bad gateway at 10.0.0.7"))],
  ["HTTP 502 with other text", raw(rawResponse(502, "out of order <7>"))],
  ["HTTP 503 without a message", raw(rawResponse(503))],
  ["a reset", () => serveRaw((socket) => socket.resetAndDestroy())],
  ["half a body", raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{")],
  ["a refused connection", () => Promise.resolve({ url: nobodyListens })],
  ["plain http where TLS was expected", plainForTls],
  ["a response that is too large", tooLarge],
  ["success without a body", raw(rawResponse(200))],
  ["success with a page", raw(rawResponse(200, "<html>"))],
  ["success with a string", raw(rawResponse(200, '"ok"'))],
  ["success without what callers rely on", raw(rawResponse(200, "{}"))],
])("the messages of a read and of a write after %s", async (_, start) => {
  expect(await said(await start(), read, write)).toMatchSnapshot();
});

test("the messages of a read and of a write that time out", async () => {
  const service = await serveRaw(() => undefined);
  const failures = [read, write].map((call) => failureOf(call(clientOf(service, once))));
  await until(() => service.requests.length === 2);
  await advance(once.timeoutMs);
  expect((await Promise.all(failures)).map(String).join("\n")).toMatchSnapshot();
});

test("the messages of other operations name the fields that callers rely on, at most ten, and a smaller list", async () => {
  const channel = ({ client }: Watched) => client.getAlertChannel(7);
  const ofPage = ({ client }: Watched) => client.getStatusPageIncident("i1");
  const ofDashboard = ({ client }: Watched) => client.getIncident("i1");
  const list = ({ client }: Watched) => client.listStatusPages();
  const incidentUpdates = Array.from({ length: 300 }, () => ({ id: true, description: "x" }));
  const messages = [
    await said(await serveJson({}), channel, ofPage, ofDashboard, list),
    await said(await serveJson({ id: "i1", name: "x", incidentUpdates }), ofPage),
    await said(await tooLarge(), list),
  ];
  expect(messages.join("\n")).toMatchSnapshot();
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
    ["the text of an update", `${"Wide (and long) ".repeat(4_000)}end`, apiKey],
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

test("the code of an error of Node is shown, and nothing else in its place", () => {
  const shown = (code: unknown) => errorCode(Object.assign(new Error("secret"), { code }));
  const codes = ["ECONNREFUSED", "DEPTH_ZERO_SELF_SIGNED_CERT", "Z_BUF"];
  expect(codes.map(shown)).toEqual(codes);
  const others = ["econnrefused", "see EPIPE", "EPIPE of mon_secret", "E", `E${"X".repeat(61)}`, ["EPIPE"]];
  expect(others.filter(shown)).toEqual([]);
  expect([{ code: "EPIPE" }, "EPIPE", undefined].filter(errorCode)).toEqual([]);
});
