/** The client sends requests as `docs/openapi.yaml` describes them, and accepts all described responses. */
import fc from "fast-check";
import { type MonitoringClient, type NewIncidentUpdate } from "../../provider/client";
import { clientOf, drawNoWaits, failureOf, send, serve, type Service } from "../client/services";
import { responseSchema, type Operation, operations } from "./document";
import { valuesOf } from "./generate";
import { type Request, requestProblems } from "./validation";
import { runs } from "../propertySeed";

const id = fc.oneof(fc.uuid(), fc.nat().map(String), fc.stringMatching(/^[\w~@:;,+$&='()*!-]{1,40}$/));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** What a program may pass to each operation, as a call of it. */
const calls: Record<string, fc.Arbitrary<(client: MonitoringClient) => PromiseLike<unknown>>> = {
  createIncidentUpdate: fc.tuple(id, newIncidentUpdates()).map(
    ([incident, update]) =>
      (client) =>
        client.createIncidentUpdate(incident, update),
  ),
  getIncidentUpdate: fc.tuple(id, id).map(
    ([incident, update]) =>
      (client) =>
        client.getIncidentUpdate(incident, update),
  ),
  getStatusPageIncident: id.map((incident) => (client) => client.getStatusPageIncident(incident)),
  getIncident: fc.tuple(id, fc.record({ includeAllIncidentUpdates: optional(fc.boolean()) })).map(
    ([incident, query]) =>
      (client) =>
        client.getIncident(incident, query),
  ),
  getAlertChannel: fc
    .oneof(fc.nat(), fc.nat().map(String))
    .map((channel) => (client) => client.getAlertChannel(channel)),
  listStatusPages: fc
    .record({
      limit: optional(fc.integer({ min: 1, max: 100 })),
      nextId: optional(fc.string({ minLength: 1 })),
    })
    .map((query) => (client) => client.listStatusPages(query)),
};

function newIncidentUpdates(): fc.Arbitrary<NewIncidentUpdate> {
  const moment = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2199-12-31") });
  return fc.record(
    {
      status: fc.constantFrom("INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"),
      description: fc.string({ unit: "binary" }).filter((text) => text.trim() !== ""),
      notifySubscribers: fc.boolean(),
      publicIncidentUpdateDate: moment.map((date) => date.toISOString()),
      id: id,
      created_at: moment.map((date) => date.toISOString()),
    },
    { requiredKeys: ["status", "description"] },
  );
}

/**
 * The response as the client shows it: in the page of a list, a missing, null or empty cursor is the end; the id of a
 * requested update is that of the request.
 */
function asShown({ name }: Operation, { path }: Request, answer: unknown): unknown {
  if (name === "getIncidentUpdate") return { id: path["incidentUpdateId"], ...Object(answer) };
  if (name !== "listStatusPages") return answer;
  const { entries, length, nextId }: { entries: unknown[]; length?: number; nextId?: string | null } =
    Object(answer);
  return { entries, length: length ?? entries.length, nextId: nextId || null };
}

interface Exchange {
  readonly service: Service;
  readonly client: MonitoringClient;
  respondNext(answer: { status: number; value: unknown }): void;
}

async function exchange(): Promise<Exchange> {
  // After a 429 all requests of the account wait.
  drawNoWaits();
  let next: Parameters<Exchange["respondNext"]>[0] = { status: 500, value: undefined };
  const service = await serve((response) => send(response, next.value, next.status));
  const { client } = clientOf(service, { accountId: "6f1c2a7e", maxAttempts: 1 });
  const respondNext: Exchange["respondNext"] = (answer) => {
    next = answer;
    service.requests.length = 0;
  };
  return { service, client, respondNext };
}

/** What came over the wire, laid out by the description. */
function received({ path, method }: Operation, { service }: Exchange): Request {
  const [request, ...others] = service.requests;
  if (!request || others.length > 0) throw new Error("There was not exactly one request.");
  const { pathname, searchParams } = new URL(request.url, service.url);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "([^/]+)")}$`);
  const [, ...ids] = pattern.exec(pathname) ?? [];
  expect([request.method, ids.length]).toEqual([method, names.length]);
  expect(request.headers).toMatchObject({
    authorization: expect.stringMatching(/^Bearer \S+$/),
    "x-service-account": "6f1c2a7e",
    ...(method === "POST" && { "content-type": "application/json" }),
  });
  return {
    path: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(ids[index] ?? "")])),
    query: Object.fromEntries(searchParams),
    header: { "x-service-account": "6f1c2a7e" },
    ...(request.body !== "" && { body: JSON.parse(request.body) }),
  };
}

function callOf({ name }: Operation) {
  const call = calls[name];
  if (!call) throw new Error(`No call of ${name} is known.`);
  return call;
}

test.each(operations)("$name: calls and responses", async (operation) => {
  const server = await exchange();
  const status = fc.constantFrom(200, 201);
  const answer = valuesOf(responseSchema(operation, 200));
  await fc.assert(
    fc.asyncProperty(callOf(operation), status, answer, async (call, status, value) => {
      server.respondNext({ status, value });
      const returned = await call(server.client);
      const request = received(operation, server);
      expect(returned).toEqual(asShown(operation, request, JSON.parse(JSON.stringify(value))));
      expect(requestProblems(operation, request)).toEqual([]);
    }),
    { numRuns: runs(200) },
  );
});

const classes: Record<string, string> = {
  "401": "AuthenticationError",
  "403": "PermissionError",
  "404": "NotFoundError",
  "429": "RateLimitError",
  "4XX": "RequestError",
  "5XX": "ServerError",
};

/** The statuses of errors in the description, each with valid bodies. */
function errorResponses({ answers }: Operation) {
  const others = { "4XX": [402, 409, 422, 451], "5XX": [500, 502, 503, 504] };
  const errors = Object.entries(answers).filter(([described]) => described !== "2XX");
  return fc.oneof(
    ...errors.map(([described, schema]) =>
      fc.record({
        described: fc.constant(described),
        status: fc.constantFrom(
          ...(Object.entries(others).find(([one]) => one === described)?.[1] ?? [Number(described)]),
        ),
        value: valuesOf(schema),
      }),
    ),
  );
}

test.each(operations)("$name: error responses", async (operation) => {
  const server = await exchange();
  await fc.assert(
    fc.asyncProperty(
      callOf(operation),
      errorResponses(operation),
      async (call, { status, described, value }) => {
        server.respondNext({ status, value });
        const error = await failureOf(call(server.client));
        const unknown = operation.method === "POST" && status >= 500;
        expect(error.name).toBe(unknown ? "OutcomeUnknownError" : (classes[described] ?? "RequestError"));
        expect(error.message).toMatch(new RegExp(`^${operation.name}\\b.*HTTP ${status}\\b`, "u"));
      },
    ),
    { numRuns: runs(200) },
  );
});
