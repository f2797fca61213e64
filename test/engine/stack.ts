/** Stacks of the real engine, whose programs reach a sandbox. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Project } from "../../tools/pulumi";
import { root } from "../../tools/setup";
import type { Sandbox } from "../../sandbox";

export const repository = root;

/** The service for a stack whose configuration isn't what the test is about: variables save a command. */
export const toEnvironment = ({ url, accountId, apiKey }: Pick<Sandbox, "url" | "accountId" | "apiKey">) => ({
  MONITORING_BASE_URL: url,
  MONITORING_ACCOUNT_ID: accountId,
  MONITORING_API_KEY: apiKey,
});

export type Stack = Project;
export type Ended = Awaited<ReturnType<Project["run"]>>;
export type Resource = Awaited<ReturnType<Project["resources"]>>[number];

interface StackOptions extends Omit<Parameters<typeof Project.create>[0], "program"> {
  readonly program?: string;
  /** The service, whose address, account and key are configured. */
  readonly sandbox?: Pick<Sandbox, "url" | "accountId" | "apiKey">;
}

const stacks: Stack[] = [];
const folders: string[] = [];
afterAll(() => {
  for (const stack of stacks.splice(0)) stack.remove();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder in which programs find the packages of this repository by name. It ends with its test file. */
export function folderInRepository(): string {
  const parent = join(root, ".engine-tests");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "folder-"));
  folders.push(folder);
  return folder;
}

/** A stack that ends with its test file. */
export async function createStack({
  program = "",
  sandbox,
  settings,
  ...options
}: StackOptions): Promise<Stack> {
  const service = sandbox && {
    "monitoring:baseUrl": sandbox.url,
    "monitoring:accountId": sandbox.accountId,
    "monitoring:apiKey!": sandbox.apiKey,
  };
  const stack = await Project.create({
    ...options,
    program,
    settings: { ...service, ...settings },
  });
  stacks.push(stack);
  return stack;
}

/** The resources of this package's kinds. */
export async function listResources(stack: Stack): Promise<Resource[]> {
  return (await stack.resources()).filter(({ type }) => type.includes("dynamic/monitoring:"));
}

/** All that a command printed, which must have succeeded. */
export function expectSuccess({ ok, output }: Ended): string {
  // Not an assertion: it would leave out the lines that say why.
  if (!ok) throw new Error(`The command failed:\n${output}`);
  return output;
}

/** A failure that a reader of a log understands: no stack trace of a program. */
export function expectFailure({ ok, output }: Ended, ...said: (string | RegExp)[]): void {
  expect({ ok, output }).toMatchObject({ ok: false });
  expect(output).not.toMatch(/^\s+at .*:\d+:\d+/m);
  for (const each of said)
    expect(output).toEqual(
      typeof each === "string" ? expect.stringContaining(each) : expect.stringMatching(each),
    );
}
