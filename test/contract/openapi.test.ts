/** The description itself. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { sslExpiryThresholdBounds } from "../../provider/api/alertChannel";
import { operations as clientOperations } from "../../provider/api/operations";
import { repository } from "../engine/stack";
import { examples, file, operations, schemas } from "./document";
import { tolerant } from "./validation";

const run = promisify(execFile);

test("it is OpenAPI 3.1, as a validator of others sees it", async () => {
  const bin = "node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js";
  const { stdout } = await run(process.execPath, [join(repository, bin), file]);
  expect(JSON.parse(stdout)).toEqual({ valid: true });
  expect(readFileSync(file, "utf8")).toMatch(/^openapi: 3\.1\.\d\n/);
});

test("it describes the operations of the client", () => {
  const requests = (all: readonly { name: string; method: string; path: string }[]) =>
    all.map(({ name, method, path }) => `${name}: ${method} ${path}`);
  expect(requests(operations)).toEqual(requests(Object.values(clientOperations)));
});

test("the bounds that it has for settings of a channel are those of the audit's rule documented-bounds", () => {
  const bounded = Object.entries(schemas.AlertChannel?.properties ?? {}).flatMap(([name, { anyOf = [] }]) =>
    anyOf.flatMap(({ minimum: least, maximum: most }) =>
      least === undefined ? [] : [{ name, least, most }],
    ),
  );
  expect(bounded).toEqual([{ name: "sslExpiryThreshold", ...sslExpiryThresholdBounds }]);
});

test("each of its examples is as it describes it", () => {
  expect(examples.length).toBeGreaterThan(operations.length);
  expect(examples.flatMap(({ schema, value }) => tolerant(schema, value))).toEqual([]);
});
