/** The client sends requests as `docs/openapi.yaml` describes them, and accepts all described responses. */
import { type NewIncidentUpdate } from "../../provider/api";
import { type MonitoringClient } from "../../provider/client";
import { isList, type ListName } from "../client/everyCall";
import { clientOf, drawNoWaits, send, serve, type Service } from "../client/services";
import { anyText, fc, runs } from "../propertySeed";
import { responseSchema, type Operation, operations } from "./document";
import { valuesOf } from "./generate";
import { type Request, requestProblems } from "./validation";

const id = fc.oneof(fc.uuid(), fc.nat().map(String), fc.stringMatching(/^[\w~@:;,+$&='()*!-]{1,40}$/));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const moment = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date("2199-12-31") })
  .map((date) => date.toISOString());

const newIncidentUpdate: fc.Arbitrary<NewIncidentUpdate> = fc.record(
  {
    status: fc.constantFrom("INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"),
    description: anyText().filter((text) => text.trim() !== ""),
    notifySubscribers: fc.boolean(),
    publicIncidentUpdateDate: moment,
    id,
    created_at: moment,
  },
  { requiredKeys: ["status", "description"] },
);
const cursor = fc.string({ minLength: 1 });
const limit = fc.integer({ min: 1, max: 100 });
const page = { limit: optional(limit), nextId: optional(cursor) };

/** What a program may pass to each operation. */
const argumentsOf: {
  [Name in Exclude<keyof MonitoringClient, ListName>]: fc.Arbitrary<
    Partial<Parameters<MonitoringClient[Name]>>
  >;
} = {
  createIncidentUpdate: fc.tuple(id, newIncidentUpdate),
  getIncidentUpdate: fc.tuple(id, id),
  getStatusPageIncident: fc.tuple(id),
  getIncident: fc.tuple(id, fc.record({ includeAllIncidentUpdates: optional(fc.boolean()) })),
  getAlertChannel: fc.tuple(fc.oneof(fc.nat(), fc.nat().map(String))),
  listAlertChannels: fc.tuple(fc.record({ limit })),
};

/** @throws for an operation that has no arguments here. */
function argumentsFor({ name }: Operation): fc.Arbitrary<unknown[]> {
  const [, args] = Object.entries<fc.Arbitrary<unknown[]>>(argumentsOf).find(([each]) => each === name) ?? [];
  if (args) return args;
  if (isList(name)) return fc.tuple(fc.record(page));
  throw new Error(`Add arguments of ${name} to test/contract/client.test.ts.`);
}

/**
 * The response as the client shows it: in the page of a list, a missing, null or empty cursor is the end; the id of a
 * requested update is that of the request.
 */
function asShown({ name, parameters }: Operation, { path }: Request, answer: unknown): unknown {
  if (name === "getIncidentUpdate") return { id: path["incidentUpdateId"], ...Object(answer) };
  if (Array.isArray(answer)) {
    // A page without a total may be short because the service allows fewer objects.
    return { entries: answer, length: answer.length, nextId: answer.length > 0 ? "2" : null };
  }
  if (!parameters.some((parameter) => parameter.name === "nextId")) return answer;
  const { entries, length, nextId }: { entries: unknown[]; length?: number; nextId?: string | null } =
    Object(answer);
  return { entries, length: length ?? entries.length, nextId: nextId || null };
}

/** A service responds with the object that it was asked for. */
function ofRequest({ name, path }: Operation, args: unknown[], answer: unknown): unknown {
  const { id }: { id?: unknown } = Object(answer);
  if (name === "createIncidentUpdate" || id === undefined) return answer;
  const asked = args[(path.match(/\{/g) ?? []).length - 1];
  return { ...Object(answer), id: typeof id === "number" ? Number(asked) : String(asked) };
}

/** A service, and calls of an operation that it responds to with a value. */
async function serviceOf({ name }: Operation) {
  // After a 429 all requests of the account wait.
  drawNoWaits();
  let answer: { status: number; value: unknown };
  const service = await serve((response) => send(response, answer.value, answer.status));
  const { client } = clientOf(service, { accountId: "6f1c2a7e", maxAttempts: 1 });
  const methods = client as unknown as Record<
    keyof MonitoringClient,
    (...args: unknown[]) => Promise<unknown>
  >;
  const call = (args: unknown[], next: typeof answer): Promise<unknown> => {
    answer = next;
    service.requests.length = 0;
    return methods[name as keyof MonitoringClient](...args);
  };
  return { service, call };
}

/** What came over the wire, laid out by the description. */
function received({ path, method }: Operation, service: Service): Request {
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

test.each(operations)("$name is called and read as described", async (operation) => {
  const { service, call } = await serviceOf(operation);
  const args = argumentsFor(operation);
  const value = valuesOf(responseSchema(operation, 200));
  const answer = fc.record({ status: fc.constantFrom(200, 201), value });
  const property = fc.asyncProperty(args, answer, async (args, drawn) => {
    const answer = { ...drawn, value: ofRequest(operation, args, drawn.value) };
    const returned = await call(args, answer);
    const request = received(operation, service);
    expect(returned).toEqual(asShown(operation, request, JSON.parse(JSON.stringify(answer.value))));
    expect(requestProblems(operation, request)).toEqual([]);
  });
  await fc.assert(property, { numRuns: runs(40) });
});
