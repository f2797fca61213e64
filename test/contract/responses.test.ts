/** Any response is read as its value, as `docs/openapi.yaml` describes it, or as an error with a one-line message. */
import fc from "fast-check";
import { operations as clientOperations } from "../../provider/api/operations";
import { readBody } from "../../provider/client/body";
import { isMonitoringError } from "../../provider/client/errors";
import { parseBody, toResult } from "../../provider/client/interpretResponse";
import { SecretMasker } from "../../provider/client/secretMasker";
import { mutatedTexts } from "../mutatedTexts";
import { operations, resolved, responseSchema, type Schema } from "./document";
import { valuesOf } from "./generate";
import { tolerant } from "./validation";

/** No message may contain it. */
const apiKey = "canary/0123456789+abcdef==";
const masker = new SecretMasker([apiKey]);

/**
 * The same schema without what the client doesn't check, since deployments differ and no code relies on it:
 * - an optional field may be null, or an empty string;
 * - a string may have any value: not in its enum, too long, not a timestamp;
 * - a number may be out of bounds or a fraction;
 * - a list may be empty;
 * - colours may be anything;
 * - the history of an incident may be missing: the code that needs it says so.
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
  if (schema.$ref === "#/components/schemas/ColourSet") return { type };
  const fields = Object.entries(properties).map(([name, each]): [string, Schema] => [
    name,
    required.includes(name) ? lenient(each) : { anyOf: [lenient(each, false), { type: "null" }] },
  ]);
  return { type, required, properties: Object.fromEntries(fields) };
}

/** With its `$ref` resolved, also where more fields are required than there. */
function whole({ $ref, required = [], ...more }: Schema): Schema {
  if ($ref === undefined) return { ...more, required };
  const { required: before = [], ...rest } = whole(resolved<Schema>({ $ref }));
  return { ...rest, ...more, required: [...before, ...required] };
}

/** The value in a text, without the keys that may not be copied; undefined when the text isn't JSON. */
function jsonIn(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text, (key, value: unknown) => (key === "__proto__" ? undefined : value)) };
  } catch {
    return undefined;
  }
}

const errorNames: Readonly<Record<number, string>> = {
  401: "AuthenticationError",
  404: "NotFoundError",
  429: "RateLimitError",
};

/** Of success, when the body is invalid. */
function errorName(method: string, status: number): string {
  const known = status >= 300 && status < 500 && status !== 408;
  if (method === "POST" && !known) return "OutcomeUnknownError";
  if (status >= 500) return "ServerError";
  if (status >= 400) return errorNames[status] ?? "RequestError";
  return status >= 200 && status < 300 ? "ResponseShapeError" : "ApiError";
}

function valueOrError(get: () => unknown): { value: unknown } | { error: unknown } {
  try {
    return { value: get() };
  } catch (error) {
    return { error };
  }
}

const statuses = fc.constantFrom(200, 200, 200, 201, 302, 400, 401, 404, 408, 429, 500, 503, 101);
const words = [
  ...'null {} [] "" true -1 "id":"" "id":null, "__proto__": "\\u005f_proto__": <html> \\u0000'.split(" "),
  ...'"entries": "nextId": "incidentUpdates": "config": "message": "error":'.split(" "),
  ...[apiKey, Buffer.from(apiKey).toString("base64"), "[".repeat(400)],
];
const others = fc.constantFrom<unknown[]>(
  ...[undefined, null, true, 0, -1, 1.5, 31, "", "x", "2026-01-31", "2026-01-31T09:30:00Z", "x".repeat(300)],
  ...[[], [null], {}, { addedTomorrow: null }, JSON.parse('{"__proto__": {"inherited": true}}')],
);

/** Replaces one part of a value. The part at 0 would be the value itself. */
function changed(value: unknown, place: number, other: unknown): unknown {
  let parts = 0;
  JSON.stringify(value, (_, inner: unknown) => ((parts += 1), inner));
  const chosen = 1 + (place % Math.max(1, parts - 1));
  let part = 0;
  const json = JSON.stringify(value, (_, inner: unknown) => (part++ === chosen ? other : inner));
  return JSON.parse(json) as unknown;
}

/** Some services return ids as numbers, which are read as strings. */
function withoutNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    Number.isInteger(inner) ? String(inner) : inner,
  );
}

test.each(operations)("$name: any body and status", (described) => {
  const operation = Object.values(clientOperations).find(({ name }) => name === described.name);
  if (!operation) throw new Error(`The client has no operation ${described.name}.`);
  const service = { url: "https://api.example.com", setting: "baseUrl" };
  const subject = { operation, title: `${operation.name} i1`, masker, service };
  const schema = responseSchema(described, 200);
  const accepted = lenient(schema);
  const right = valuesOf(schema);
  const failure = JSON.stringify({ statusCode: 400, error: "Bad Request", message: `not so: ${apiKey}` });
  const [sample = {}] = fc.sample(right, { numRuns: 1, seed: 1 });
  const bodies = fc.oneof(
    fc.tuple(right, fc.nat(200), others).map((parts) => JSON.stringify(changed(...parts))),
    mutatedTexts([JSON.stringify(sample), failure], words),
  );
  const checkError = (error: unknown, status: number): void => {
    if (!isMonitoringError(error)) throw error;
    expect(error.name).toBe(errorName(operation.method, status));
    expect(error.message).toMatch(/^[^\p{C}\n]{1,1500}$/u);
    expect(error.message.toLowerCase()).not.toContain(apiKey);
  };
  fc.assert(
    fc.property(bodies, statuses, (text, status) => {
      const response = { kind: "response", status, body: readBody(text), requestId: text } as const;
      const result = toResult({ ...response, retryAfter: undefined }, subject);
      // What repeats the key is refused whole.
      const repeatsKey = masker.mask(text) !== text;
      const sent = status >= 200 && status < 300 && !repeatsKey ? jsonIn(text) : undefined;
      expect("error" in result).toBe(sent === undefined);
      if ("error" in result || !sent) {
        checkError("error" in result && result.error, status);
        return;
      }
      const read = valueOrError(() => parseBody<unknown>(result.json, operation.response, subject));
      if ("error" in read) {
        expect(tolerant(schema, sent.json)).not.toEqual([]);
        checkError(read.error, status);
        return;
      }
      expect(tolerant(accepted, read.value)).toEqual([]);
      expect(withoutNumbers(read.value)).toStrictEqual(withoutNumbers(sent.json));
    }),
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});
