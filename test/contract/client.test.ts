/**
 * Tests that the client sends requests as `docs/openapi.yaml` describes them, and either returns the value of any response or rejects it.
 */
import { Mismatch, operations as clientOperations } from "../../provider/api";
import { toOutcome } from "../../provider/client/outcome";
import { SecretMasker } from "../../provider/client/secretMasker";
import { createClient, serveJson, type Service } from "../client/services";
import { fc, runs } from "../propertySeed";
import { type Operation, operations, resolved, responseSchema, type Schema, sentBody } from "./document";
import { getArbitrary } from "./generate";
import { type Request, requestProblems, tolerant } from "./validation";

const id = fc.oneof(fc.uuid(), fc.nat().map(String), fc.stringMatching(/^[\w~@:;,+$&='()*!-]{1,40}$/));

/** Generates the arguments that a program passes to an operation: its IDs, and its body or query. */
function argumentsFor(operation: Operation): fc.Arbitrary<unknown[]> {
  const { parameters } = operation;
  const body = sentBody(operation);
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const ids = of("path").map(({ schema }) => (schema.type === "integer" ? getArbitrary(schema) : id));
  // The client generates the page numbers itself.
  const query = of("query").filter((parameter) => parameter.name !== "page");
  const schemas = query.map(({ name, schema }): [string, fc.Arbitrary<unknown>] => [
    name,
    getArbitrary(schema),
  ]);
  const fields = fc.record(Object.fromEntries(schemas), { requiredKeys: [] });
  const more = body ? [getArbitrary(body)] : query.length > 0 ? [fields] : [];
  return fc.tuple(...ids, ...more);
}

/** Returns the received request in the form of the API's description. */
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
    ...(method !== "GET" && { "content-type": "application/json" }),
  });
  return {
    path: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(ids[index] ?? "")])),
    query: Object.fromEntries(searchParams),
    ...(request.body !== "" && { body: JSON.parse(request.body) }),
  };
}

test.each(operations)("$name is called as described", async (operation) => {
  const service = await serveJson({}, 404);
  const { client } = createClient(service, { accountId: "6f1c2a7e" });
  const methods = client as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const property = fc.asyncProperty(argumentsFor(operation), async (args) => {
    service.requests.length = 0;
    await expect(methods[operation.name]?.(...args)).rejects.toThrow("404");
    const request = received(operation, service);
    expect(requestProblems(operation, request)).toEqual([]);
    const ids = Object.values(request.path);
    expect(args.slice(0, ids.length).map(String)).toEqual(ids);
  });
  await fc.assert(property, { numRuns: runs(10) });
});

/**
 * Returns the same schema without the constraints that the client doesn't check, because deployments differ and no code relies on them:
 * - an optional field may be null or an empty string;
 * - a string may have any value: not in its enum, too long, not a timestamp;
 * - a number may be out of bounds or a fraction;
 * - a list may be empty;
 * - colors may have any value;
 * - an incident's history may be missing, because the code that needs it reports that.
 *
 * Any other required field must exist, have its type and, with a `minLength`, not be empty.
 */
function lenient(schema: Schema, needed = true): Schema {
  const { type, anyOf, required: all = [], properties = {}, items, minLength, ...rest } = whole(schema);
  const required = all.filter((name) => name !== "incidentUpdates");
  if (anyOf) return { anyOf: anyOf.map((each) => lenient(each, needed)) };
  if (rest.enum || type === "string") {
    const empty = !needed || (minLength === undefined && !rest.enum);
    return { type: "string", minLength: empty ? 0 : 1 };
  }
  if (type === "integer") return { type: "number" };
  if (type === "array") return { type, items: lenient(items ?? {}) };
  if (type !== "object") return type === undefined ? {} : { type };
  if (schema.$ref === "#/components/schemas/ColorSet") return { type };
  const fields = Object.entries(properties).map(([name, each]): [string, Schema] => [
    name,
    required.includes(name) ? lenient(each) : { anyOf: [lenient(each, false), { type: "null" }] },
  ]);
  return { type, required, properties: Object.fromEntries(fields) };
}

/** Resolves the `$ref` of a schema, even if the schema requires additional fields. */
function whole({ $ref, required = [], ...more }: Schema): Schema {
  if ($ref === undefined) return { ...more, required };
  const { required: before = [], ...rest } = whole(resolved<Schema>({ $ref }));
  return { ...rest, ...more, required: [...before, ...required] };
}

const others = fc.constantFrom<unknown[]>(
  ...[undefined, null, true, 0, -1, 1.5, 31, "", "x", "2026-01-31", "2026-01-31T09:30:00Z", "x".repeat(300)],
  ...[[], [null], {}, { addedTomorrow: null }],
);

/** Replaces one part of a value. The whole value is never replaced. */
function changed(value: unknown, place: number, other: unknown): unknown {
  let parts = 0;
  JSON.stringify(value, (_, inner: unknown) => ((parts += 1), inner));
  const chosen = 1 + (place % Math.max(1, parts - 1));
  let part = 0;
  const json = JSON.stringify(value, (_, inner: unknown) => (part++ === chosen ? other : inner));
  return JSON.parse(json) as unknown;
}

/** Converts numeric IDs to strings and a missing description to an empty string, as the client does. */
function asRead(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, inner: unknown) => {
    if (name === "description") return inner ?? "";
    return Number.isInteger(inner) ? String(inner) : inner;
  });
}

test.each(operations)("$name: any response is returned as its value, or rejected", (described) => {
  const operation = Object.values(clientOperations).find(({ name }) => name === described.name);
  if (!operation) throw new Error(`The client has no operation ${described.name}.`);
  const service = { url: "https://api.example.com", setting: "baseUrl" };
  const subject = { operation, title: () => `${operation.name} i1`, masker: new SecretMasker([]), service };
  const schema = responseSchema(described, 200);
  const accepted = lenient(schema);
  const values = getArbitrary(schema);
  const bodies = fc.oneof(
    values,
    fc.tuple(values, fc.nat(200), others).map((parts) => changed(...parts)),
  );
  const errorName = operation.method !== "GET" ? "OutcomeUnknownError" : "ResponseShapeError";
  fc.assert(
    fc.property(bodies, (sent) => {
      const result = { status: 200, body: { json: sent, size: 7 }, header: () => undefined };
      const read = toOutcome<unknown>(result, subject);
      if ("error" in read) {
        expect(read.error).toHaveProperty("name", errorName);
        expect(tolerant(schema, sent)).not.toEqual([]);
        return;
      }
      expect(read.size).toBe(7);
      // Only the matching entries of a list are read.
      if (Array.isArray(read.value) && read.value.some((entry) => entry instanceof Mismatch)) {
        expect(tolerant(schema, sent)).not.toEqual([]);
        return;
      }
      expect(tolerant(accepted, read.value)).toEqual([]);
      expect(asRead(read.value)).toStrictEqual(asRead(sent));
    }),
  );
});
