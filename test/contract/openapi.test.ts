/** Tests the API's description itself. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import {
  numberedPageSize,
  operations as clientOperations,
  pageSize,
  unwrapOptional,
  sslExpiryThresholdBounds,
} from "../../provider/api";
import { listNames } from "../client/everyCall";
import { repository } from "../engine/stack";
import {
  below,
  objectExamples,
  described,
  examples,
  file,
  operations,
  responseSchema,
  type Schema,
  schemas,
  sentBody,
} from "./document";
import { exact, tolerant } from "./validation";

const run = promisify(execFile);

test("the description of the API is valid OpenAPI 3.1, according to an independent validator", async () => {
  const bin = "node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js";
  const { stdout } = await run(process.execPath, [join(repository, bin), file]);
  expect(JSON.parse(stdout)).toEqual({ valid: true });
  expect(readFileSync(file, "utf8")).toMatch(/^openapi: 3\.1\.\d\n/);
});

test("the description of the API has the operations of the client", () => {
  const requests = (all: readonly { name: string; method: string; path: string }[]) =>
    all.map(({ name, method, path }) => `${name}: ${method} ${path}`);
  expect(requests(operations)).toEqual(requests(Object.values(clientOperations)));
});

/** Returns the fields of a client's schema, in the same form as `described`. */
function typed(schema: z.core.$ZodType): string[] {
  const value = unwrapOptional(schema);
  if (value instanceof z.ZodArray) return typed(value.element);
  if (value instanceof z.ZodUnion) return value.options.flatMap(typed);
  if (!(value instanceof z.ZodObject)) return [];
  const fields: [string, z.core.$ZodType][] = Object.entries(value.shape);
  return fields.flatMap(([name, each]) => below(name, typed(each)));
}

test.each(operations)("$name has the same fields in the API's description and the client", (operation) => {
  const { response, ...request } = Object.values(clientOperations).find(
    ({ name }) => name === operation.name,
  ) ?? { response: z.never() };
  const pairs: [Schema, z.core.$ZodType][] = [[responseSchema(operation, 200), response]];
  const body = sentBody(operation);
  if (body && "body" in request) pairs.push([body, request.body]);
  const missing = pairs.flatMap(([schema, ours]) => {
    const [theirs, own] = [described(schema), typed(ours)];
    return [
      ...own.flatMap((field) => (theirs.includes(field) ? [] : `${field} in docs/openapi.yaml`)),
      ...theirs.flatMap((field) => (own.includes(field) ? [] : `${field} in provider/api`)),
    ];
  });
  expect(missing).toEqual([]);
});

test("the described bounds of a channel's settings equal the bounds in the audit's rule documented-bounds", () => {
  const bounded = Object.entries(schemas.AlertChannel?.properties ?? {}).flatMap(([name, { anyOf = [] }]) =>
    anyOf.flatMap(({ minimum: least, maximum: most }) =>
      least === undefined ? [] : [{ name, least, most }],
    ),
  );
  expect(bounded).toEqual([{ name: "sslExpiryThreshold", ...sslExpiryThresholdBounds }]);
});

test("the described page sizes of lists equal the client's page sizes", () => {
  const limits = operations.flatMap(({ parameters }) => parameters.filter(({ name }) => name === "limit"));
  const { least: minimum, most: maximum, usual } = pageSize;
  const sizes = { type: "integer", minimum, maximum };
  expect(limits.map(({ schema }) => schema)).toEqual([
    { ...sizes, default: numberedPageSize },
    ...listNames.map(() => ({ ...sizes, default: usual })),
  ]);
});

test("each example of the API matches its schema", () => {
  expect(examples.length).toBeGreaterThan(operations.length);
  expect(examples.flatMap(({ schema, value }) => tolerant(schema, value))).toEqual([]);
});

test("the example of each object contains all of its fields, except those that only some deployments return", () => {
  const named = Object.entries(objectExamples);
  expect(
    named.flatMap(([name, { value }]) => exact({ $ref: `#/components/schemas/${name}` }, value)),
  ).toEqual([]);
});
