/** The description itself. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../engine/stack";
import { examples, file, operations } from "./document";
import { tolerant } from "./validation";

const run = promisify(execFile);

test("it is OpenAPI 3.1, as a validator of others sees it", async () => {
  const bin = "node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js";
  const { stdout } = await run(process.execPath, [join(repository, bin), file]);
  expect(JSON.parse(stdout)).toEqual({ valid: true });
  expect(readFileSync(file, "utf8")).toMatch(/^openapi: 3\.1\.\d\n/);
});

test("it describes the six operations", () => {
  expect(operations.map(({ name, method, path }) => `${name}: ${method} ${path}`)).toEqual([
    "createIncidentUpdate: POST /v1/status-pages/incidents/{incidentId}/incident-updates",
    "getIncidentUpdate: GET /v1/status-pages/incidents/{incidentId}/incident-updates/{incidentUpdateId}",
    "getStatusPageIncident: GET /v1/status-pages/incidents/{incidentId}",
    "getIncident: GET /v1/incidents/{id}",
    "getAlertChannel: GET /v1/alert-channels/{id}",
    "listStatusPages: GET /v1/status-pages",
  ]);
});

test("each of its examples is as it describes it", () => {
  expect(examples.length).toBeGreaterThan(operations.length);
  expect(examples.flatMap(({ schema, value }) => tolerant(schema, value))).toEqual([]);
});
