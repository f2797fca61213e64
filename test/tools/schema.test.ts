/**
 * Tests files that are generated from schemas: the Pulumi package's schema, which describes how the plugin handles arguments, and the
 * declarations for users.
 */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { getNativeToken } from "../../provider/engine";
import { repository } from "../engine/stack";
import { releasesOf } from "../../tools/generate/schema/package";
import type { ObjectSpec, PackageSpec, PropertySpec } from "../../tools/generate/schema/pulumi";
import { Declarations } from "../../tools/setup/build/declarations";
import { temporaryFolder } from "../temporaryFolder";

const schema = JSON.parse(readFileSync(join(repository, "plugin", "schema.json"), "utf8")) as PackageSpec;
const resources = Object.entries(schema.resources);
const functions = Object.entries(schema.functions);

it("the schema marks required types, replacing properties and secrets", () => {
  const facts = (properties: Record<string, PropertySpec>, fact: keyof PropertySpec) =>
    Object.keys(properties).filter((name) => properties[name]?.[fact] !== undefined);
  const { requiredInputs, aliases } = schema.resources[getNativeToken("IncidentUpdate")] ?? {};

  expect(requiredInputs).toEqual(["description", "incidentId", "status"]);
  const listReplacing = (type: Parameters<typeof getNativeToken>[0]) =>
    facts(schema.resources[getNativeToken(type)]?.inputProperties ?? {}, "willReplaceOnChanges");
  expect([listReplacing("AlertChannel"), listReplacing("StatusPage")]).toEqual([
    ["channelId"],
    ["statusPageId"],
  ]);
  expect([listReplacing("Incident"), listReplacing("IncidentUpdate")]).toEqual([[], []]);
  expect(aliases).toEqual([{ type: "pulumi-nodejs:dynamic/monitoring:IncidentUpdate" }]);
  expect(facts(schema.provider.inputProperties, "secret")).toEqual(["apiKey", "accounts"]);
  // The SDKs would pass a default as an argument, which takes precedence over the environment.
  expect(facts(schema.provider.inputProperties, "default")).toEqual([]);
});

it("the schema uses integers if Python would otherwise print 4101.0", () => {
  const listTypes = ({ properties = {} }: ObjectSpec = {}, ...names: string[]) =>
    names.map((name) => properties[name]?.type);
  const { outputs } = schema.functions["monitoring:index:getAlertChannel"] ?? {};
  expect(listTypes(outputs, "id", "sslExpiryThreshold")).toEqual(["integer", "integer"]);
  expect(listTypes(schema.resources[getNativeToken("AlertChannel")], "sslExpiryThreshold")).toEqual([
    "integer",
  ]);
  const counts = schema.types["monitoring:index:Counts"] as ObjectSpec;
  expect(new Set(listTypes(counts, ...Object.keys(counts.properties ?? {})))).toEqual(new Set(["integer"]));
});

it("the schema names the repository of a release, from which the engine downloads the plugin", () => {
  expect(releasesOf({ url: "git+https://github.com/team/package.git" })).toEqual({
    repository: "https://github.com/team/package",
    pluginDownloadURL: "github://api.github.com/team/package",
  });
});

it.each([...resources, ...functions])("the schema shows a program with %s", (token, { description }) => {
  const [, program = ""] = /^```typescript\n(.*?)^```$/ms.exec(description) ?? [];
  expect(program).toContain(token.split(":").at(-1));
});

it("the schema requires the Python version in the guide", () => {
  const guide = readFileSync(join(repository, "docs", "guides", "quick-start.md"), "utf8");
  const [, minimum] = /need Python (\S+) or newer/.exec(guide) ?? [];
  expect(schema["language"]).toHaveProperty("python.pythonRequires", `>=${minimum}`);
});

/** Returns the declarations for a file that imports zod. */
function listDeclarations(source: string): string[] {
  const folder = temporaryFolder();
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "index.d.ts"), `import { z } from "zod";\nexport {};\n${source}`);
  return [...new Declarations(ts, folder, ["index.d.ts"]).files().values()].map((text) => text.trim());
}

const page = `declare const page: z.ZodObject<{
    /** What it is called. */
    name: z.ZodString;
    /** Its address. */
    url: z.ZodOptional<z.ZodNullable<z.ZodString>>;
}>;
export interface Page extends z.output<typeof page> {
    /** Its own. */
    own: Page;
}
`;

it("declarations contain the fields of a schema as members, with their doc comments, and no zod", () => {
  const [text] = listDeclarations(page);
  expect(text).toBe(`export interface Page {
    /** Its own. */
    own: Page;
    /** What it is called. */
    name: string;
    /** Its address. */
    url?: string | null;
}`);
});
