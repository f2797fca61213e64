/** What the engine does with the schema of the package. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import type { PackageSpec } from "../../scripts/schema/pulumi";
import { createStack, repository, type Resource, type Stack } from "../engine/stack";

const plugin = join(repository, "plugin");
const schema = JSON.parse(readFileSync(join(plugin, "schema.json"), "utf8")) as PackageSpec;

let sandbox: Sandbox;
let stack: Stack;

beforeAll(async () => {
  sandbox = await startSandbox();
  stack = await createStack({ sandbox, program: "" });
  stack.declarePlugin();
});

afterAll(async () => {
  stack.remove();
  await sandbox.close();
});

/** The program that `pulumi import` prints: each input in the state that the schema knows. */
function printed(resources: readonly Resource[]): string {
  const declarations = resources.map(({ type, urn, inputs }) => {
    const { inputProperties = {} } = schema.resources[type] ?? {};
    const known = Object.entries(inputs).filter(([name]) => name in inputProperties);
    const name = urn.split("::").at(-1);
    return `new monitoring.${type.split(":").at(-1)}("${name}", ${JSON.stringify(Object.fromEntries(known))});`;
  });
  return ['const monitoring = require("pulumi-monitoring-service/native");', ...declarations].join("\n");
}

it("takes it without a warning", async () => {
  const { ok, output } = await stack.run("package", "get-schema", join(plugin, "pulumi-resource-monitoring"));
  expect(ok).toBe(true);
  expect(JSON.parse(output)).toMatchObject({ name: "monitoring", resources: expect.any(Object) });
});

it("imports each kind, and what it imported is an empty plan when it is declared", async () => {
  const { cardDeclines, searchLag } = wellKnown.statusPageIncidents;
  const updates = sandbox.incident(cardDeclines).incidentUpdates;
  const ids = {
    AlertChannel: wellKnown.alertChannels.onCall,
    Incident: wellKnown.incidents.databaseUpgrade,
    StatusPage: sandbox.data.accounts[0].statusPages[0]?.id,
    StatusPageIncident: searchLag,
  };
  const observed = Object.entries(ids).map(([type, id]) => ({ type, name: type, id: String(id) }));
  const posted = updates.map(({ id }, index) => ({
    type: "IncidentUpdate",
    name: `update-${index}`,
    id: `${cardDeclines}/${id}`,
  }));
  const imports = [...observed, ...posted].map((one) => ({ ...one, type: `monitoring:index:${one.type}` }));
  stack.write("import.json", JSON.stringify({ resources: imports }));

  // The language host that can be built from source prints no programs.
  await stack.mustRun("import", "--file", "import.json", "--yes", "--protect=false", "--generate-code=false");
  const { deployment } = JSON.parse(await stack.exported()) as { deployment: { resources: Resource[] } };
  const imported = deployment.resources.filter(({ type }) => type in schema.resources);
  stack.write("index.js", printed(imported));
  const { ok, output } = await stack.preview("--expect-no-changes");

  expect(imported).toHaveLength(imports.length);
  expect(output).toContain(`${imports.length + 1} unchanged`);
  expect(ok).toBe(true);
  expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});
