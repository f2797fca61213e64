/** The schema of the Pulumi package says what the plugin does with arguments, and shows programs that are right. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { nativeToken } from "../../provider/engine/resourceTypes";
import type { ObjectSpec, PackageSpec, PropertySpec } from "../../tools/generate/schema/pulumi";
import { clone } from "./fakePrograms";

const schema = JSON.parse(readFileSync(join(clone, "plugin", "schema.json"), "utf8")) as PackageSpec;
const resources = Object.entries(schema.resources);
const functions = Object.entries(schema.functions);

it("knows what an argument must be, what replaces and what is secret", () => {
  const facts = (properties: Record<string, PropertySpec>, fact: keyof PropertySpec) =>
    Object.keys(properties).filter((name) => properties[name]?.[fact] !== undefined);
  const { inputProperties, requiredInputs, aliases } = schema.resources[nativeToken("IncidentUpdate")] ?? {};

  expect(requiredInputs).toEqual(["description", "incidentId", "status"]);
  expect(facts(inputProperties ?? {}, "willReplaceOnChanges")).toEqual([
    "incidentId",
    "status",
    "description",
    "publicIncidentUpdateDate",
    "occurrence",
  ]);
  expect(inputProperties?.["occurrence"]).toMatchObject({ type: "integer", default: 1 });
  expect(aliases).toEqual([{ type: "pulumi-nodejs:dynamic/monitoring:IncidentUpdate" }]);
  expect(facts(schema.provider.inputProperties, "secret")).toEqual(["apiKey", "accounts"]);
  // The SDKs would pass a default on as an argument, which takes precedence over the environment.
  expect(facts(schema.provider.inputProperties, "default")).toEqual([]);
});

it("has integers where Python would otherwise print 4101.0", () => {
  const typesOf = ({ properties = {} }: ObjectSpec = {}, ...names: string[]) =>
    names.map((name) => properties[name]?.type);
  const { outputs } = schema.functions["monitoring:index:getAlertChannel"] ?? {};
  expect(typesOf(outputs, "id", "sslExpiryThreshold")).toEqual(["integer", "integer"]);
  expect(typesOf(schema.resources[nativeToken("AlertChannel")], "sslExpiryThreshold")).toEqual(["integer"]);
  const counts = schema.types["monitoring:index:Counts"] as ObjectSpec;
  expect(new Set(typesOf(counts, ...Object.keys(counts.properties ?? {})))).toEqual(new Set(["integer"]));
});

interface YamlProgram {
  resources?: Record<string, { type: string; properties?: object }>;
  variables?: Record<string, { "fn::invoke": { function: string; arguments?: object } }>;
}

/** The resources and functions that an example in YAML declares, each with its arguments. */
function declarationsIn(description: string): [token: string, args: string[]][] {
  const [, text = ""] = /^```yaml\n(.*?)^```/ms.exec(description) ?? [];
  const { resources = {}, variables = {} } = parse(text, { strict: true }) as YamlProgram;
  return [
    ...Object.values(variables).map(
      ({ "fn::invoke": invoke }) => [invoke.function, invoke.arguments] as const,
    ),
    ...Object.values(resources).map(({ type, properties }) => [type, properties] as const),
  ].map(([token, args]) => [token.replace(":", ":index:"), Object.keys(args ?? {})]);
}

it.each([...resources, ...functions])(
  "shows %s in YAML with arguments that exist",
  (name, { description }) => {
    const declared = declarationsIn(description);
    expect(declared.map(([token]) => token)).toContain(name);
    for (const [token, args] of declared) {
      const inputs = schema.resources[token]?.inputProperties ?? schema.functions[token]?.inputs.properties;
      expect(Object.keys(inputs ?? {})).toEqual(expect.arrayContaining(args));
    }
  },
);

it("requires the Python that Pulumi's SDK requires, as its guide says", () => {
  // Each version of the SDK that the generated one accepts requires it.
  const minimum = "3.10";
  expect(schema["language"]).toHaveProperty("python.pythonRequires", `>=${minimum}`);
  const guide = readFileSync(join(clone, "docs", "guides", "quick-start.md"), "utf8");
  expect(guide).toContain(`needs Python ${minimum} or newer`);
});
