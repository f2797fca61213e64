/** The declarations that users get of what schemas determine. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { Declarations } from "../../tools/setup/build/declarations";
import { temporaryFolder } from "../temporaryFolder";
import { clone } from "./fakePrograms";

function declarationsOf(comment: string): string | undefined {
  const folder = temporaryFolder();
  symlinkSync(join(clone, "node_modules"), join(folder, "node_modules"));
  const source = `
import { z } from "zod";
declare const page: z.ZodObject<{
    ${comment}
    name: z.ZodString;
    /** Its address. */
    url: z.ZodOptional<z.ZodNullable<z.ZodString>>;
}>;
export interface Page extends z.output<typeof page> {
    /** Its own. */
    own: Page;
}
export {};
`;
  writeFileSync(join(folder, "index.d.ts"), source);
  return new Declarations(ts, folder, ["index.d.ts"]).files().get("index.d.ts")?.trim();
}

it("have the fields of a schema as members, with their doc comments, and nothing of zod", () => {
  expect(declarationsOf("/** What it is called. */")).toBe(`export interface Page {
    /** Its own. */
    own: Page;
    /** What it is called. */
    name: string;
    /** Its address. */
    url?: string | null;
}`);
});

it("aren't made of a field without a doc comment", () => {
  expect(() => declarationsOf("")).toThrow("Fields without a doc comment: Page.name.");
});
