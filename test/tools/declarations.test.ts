/** The declarations that users get of what schemas determine. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { Declarations } from "../../tools/setup/build/declarations";
import { repository } from "../engine/stack";
import { temporaryFolder } from "../temporaryFolder";

/** What remains of a file that imports zod. */
function declarationsOf(source: string): string[] {
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

it("declarations have the fields of a schema as members, with their doc comments, and nothing of zod", () => {
  const [text] = declarationsOf(page);
  expect(text).toBe(`export interface Page {
    /** Its own. */
    own: Page;
    /** What it is called. */
    name: string;
    /** Its address. */
    url?: string | null;
}`);
});
