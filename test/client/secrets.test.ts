/** The API key appears in no error, output, event or URL, wherever a service returns it. secretMasker.test.ts tests its encodings. */
import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { type RequestEvent } from "../../provider/client";
import { callsOfLists, callsWithIds } from "./everyCall";
import { createClient, drawNoWaits, catchError, realProcess, serve, serveJson } from "./services";

const canary = `cnry/+"\\k&<y>'%~!(0)*-0123456789=?^{}`;
const inUrl = encodeURIComponent(canary);
const forms = [
  canary,
  inUrl,
  JSON.stringify(canary).slice(1, -1),
  Buffer.from(canary).toString("base64").slice(0, -4),
];
const echo = forms.join(" | ");

/** Returns the forms of the key that appear if a value is printed in any way. */
function found(thing: unknown): string[] {
  const error = thing instanceof Error ? thing : new Error();
  const json = [thing, Object.getOwnPropertyDescriptors(thing)].map((value) => JSON.stringify(value));
  const all = { depth: Infinity, showHidden: true, getters: true, maxStringLength: Infinity };
  const printed = [String(thing), error.message, error.stack, ...json, inspect(thing, all)].join("\n");
  return forms.filter((form) => printed.includes(form));
}

const printed: string[] = [];
const events: RequestEvent[] = [];
const onRequest = (event: RequestEvent) => events.push(event);
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
afterEach(() => {
  expect(found([events.splice(0), printed.splice(0).join("\n")])).toEqual([]);
});

type Speak = (response: ServerResponse, status: number) => void;
const text = (body: string) => (response: ServerResponse, status: number) =>
  response.writeHead(status).end(body);
const json = (value: unknown): Speak => text(JSON.stringify(value));
const theme = { light: 1, [echo]: 1 };

/** The places where a service may repeat the key. */
const places: Record<string, Speak> = {
  "in message": json({ statusCode: 400, error: "Bad", message: `Sent: ${echo}` }),
  "as bare text": json(echo),
  "on a page": text(`<html>${echo}</html>`),
  "in its request id": (response, status) => response.writeHead(status, { "x-request-id": echo }).end("{}"),
  "in its reason and other headers": (response, status) =>
    response.writeHead(status, canary, { location: `/?key=${inUrl}`, "retry-after": canary }).end(),
  "in the names of fields": json({
    ...{ id: "1", name: 1, [echo]: 1, config: 1 },
    entries: [{ id: true, name: "x", themeColors: theme }],
  }),
};
/** One status for each kind of error. The snapshot of test/client/errors.test.ts contains the messages of other statuses. */
const statuses = [200, 302, 401, 404, 422, 429, 503];

test.each(Object.entries(places))("no error shows an API key in a response: %s", async (_, speak) => {
  drawNoWaits();
  let status = 200;
  const service = await serve((response) => speak(response, status));
  // Each call needs a new client, because a client's calls wait after a 429.
  const newClient = () => createClient(service, { apiKey: canary, maxAttempts: 1, onRequest }).client;
  const lists = Object.entries(callsOfLists).map(([name, call]) => ({ name, call, id: canary }));
  const others = Object.entries(callsWithIds).map(([name, call]) => ({ name, call, id: "7" }));
  const calls = [...lists, ...others];
  for (status of statuses)
    for (const { name, call, id } of calls)
      expect([name, status, found(await catchError(call(newClient(), id)))]).toEqual([name, status, []]);
  expect(events).toHaveLength(statuses.length * calls.length);
  const sent = service.requests.map(({ headers }) => headers.authorization);
  expect(sent).toEqual(events.map(() => `Bearer ${canary}`));
});

test("the test detects a visible key", () => {
  expect(found(new Error(echo))).toEqual(forms);
  expect(found({ config: { headers: { authorization: canary } } })).not.toEqual([]);
});

test("the API key isn't shown in other arguments", async () => {
  const service = await serveJson({}, 404);
  const plain = "cnry-0123456789abcdef";
  const { client } = createClient(service, { apiKey: plain, onRequest });
  const { client: reader } = createClient(service, { apiKey: plain, readOnly: true });
  for (const call of Object.values(callsWithIds)) {
    for (const wrong of [client, reader])
      expect(inspect(await catchError(call(wrong, plain)))).not.toContain(plain);
    expect(found(await catchError(call(client, canary)))).toEqual([]);
  }
});

test("the API key isn't shown in the printed client, its JSON and its properties", async () => {
  const { client } = createClient({ url: "https://api.example.com" }, { apiKey: canary, accountId: canary });
  const pending = client.getAlertChannel(1, { signal: AbortSignal.abort("stop") });
  for (const thing of [client, client.listStatusPages(), pending]) expect(found(thing)).toEqual([]);
  expect(Reflect.ownKeys(client)).toEqual([]);
  await expect(pending).rejects.toBe("stop");
});
