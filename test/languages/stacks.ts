/** Stacks whose programs are in another language, and use the native plugin. */
import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { stringify } from "yaml";
import type { Sandbox } from "../../sandbox";
import { prepareLanguages } from "../../tools/test/languages";
import { run } from "../../tools/setup/run";
import { createStack, toEnvironment, expectSuccess, folderInRepository, type Stack } from "../engine/stack";

/** @param more what else Pulumi.yaml says: of a YAML program, all of it. */
export async function createLanguageStack(
  runtime: "python" | "yaml",
  sandbox: Sandbox,
  more: object = {},
): Promise<Stack> {
  const stack = await createStack({ env: toEnvironment(sandbox) });
  stack.write("Pulumi.yaml", stringify({ name: "test", runtime, ...more }));
  stack.declarePlugin();
  return stack;
}

/** The archive of the SDK for Python, as a release has it. */
async function pythonArchive(): Promise<string> {
  const { sdks } = await prepareLanguages();
  const [name = "no archive"] = readdirSync(sdks).filter((file) => file.startsWith("pulumi_monitoring-"));
  return join(sdks, name);
}

/** A stack of a program in Python, with the SDK from its archive. */
export async function createPythonStack(sandbox: Sandbox, program: string): Promise<Stack> {
  const stack = await createLanguageStack("python", sandbox);
  stack.env["PYTHONPATH"] = await pythonPath();
  stack.write("__main__.py", program);
  return stack;
}

let installed: Promise<string> | undefined;

/** Where a program finds its packages, with the SDK, which is installed once for a test file. */
export function pythonPath(): Promise<string> {
  return (installed ??= installSdk());
}

async function installSdk(): Promise<string> {
  const { python } = await prepareLanguages();
  const packages = folderInRepository();
  const pip = ["-m", "pip", "install", "--target", packages, "--no-deps", await pythonArchive()];
  expectSuccess(await run("python3", pip, { env: process.env }));
  return [python, packages].join(delimiter);
}
