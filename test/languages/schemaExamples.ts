/** The examples of the schema, which Pulumi's registry and the generated SDKs show. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PackageSpec } from "../../tools/generate/schema/pulumi";
import { repository } from "../engine/stack";

const schema = JSON.parse(readFileSync(join(repository, "plugin", "schema.json"), "utf8")) as PackageSpec;

/** The programs in a language, by the resource or function that each is about. */
export function schemaExamples(language: "go" | "python" | "yaml"): [name: string, program: string][] {
  return Object.entries({ ...schema.resources, ...schema.functions }).map(([token, { description }]) => {
    const [, program = ""] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(description) ?? [];
    expect(program).not.toBe("");
    return [token.split(":").at(-1) ?? "", program];
  });
}
