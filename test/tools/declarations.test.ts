/** The declarations that users get of what schemas determine. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { Declarations } from "../../tools/setup/build/declarations";
import { temporaryFolder } from "../temporaryFolder";
import { clone } from "./fakePrograms";

/** What remains of a file that imports zod, and of the file that it names. */
function declarationsOf(source: string): string[] {
  const folder = temporaryFolder();
  symlinkSync(join(clone, "node_modules"), join(folder, "node_modules"));
  const named = 'import { z } from "zod";\nimport * as api from "./api";\nexport {};\n';
  writeFileSync(join(folder, "index.d.ts"), named + source);
  writeFileSync(join(folder, "api.d.ts"), "export interface Kind {\n    unused: string;\n}\n");
  return [...new Declarations(ts, folder, ["index.d.ts"]).files().values()].map((text) => text.trim());
}

const page = (comment: string) => `declare const page: z.ZodObject<{
    ${comment}
    name: z.ZodString;
    /** Its address. */
    url: z.ZodOptional<z.ZodNullable<z.ZodString>>;
}>;
export interface Page extends z.output<typeof page> {
    /** Its own. */
    own: Page;
}
`;

it("have the fields of a schema as members, with their doc comments, and nothing of zod", () => {
  const [text] = declarationsOf(page("/** What it is called. */"));
  expect(text).toBe(`export interface Page {
    /** Its own. */
    own: Page;
    /** What it is called. */
    name: string;
    /** Its address. */
    url?: string | null;
}`);
});

it("aren't made of a field without a doc comment", () => {
  expect(() => declarationsOf(page(""))).toThrow("Fields without a doc comment: Page.name.");
});

it("have what a written type names", () => {
  const kind = "declare const kind: z.ZodType<api.Kind>;\nexport type Kinds = z.output<typeof kind>[];\n";
  expect(declarationsOf(kind)).toEqual([
    "export interface Kind {\n    unused: string;\n}",
    'import * as api from "./api";\nexport type Kinds = api.Kind[];',
  ]);
});
