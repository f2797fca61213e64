/** Installs the packed package and registry packages in folders that are deleted after their test or test file. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { archive } from "../../tools/setup";
import { npm } from "../../tools/setup/run";
import { expectSuccess } from "../engine/stack";

let parent = "";
let ofThisTest: string[] = [];
const removals: Promise<void>[] = [];

export function folder(): string {
  if (parent === "") parent = realpathSync(mkdtempSync(join(tmpdir(), "installs-")));
  const made = mkdtempSync(join(parent, "folder-"));
  ofThisTest.push(made);
  return made;
}

const remove = (where: string): Promise<void> => rm(where, { recursive: true, force: true });

// Deleting thousands of files takes as long as installing them, so the next test runs during the deletion.
beforeEach(() => {
  ofThisTest = [];
});
afterEach(() => {
  removals.push(...ofThisTest.map(remove));
});
afterAll(async () => {
  await Promise.all(removals);
  await remove(parent);
});

/** The package as a dependency in a package.json. */
export const packed = `file:${archive}`;

export function write(where: string, files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(where, name)), { recursive: true });
    writeFileSync(join(where, name), typeof content === "string" ? content : JSON.stringify(content));
  }
}

/** Installs packages in a folder. */
export async function install(where: string, ...packages: string[]): Promise<void> {
  const args = ["install", "--no-audit", "--no-fund", ...packages];
  expectSuccess(await npm(args, { cwd: where }));
}
