/** Creates stacks on the real engine, whose programs use a sandbox. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Project } from "../../tools/pulumi";
import { root } from "../../tools/setup";
import type { Sandbox } from "../../sandbox";

export const repository = root;

/** Returns the variables that connect a stack to a service. They save a command if the configuration isn't tested. */
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
  /** The service whose URL, account and key are configured. */
  readonly sandbox?: Pick<Sandbox, "url" | "accountId" | "apiKey">;
}

const stacks: Stack[] = [];
const folders: string[] = [];
afterAll(() => {
  for (const stack of stacks.splice(0)) stack.remove();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder where programs can import this repository's packages by name. It is deleted after the test file. */
export function folderInRepository(): string {
  const parent = join(root, ".engine-tests");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "folder-"));
  folders.push(folder);
  return folder;
}

/** Creates a stack that is removed after the test file. */
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

/** Returns the resources of this package's types. */
export async function listResources(stack: Stack): Promise<Resource[]> {
  return (await stack.resources()).filter(({ type }) => type.includes("dynamic/monitoring:"));
}

/** Returns everything that a command printed. The command must have succeeded. */
export function expectSuccess({ ok, output }: Ended): string {
  // An assertion would shorten the output and omit the reason.
  if (!ok) throw new Error(`The command failed:\n${output}`);
  return output;
}

/** Expects a failure with a clear message and without a program's stack trace. */
export function expectFailure({ ok, output }: Ended, ...said: (string | RegExp)[]): void {
  expect({ ok, output }).toMatchObject({ ok: false });
  expect(output).not.toMatch(/^\s+at .*:\d+:\d+/m);
  for (const each of said)
    expect(output).toEqual(
      typeof each === "string" ? expect.stringContaining(each) : expect.stringMatching(each),
    );
}
