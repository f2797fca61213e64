/** The packed package, and tools from the registry, in a folder that ends with its test file. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { preparePacked } from "../../tools/setup";
import { npm } from "../../tools/setup/npm";
import { expectSuccess } from "../engine/stack";

let parent = "";

export function folder(): string {
  if (parent === "") parent = realpathSync(mkdtempSync(join(tmpdir(), "installs-")));
  return mkdtempSync(join(parent, "folder-"));
}

afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Its dependency, for a package.json. */
export async function packed(): Promise<string> {
  return `file:${await preparePacked()}`;
}

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
