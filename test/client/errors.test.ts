/** Tests the class and the exact message of each error with a snapshot, because a pipeline's log shows nothing else. */
import { inspect } from "node:util";
import { type Operation, operations } from "../../provider/api";
import { ApiError, isMonitoringError, NotFoundError } from "../../provider/client";
import * as errors from "../../provider/client/errors";
import {
  type AttemptResult,
  type Body,
  certificateRequired,
  type HttpFailure,
} from "../../provider/client/http";
import { createMismatchError, toOutcome } from "../../provider/client/outcome";
import { SecretMasker } from "../../provider/client/secretMasker";
import { getErrorCode } from "../../provider/texts";
import { apiKey, createClient, catchError, news, read, serve, serveJson, update, write } from "./services";

const responded = (status: number, body: Body): AttemptResult => ({ status, body, header: () => undefined });
const json = (status: number, value: unknown) => responded(status, { json: value, size: 1 });
const text = (status: number, value = "") => responded(status, { text: value });
const respondedWith = (status: number, header: string, value: string) => ({
  ...{ status, body: { text: "" } },
  header: (name: string) => (name === header ? value : undefined),
});
const redirected = (location: string) => respondedWith(302, "location", location);

const { getIncidentUpdate, createIncidentUpdate, getAlertChannel, listStatusPages } = operations;
const { getStatusPageIncident, getIncident, openComponentPageIncident, editComponentPageIncidentUpdate } =
  operations;

const ids: Readonly<Record<string, string>> = {
  getIncidentUpdate: " i1/u1",
  getAlertChannel: " 7",
  listStatusPages: "",
};

const common = { masker: new SecretMasker([apiKey]), service: { url: "URL", setting: "baseUrl" } };

/** Returns the failure of an attempt. Undefined for a success. */
function failed(operation: Operation, result: AttemptResult) {
  const title = operation.name + (ids[operation.name] ?? " i1");
  const outcome = toOutcome(result, { operation, title: () => title, ...common });
  return "error" in outcome ? outcome : undefined;
}

const said = (result: AttemptResult, ...all: Operation[]) =>
  all.map((operation) => String(failed(operation, result)?.error ?? "success")).join("\n");

const because = { error: "Because" };
const tooLarge: HttpFailure = { kind: "too large", sent: true };

const proxy = { url: new URL("http://proxy.example:3128"), variable: "HTTPS_PROXY" };
const plainHttp = { code: "EPROTO", tlsReason: "wrong version number" };
const behindProxy = { kind: "unreachable", sent: false, proxy, hasTunnel: true } as const;

test.each<[what: string, AttemptResult]>([
  ...[99, 400, 401, 402, 403, 404, 409, 429, 500].map((status): [string, AttemptResult] => [
    `HTTP ${String(status).padStart(3, "0")}`,
    json(status, { statusCode: status, ...because }),
  ]),
  ["HTTP 404 with a page", text(404, "<html>")],
  ["HTTP 300", text(300)],
  ["HTTP 429 with a long wait", respondedWith(429, "retry-after", "5400")],
  ["a redirect to another host", redirected(`https://login.example/?key=${apiKey}`)],
  ["a redirect to a host that contains the API key", redirected(`http://${apiKey}.example`)],
  ["a redirect to another path", redirected("/login")],
  ["a redirect to an invalid URL", redirected("mailto:ops@example.com")],
  ["HTTP 400 with a sentence", json(400, { error: "No." })],
  ["HTTP 409 with a message", text(409, " No: 1 < 2 [sic]\n")],
  ["HTTP 409 with JSON that was cut off", text(409, '\n  {"message": "Beca')],
  ["HTTP 502 with a page", text(502, "\n <html>Bad gateway at 10.0.0.7")],
  ["a reset", { kind: "lost", sent: true, code: "ECONNRESET" }],
  ["a response that isn't HTTP", { kind: "invalid", sent: true, code: "HPE_INVALID_HEADER_TOKEN" }],
  ["headers that are too large", { kind: "invalid", sent: true, code: "HPE_HEADER_OVERFLOW" }],
  ["a refused connection", { kind: "unreachable", sent: false, code: "ECONNREFUSED" }],
  ["plain http where TLS was expected", { kind: "unreachable", sent: false, ...plainHttp }],
  ["an untrusted certificate", { kind: "unreachable", sent: false, code: "SELF_SIGNED_CERT_IN_CHAIN" }],
  ["a demand for a client certificate", { kind: "unreachable", sent: false, code: certificateRequired }],
  ["a proxy that can't be reached", { kind: "unreachable", sent: false, code: "ECONNREFUSED", proxy }],
  ["a proxy that doesn't respond", { kind: "timed out", sent: false, proxy }],
  ["a proxy that rejects the password", { kind: "lost", sent: false, code: "PROXY_ANSWERED_407", proxy }],
  [
    "plain http where the proxy's TLS was expected",
    { kind: "unreachable", sent: false, ...plainHttp, proxy },
  ],
  ["a service that the proxy can't reach", { ...behindProxy, code: "ECONNRESET" }],
  ["plain http behind a proxy", { ...behindProxy, ...plainHttp }],
  [
    "a TLS handshake that failed behind a proxy",
    { ...behindProxy, code: "EPROTO", tlsReason: "unsupported protocol" },
  ],
  ["a body that isn't encoded as its header specifies", { kind: "invalid", sent: true, encoding: "quantum" }],
  ["a cancellation before the response", { kind: "cancelled", sent: true }],
  ["no response in time", { kind: "timed out", sent: true }],
  ["no connection in time", { kind: "timed out", sent: false }],
  ["a response that is too large", tooLarge],
  ["success without a body", text(200)],
  ["success with a page", text(200, "<html>")],
  ["success without the fields that callers need", json(200, {})],
  ["success with another value", json(200, [])],
  [
    "success with the API key in a description",
    json(200, { ...update, description: `Log in with ${apiKey}.` }),
  ],
])("the messages of a read and of a write after %s", (_, result) => {
  expect(said(result, getIncidentUpdate, createIncidentUpdate)).toMatchSnapshot();
});

test("the messages of other operations name the fields that callers need, at most ten, and a smaller list", () => {
  const incidentUpdates = Array.from({ length: 300 }, () => ({ id: true, description: "x" }));
  const messages = [
    said(json(200, {}), getAlertChannel, getStatusPageIncident, getIncident, listStatusPages),
    said(json(200, { id: "i1", name: "x", incidentUpdates }), getStatusPageIncident),
    said(tooLarge, listStatusPages),
    said(json(404, { statusCode: 404, ...because }), getAlertChannel, listStatusPages),
    said(json(500, because), openComponentPageIncident, editComponentPageIncidentUpdate),
  ];
  expect(messages.join("\n")).toMatchSnapshot();
});

test.each(["wrong version number", "packet length too long"])(
  "a service that speaks plain http instead of TLS is recognized by %s",
  (tlsReason) => {
    const message = said({ kind: "unreachable", sent: false, code: "EPROTO", tlsReason }, getIncidentUpdate);
    expect(message).toContain("(EPROTO). The server probably speaks plain HTTP. If it runs on this machine,");
  },
);

test.each([
  [{ code: "CERT_NOT_YET_VALID" }, "The certificate has expired or isn't valid yet."],
  [
    { code: "ERR_SSL_TLSV1_UNRECOGNIZED_NAME", tlsReason: "tlsv1 unrecognized name" },
    "The TLS handshake failed: tlsv1 unrecognized name. Check that the host name is right",
  ],
])("a proxy's TLS failure %j is described", (failure, advice) => {
  const message = said({ kind: "unreachable", sent: false, proxy, ...failure }, getIncidentUpdate);
  expect(message).toContain(`failed (${failure.code}). Nothing was sent to the service. ${advice}`);
});

test.each([
  [7, "entry 7"],
  [undefined, "an entry without an ID"],
])("a list entry that doesn't match the API is identified by its ID: %s", (id, name) => {
  expect(String(createMismatchError(listStatusPages, { id, fields: ["name", "url"] }))).toBe(
    "ResponseShapeError: listStatusPages: the service reported success, but these fields of the response don't match the API: " +
      `name of ${name}, url of ${name}. Check that the base URL leads to the service's API.`,
  );
});

test.each<[range: string | undefined, total: number | undefined]>([
  ["0-9/230", 230],
  ["0-9/*", undefined],
  ["0-9/12 channels", undefined],
  [undefined, undefined],
])("the header content-range %j means that a list has %s entries", (range, total) => {
  const header = (name: string) => (name === "content-range" ? range : undefined);
  const response = { status: 200, body: { json: { entries: [], length: 0 }, size: 1 }, header };
  const outcome = toOutcome(response, { operation: listStatusPages, title: () => "", ...common });
  expect(outcome).toEqual({ value: { entries: [], length: 0 }, size: 1, total });
});

const statuses = Array.from({ length: 1000 }, (_, status) => status);

test("the status of a write determines whether it was applied and whether another attempt is allowed", () => {
  const those = (
    is: (outcome: ReturnType<typeof failed>) => boolean,
    operation: Operation = createIncidentUpdate,
  ) => statuses.filter((status) => is(failed(operation, json(status, update))));
  expect(those((outcome) => outcome === undefined)).toEqual(statuses.slice(200, 300));
  const notApplied = [400, 401, 403, 405, 406, 411, 413, 414, 415, 417, 422, 429, 431];
  expect(those((outcome) => outcome?.error.applied === "no")).toEqual(notApplied);
  expect(those((outcome) => outcome?.error.applied === "unknown")).toHaveLength(1000 - 100 - 13);
  const unclear = [...statuses.slice(0, 200), 408, ...statuses.slice(500)];
  expect(those((outcome) => outcome?.error.name === "OutcomeUnknownError")).toEqual(unclear);
  const isRepeatable = (outcome: ReturnType<typeof failed>) => outcome?.isRepeatable === true;
  expect(those(isRepeatable)).toEqual([429]);
  expect(those(isRepeatable, getIncidentUpdate)).toEqual([408, 429, ...statuses.slice(500)]);
});

test.each([
  ...["", "  ", '{"id', "[1,", ' \n {"id'].map((body) => [body, true] as const),
  ...["<html>", "hello {", "hello [", "hello ", '"id'].map((body) => [body, false] as const),
])("an attempt may be repeated after a successful response to a read with the body %j: %p", (body, again) => {
  expect(failed(getIncidentUpdate, text(200, body))).toMatchObject({ isRepeatable: again });
  expect(failed(createIncidentUpdate, text(200, body))).toMatchObject({ isRepeatable: false });
});

test("an attempt may be repeated after a rate limit, which some services report with 403", () => {
  const limited = respondedWith(403, "retry-after", "3");
  const { error, isRepeatable } = failed(createIncidentUpdate, limited) ?? {};
  expect(isRepeatable).toBe(true);
  expect(error).toMatchObject({ name: "RateLimitError", status: 403, applied: "no" });
  expect(said({ ...limited, status: 400 }, getIncidentUpdate)).toMatch(/^RequestError/);
});

test("an attempt may be repeated without a response, unless it was too large or isn't HTTP; a write only if it wasn't sent", () => {
  const failures = ["unreachable", "timed out", "cancelled", "lost", "too large", "invalid"] as const;
  const those = (operation: Operation, sent: boolean) =>
    failures.filter((at) => failed(operation, { kind: at, sent })?.isRepeatable);
  expect(those(getIncidentUpdate, true)).toEqual(failures.slice(0, 4));
  expect(those(createIncidentUpdate, false)).toEqual(failures.slice(0, 4));
  expect(those(createIncidentUpdate, true)).toEqual([]);
});

test.each<[body: string, Body, name: string]>([
  [
    "the API's own",
    { json: { statusCode: 404, error: "Not Found", attributes: {} }, size: 1 },
    "NotFoundError",
  ],
  ...[{ statusCode: 503, error: "No" }, { statusCode: 404 }, because, null, []].map(
    (json): [string, Body, string] => [JSON.stringify(json), { json, size: 1 }, "ServerError"],
  ),
  ["no", { text: "" }, "ServerError"],
])("only the API can report that an object is missing: a 404 with %s body", (_, body, name) => {
  const read = failed(getIncidentUpdate, responded(404, body));
  expect([read?.error.name, read?.isRepeatable]).toEqual([name, false]);
  expect(failed(createIncidentUpdate, responded(404, body))?.error).toMatchObject({
    name,
    applied: "unknown",
  });
});

describe("the message of the service is quoted", () => {
  /** Returns an object nested in this number of objects. */
  const within = (count: number): object =>
    count === 0 ? { message: "Deep" } : { error: within(count - 1) };

  test.each([
    ["error and message", { statusCode: 409, error: "Conflict", message: "Try later" }, ': "Try later"'],
    ["a bare string", "Not today", ': "Not today"'],
    ["a message of another type", { message: { a: 1 }, detail: null, error: "Conflict" }, ': "Conflict"'],
    ...["Message", "error_description", "reason", "title"].map((name): [string, object, string] => [
      `of ${name}`,
      { [name]: "No", code: "E1" },
      ': "No"',
    ]),
    ["control characters", { message: "a\nb\u001b[31m\u0000c\u202ed\te" }, ': "a b [31m c d e"'],
    ["several messages", { message: ["A is missing.", "B is missing."] }, ': "A is missing.; B is missing"'],
    ["an error with a message", { error: { code: 7, message: "Bad luck" } }, ': "Bad luck"'],
    ["problem details", { type: "about:blank", title: "Bad", detail: "Because" }, ': "Because"'],
    [
      "the details of FastAPI",
      {
        detail: [
          { loc: ["body", "status"], msg: "is unknown", type: "x" },
          { loc: 7, msg: "no" },
        ],
      },
      ': "body.status: is unknown; no"',
    ],
    [
      "errors as objects",
      { message: "Invalid", errors: [{ message: "A" }, { detail: "B" }] },
      ': "Invalid: A; B"',
    ],
    [
      "errors by field",
      { errors: { status: ["A", "B"], description: "C" } },
      ': "status: A; B; description: C"',
    ],
    ["a long message", { message: "x".repeat(5_000) }, `: "${"x".repeat(300)}…"`],
    ["lists by field", { description: ["A"], code: "E1" }, ': "description: A"'],
    ["a list", [{ message: "A" }, "B"], ': "A; B"'],
    ["five objects deep", within(5), ': "Deep"'],
  ])("the message of the service is quoted %s", (_, body, quoted) => {
    expect(failed(getAlertChannel, json(409, body))?.error.message).toBe(
      `getAlertChannel 7: the service rejected the request (HTTP 409)${quoted}. Correct the request as described in the service's message, then run again.`,
    );
  });

  test.each([
    ["nothing", {}],
    ["six objects deep", within(6)],
    ["an unknown field", { config: { url: "https://acme.example/key" }, code: "E1" }],
    ["lists in lists", JSON.parse("[".repeat(50_000) + "]".repeat(50_000))],
  ])("the message of the service isn't quoted %s", (_, body) => {
    expect(failed(getAlertChannel, json(409, body))?.error.message).toBe(
      "getAlertChannel 7: the service rejected the request (HTTP 409). The service gave no reason. Check the IDs and values of the request, then run again.",
    );
  });

  test.each([
    ["text", news.description],
    ["name", "Upgrade"],
  ])("the message of the service is quoted without the %s of an opened incident", async (_, text) => {
    const { client } = createClient(await serveJson({ message: `No: ${text}!` }, 422));
    const opening = { name: "Upgrade", incidentUpdates: [news], componentImpacts: [] };
    const { message } = await catchError(client.openComponentPageIncident("page_shop", opening));
    expect(message).toContain('(HTTP 422): "No: [hidden]!".');
  });

  test("the message of the service is quoted without an update's text, however long it is", async () => {
    const description = `${"Wide (and long) ".repeat(4_000)}end`;
    const { client } = createClient(
      await serveJson({ message: `No: ${description.toUpperCase()}!` }, 422, 503),
    );
    const post = () => client.createIncidentUpdate("i1", { ...news, description: `\n ${description} ` });
    const [refused, unclear] = [await catchError(post()), await catchError(post())];
    expect(refused.message).toBe(
      `createIncidentUpdate i1: the service rejected the request (HTTP 422): "No: [hidden]!". Correct the request as described in the service's message, then run again.`,
    );
    expect(unclear.name).toBe("OutcomeUnknownError");
    expect(unclear.message).toContain(
      'responded with HTTP 503: "No: [hidden]!", so the update may have been created',
    );
  });
});

test.each([
  ["as it is", "req-1", "req-1"],
  ["as one printable line", "re\tq " + "x".repeat(400), `re q ${"x".repeat(295)}…`],
  ["unless it is empty", "", undefined],
])("the request ID is shown %s", async (_, sent, shown) => {
  const statuses = [400, 503];
  const service = await serve((response) =>
    response.writeHead(statuses.shift() ?? 0, { "x-request-id": sent }).end(),
  );
  const error = await catchError(read(createClient(service)));
  expect(error).toMatchObject(shown === undefined ? {} : { requestId: shown });
  expect("requestId" in error).toBe(shown !== undefined);
  const { message } = await catchError(write(createClient(service)));
  for (const each of [error.message, message]) expect(/ Request ID: (.*)\.$/.exec(each)?.[1]).toBe(shown);
});

const made = () =>
  new NotFoundError("getAlertChannel 7: not found", { status: 404, operation: "getAlertChannel" });

test("an error of this package is recognized, and printed with its name", () => {
  expect(made()).toBeInstanceOf(ApiError);
  expect(isMonitoringError(made())).toBe(true);
  expect(String(made())).toBe("NotFoundError: getAlertChannel 7: not found");
  expect(inspect(made())).toMatch(/^NotFoundError: getAlertChannel 7: not found\n {4}at /);
});

test("an error of this package is recognized even if another copy of the package created it", () => {
  let other: typeof errors | undefined;
  jest.isolateModules(() => {
    other = jest.requireActual<typeof errors>("../../provider/client/errors");
  });
  const foreign = new (other ?? errors).NotFoundError("x", { status: 404, operation: "x" });
  expect(foreign).not.toBeInstanceOf(NotFoundError);
  expect(isMonitoringError(foreign)).toBe(true);
});

test("the code of a Node error is shown, and no other value instead", () => {
  const shown = (code: unknown) => getErrorCode(Object.assign(new Error("secret"), { code }));
  const codes = ["ECONNREFUSED", "DEPTH_ZERO_SELF_SIGNED_CERT", "Z_BUF"];
  expect(codes.map(shown)).toEqual(codes);
  const others = ["econnrefused", "see EPIPE", "EPIPE of mon_secret", "E", `E${"X".repeat(61)}`, ["EPIPE"]];
  expect(others.filter(shown)).toEqual([]);
  expect([{ code: "EPIPE" }, "EPIPE", undefined].filter(getErrorCode)).toEqual([]);
});
