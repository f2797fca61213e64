/** What an error says, word for word: the reader of a log has nothing else. */
import { gzipSync } from "node:zlib";
import type { MonitoringClient } from "../../provider/client";
import { advance } from "./clock";
import {
  clientOf,
  failureOf,
  news,
  nobodyListens,
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

const wire = (answer: string) => () => serveRaw((socket) => socket.end(answer));
const status = (code: number, body: unknown = { error: "Because" }) =>
  wire(answerOf(code, JSON.stringify(body)));
const answerOf = (code: number, body: string): string =>
  `HTTP/1.1 ${String(code).padStart(3, "0")} X\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const reset = () => serveRaw((socket) => socket.resetAndDestroy());
const silence = () => serveRaw(() => undefined);
const nobody = () => Promise.resolve({ url: nobodyListens });

const wrongPlace = "Check that the base URL leads to the service's API.";
const connection = "Check the base URL, the network and the proxy, if any.";

test.each<[string, () => Promise<Service | { url: string }>, string]>([
  ["HTTP 99", status(99), `answered with an unexpected status (HTTP 99): "Because". ${wrongPlace}`],
  ["HTTP 300", status(300), "redirected, which is never followed (HTTP 300). Correct the base URL."],
  ["HTTP 400", status(400), 'refused (HTTP 400): "Because". Fix what the service names, then run again.'],
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
    "HTTP 429",
    status(429),
    'too many requests (HTTP 429): "Because". Wait a minute, or set maxRequestsPerMinute.',
  ],
  ["HTTP 500", status(500), 'the service failed (HTTP 500): "Because". Try again later.'],
  [
    "a page",
    wire(answerOf(502, "\n <html>")),
    'the service failed (HTTP 502): "an HTML page, perhaps of a proxy in front". Try again later.',
  ],
  [
    "what isn't JSON",
    wire(answerOf(502, "out of order <7>")),
    "the service failed (HTTP 502). Try again later.",
  ],
  [
    "success without a body",
    wire(answerOf(200, "")),
    `the service answered with success, but the response is empty. ${wrongPlace}`,
  ],
  [
    "success with a page",
    wire(answerOf(200, "<html>")),
    `the service answered with success, but the response is not JSON. ${wrongPlace}`,
  ],
  [
    "a text",
    status(200, "ok"),
    `the service answered with success, but not as described at: the answer itself. ${wrongPlace}`,
  ],
  [
    "an update without its fields",
    status(200, {}),
    `the service answered with success, but not as described at: id, description. ${wrongPlace}`,
  ],
  ["a reset", reset, "the connection broke before a whole answer came (ECONNRESET). Try again."],
  ["nobody there", nobody, `the service could not be reached (ECONNREFUSED). ${connection}`],
  [
    "what is too large",
    () =>
      serve((response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(6 * 1024 * 1024))),
      ),
    `the response is larger than 5 MiB. ${wrongPlace}`,
  ],
])("of a read: %s", async (_, service, said) => {
  const error = await failureOf(read(clientOf(await service(), once).client));
  expect(error.message).toBe(`getIncidentUpdate i1/u1: ${said}`);
});

test.each<[string, () => Promise<Service>, string]>([
  ["success without a body", wire(answerOf(201, "")), "answered with success, but the response is empty"],
  [
    "success with a page",
    wire(answerOf(201, "<html>")),
    "answered with success, but the response is not JSON",
  ],
  [
    "success without an id",
    status(201, {}),
    "answered with success, but not as described at: id, description",
  ],
  ["a failure", status(503), 'answered HTTP 503: "Because"'],
  ["a failure without words", wire(answerOf(503, "")), "answered HTTP 503"],
  ["a reset", reset, "closed the connection (ECONNRESET)"],
])("of a write: %s", async (_, service, said) => {
  const error = await failureOf(write(clientOf(await service(), once).client));
  expect(error.message).toBe(unknown(said));
});

const unknown = (said: string): string =>
  `createIncidentUpdate i1: sent once, and the service ${said}, so it may or may not have been applied. ` +
  "It was not sent again. Read the incident to see whether it is there.";

test.each<[string, Call, string]>([
  [
    "read",
    read,
    "getIncidentUpdate i1/u1: timed out waiting for the response. Try again; raise the time limit if the service is known to be slow.",
  ],
  ["write", write, unknown("did not respond in time")],
])("of a %s that isn't answered in time", async (_, call, said) => {
  const service = await silence();
  const failure = failureOf(call(clientOf(service, once).client));
  await until(() => service.requests.length > 0);
  await advance(once.timeoutMs);
  expect((await failure).message).toBe(said);
});

test("names ten places of an answer, and not hundreds", async () => {
  const incidentUpdates = Array.from({ length: 300 }, () => ({ id: 7, description: "x" }));
  const service = await serveJson({ id: "i1", name: "x", incidentUpdates });
  const error = await failureOf(clientOf(service).client.getStatusPageIncident("i1"));
  const places = Array.from({ length: 10 }, (_, index) => `incidentUpdates.${index}.id`);
  expect(error.message).toContain(`not as described at: ${places.join(", ")}. Check`);
});
