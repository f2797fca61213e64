/** The API key is in no error, output, event or URL, in whatever form a service returns it. */
import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { type MonitoringClient, type RequestEvent } from "../../provider/client";
import { clientOf, drawNoWaits, failureOf, news, realProcess, serve, serveJson } from "./services";

const canary = `cnry/+"\\k&<y>'%~!(0)*-0123456789=?^{}`;

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** The forms that are searched for. Of base64, the part that doesn't depend on the text around the key. */
const forms = {
  raw: canary,
  base64: base64(canary).slice(0, -4),
  "base64 after Bearer": base64(`Bearer ${canary}`).slice(12, -4),
  "base64 with two before": base64(`: ${canary}`).slice(4, -4),
  "URL-encoded": encodeURIComponent(canary),
  "as in a form": new URLSearchParams({ "": canary }).toString().slice(1),
  "JSON-escaped": JSON.stringify(canary).slice(1, -1),
};
/** What the service returns: all forms at once. */
const { raw, "URL-encoded": inUrl, "as in a form": inForm, "JSON-escaped": inJson } = forms;
const encoded = [canary, `Bearer ${canary}`, `: ${canary}`].map(base64);
const echo = [raw, ...encoded, inUrl, inForm, inJson].join(" | ");

/** Every way to print a value. */
function shown(thing: unknown): string {
  const error = thing instanceof Error ? thing : new Error();
  return [
    String(thing),
    error.message,
    error.stack,
    JSON.stringify(thing),
    JSON.stringify(Object.getOwnPropertyDescriptors(thing)),
    inspect(thing, { depth: Infinity, showHidden: true, getters: true, maxStringLength: Infinity }),
  ].join("\n");
}

function found(text: string): string[] {
  return Object.entries(forms).flatMap(([name, form]) => (text.includes(form) ? [name] : []));
}

const printed: string[] = [];
const note = (what: unknown) => printed.push(inspect(what));
beforeAll(() => {
  for (const stream of [realProcess.stdout, realProcess.stderr]) {
    jest.spyOn(stream, "write").mockImplementation((chunk) => printed.push(String(chunk)) > 0);
  }
  realProcess.on("warning", note);
});
afterAll(() => {
  jest.restoreAllMocks();
  realProcess.off("warning", note);
});

const events: RequestEvent[] = [];
const onRequest = (event: RequestEvent) => events.push(event);

const calls: Record<string, (client: MonitoringClient, id: string) => PromiseLike<unknown>> = {
  createIncidentUpdate: (client, id) => client.createIncidentUpdate(id, news),
  getIncidentUpdate: (client, id) => client.getIncidentUpdate(id, "u1"),
  getStatusPageIncident: (client, id) => client.getStatusPageIncident(id),
  getIncident: (client, id) => client.getIncident(id, { includeAllIncidentUpdates: true }),
  getAlertChannel: (client) => client.getAlertChannel(7),
  listStatusPages: (client) => client.listStatusPages({ nextId: canary }),
};

afterEach(() => {
  expect(found(shown(events.splice(0)))).toEqual([]);
  expect(found(printed.splice(0).join("\n"))).toEqual([]);
});

type Speak = (response: ServerResponse, status: number) => void;
const text = (body: string) => (response: ServerResponse, status: number) =>
  response.writeHead(status).end(body);
const json = (value: unknown): Speak => text(JSON.stringify(value));

/** Where a service may repeat the key. */
const places: Record<string, Speak> = {
  "in message": json({ statusCode: 400, error: "Bad", message: `Sent: ${echo}` }),
  "in error": json({ error: echo }),
  "as a bare text": json(echo),
  "on a page": text(`<html>${echo}</html>`),
  "as plain text": text(echo),
  "in its request id": (response, status) => response.writeHead(status, { "x-request-id": echo }).end("{}"),
  "in its reason and other headers": (response, status) =>
    response.writeHead(status, canary, { location: `/?key=${inUrl}`, "retry-after": canary }).end(),
  "in the names of fields": json({
    id: "1",
    name: 1,
    [echo]: 1,
    config: 1,
    entries: [{ id: "1", name: "x", themeColors: { light: 1, [echo]: 1 } }],
  }),
};
const statuses = [200, 302, 400, 401, 403, 404, 408, 422, 429, 500, 503];

const responses = statuses.flatMap((status) =>
  Object.entries(calls).map((call) => [status, ...call] as const),
);
const ways = responses.length * Object.keys(places).length;

describe(`in a response: ${ways} failures, each with ${Object.keys(forms).length} forms`, () => {
  test.each(Object.entries(places))("%s", async (_, speak) => {
    drawNoWaits();
    let status = 200;
    const service = await serve((response) => speak(response, status));
    const { client } = clientOf(service, { apiKey: canary, maxAttempts: 1, onRequest });
    const leaks: unknown[] = [];
    for (const [nextStatus, name, call] of responses) {
      status = nextStatus;
      const error = await failureOf(call(client, "i1"));
      leaks.push(...found(shown(error)).map((form) => [name, status, form]));
    }
    expect(leaks).toEqual([]);
    expect(events).toHaveLength(responses.length);
    expect(service.requests).toHaveLength(responses.length);
    expect(service.requests.every(({ headers }) => headers.authorization === `Bearer ${canary}`)).toBe(true);
  });
});

test("the test finds the key where it is", () => {
  expect(found(shown(new Error(echo)))).toEqual(Object.keys(forms));
  expect(found(shown({ config: { headers: { authorization: canary } } }))).not.toEqual([]);
});

test("in other arguments", async () => {
  const service = await serveJson({}, 404);
  const plain = "cnry-0123456789abcdef";
  const { client } = clientOf(service, { apiKey: plain, onRequest });
  const { client: reader } = clientOf(service, { apiKey: plain, readOnly: true });
  for (const [name, call] of Object.entries(calls)) {
    if (name === "listStatusPages") continue;
    for (const wrong of [client, reader])
      expect(shown(await failureOf(call(wrong, plain)))).not.toContain(plain);
    expect(found(shown(await failureOf(call(client, canary))))).toEqual([]);
  }
});

test("in the printed client, its JSON and its properties", async () => {
  const { client } = clientOf({ url: "https://api.example.com" }, { apiKey: canary, accountId: canary });
  expect(found(shown(client))).toEqual([]);
  expect(found(shown(client.listStatusPages()))).toEqual([]);
  expect(Reflect.ownKeys(client)).toEqual([]);
  const pending = client.getAlertChannel(1, { signal: AbortSignal.abort("stop") });
  expect(found(shown(pending))).toEqual([]);
  await expect(pending).rejects.toBe("stop");
});
