/** Creates stacks whose programs are in other languages and use the native plugin. */
import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { stringify } from "yaml";
import type { Sandbox } from "../../sandbox";
import { prepareLanguages } from "../../tools/test/languages";
import { run } from "../../tools/setup/run";
import { createStack, toEnvironment, expectSuccess, folderInRepository, type Stack } from "../engine/stack";

/** @param more Additional content of Pulumi.yaml. In YAML, this is the whole program. */
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

/** Returns the archive of the Python SDK, as a release contains it. */
async function pythonArchive(): Promise<string> {
  const { sdks } = await prepareLanguages();
  const [name = "no archive"] = readdirSync(sdks).filter((file) => file.startsWith("pulumi_monitoring-"));
  return join(sdks, name);
}

/** Creates a stack with a Python program, and installs the SDK from its archive. */
export async function createPythonStack(sandbox: Sandbox, program: string): Promise<Stack> {
  const stack = await createLanguageStack("python", sandbox);
  stack.env["PYTHONPATH"] = await pythonPath();
  stack.write("__main__.py", program);
  return stack;
}

let installed: Promise<string> | undefined;

/** Returns the folders of the Python packages. The SDK is installed once for a test file. */
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
