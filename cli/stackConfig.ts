/** Reads the settings of a stack for a command that runs without Pulumi. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify, types } from "node:util";
import { z } from "zod";
import { ConfigurationError } from "../provider/client";
import { jsonIn, oneLine } from "../provider/texts";

export function wordsOf(command: string): string[] {
  return command.split(" ").filter((word) => word !== "");
}

/**
 * Reads the configuration of a stack with a command that runs Pulumi, because only Pulumi can decrypt it.
 *
 * @throws ConfigurationError if `pulumi` can't read the stack
 */
export async function readStackConfig(
  { stack, pulumi }: { readonly stack: string; readonly pulumi: string },
  environment: NodeJS.ProcessEnv,
): Promise<(key: string) => string | undefined> {
  // The argument must be safe for a shell. On Windows, npm installs `pulumi` as a script that only a shell can run.
  if (!/^[\w./-]+$/.test(stack))
    throw unreadable(stack, "the name can contain only letters, digits and the characters . _ - /");
  const printed = await printedBy(pulumi, stack, environment);
  const config = stackConfig.safeParse(jsonIn(printed)).data;
  if (config === undefined) throw unreadable(stack, "`pulumi config --json` printed no configuration");
  return (key) => config[`monitoring:${key}`]?.value;
}

/** Settings by key. Every value is a string, including secrets, numbers and objects. */
const stackConfig = z.record(z.string(), z.object({ value: z.string().optional() }));

async function printedBy(command: string, stack: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const [program = "", ...words] = wordsOf(command);
  const args = "config --json --show-secrets --non-interactive --color never --stack".split(" ");
  const env = { ...environment, ...pathTo(program, environment) };
  const options = { env, shell: process.platform === "win32", maxBuffer: 16 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(program, [...words, ...args, stack], options)).stdout;
  } catch (error) {
    if (!types.isNativeError(error) || !("stderr" in error)) throw error;
    const said = oneLine(String(error.stderr)).replace(/^error: /, "");
    throw unreadable(
      stack,
      "code" in error && error.code === "ENOENT"
        ? `the command \`${program}\` isn't on the PATH. Set --pulumi to the command of an installed Pulumi CLI, or use environment variables instead of --stack`
        : `\`${command} config\` failed: ${said}`,
    );
  }
}

/**
 * Removes npm's program folders from the PATH if another folder contains the program, because the `pulumi` of the npm package may first
 * download an engine.
 */
function pathTo(program: string, { PATH = "" }: NodeJS.ProcessEnv): { readonly PATH?: string } {
  const folders = PATH.split(delimiter).filter(
    (each) => each !== "" && !/node_modules[\\/]\.bin$/.test(each),
  );
  return folders.some((folder) => existsSync(join(folder, program))) ? { PATH: folders.join(delimiter) } : {};
}

function unreadable(stack: string, reason: string): ConfigurationError {
  return new ConfigurationError("Stack", [
    { property: `--stack ${oneLine(stack)}`, reason: `can't be read: ${reason}` },
  ]);
}
