/** Reads the settings of a stack for a command that runs without Pulumi. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify, types } from "node:util";
import { z } from "zod";
import { ConfigurationError } from "../provider/client";
import { getErrorReason, parseJson, toOneLine } from "../provider/texts";

export function splitCommand(command: string): string[] {
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
): Promise<StackConfig> {
  // The argument must be safe for a shell. On Windows, npm installs `pulumi` as a script that only a shell can run.
  if (!/^[\w./-]+$/.test(stack))
    throw createUnreadableStackError(
      stack,
      "the name can contain only letters, digits and the characters . _ - /",
    );
  const printed = await readPulumiConfig(pulumi, stack, environment);
  const config = stackConfig.safeParse(parseJson(printed)).data;
  if (config === undefined)
    throw createUnreadableStackError(stack, "`pulumi config --json` printed no configuration");
  // The project's own settings have the name of the project, which the command doesn't know.
  const [page] = Object.entries(config).filter(([key]) => /:statusPageId$/.test(key));
  return { get: (key) => config[`monitoring:${key}`]?.value, statusPageId: page?.[1].value };
}

/** The settings of this package and, if the program has one, the ID of its status page. */
interface StackConfig {
  readonly get: (key: string) => string | undefined;
  readonly statusPageId: string | undefined;
}

/** Settings by key. Every value is a string, including secrets, numbers and objects. */
const stackConfig = z.record(z.string(), z.object({ value: z.string().optional() }));

async function readPulumiConfig(
  command: string,
  stack: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const [program = "", ...words] = splitCommand(command);
  const args = "config --json --show-secrets --non-interactive --color never --stack".split(" ");
  const env = { ...environment, ...createPathVariable(program, environment) };
  const options = { env, shell: process.platform === "win32", maxBuffer: 16 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(program, [...words, ...args, stack], options)).stdout;
  } catch (error) {
    if (!types.isNativeError(error) || !("stderr" in error)) throw error;
    const message = toOneLine(String(error.stderr)).replace(/^error: /, "");
    throw createUnreadableStackError(
      stack,
      "code" in error && error.code === "ENOENT"
        ? `the command \`${program}\` isn't on the PATH. Set --pulumi to the command of an installed Pulumi CLI, or use environment variables instead of --stack`
        : `\`${command} config\` failed: ${message || toOneLine(getErrorReason(error))}`,
    );
  }
}

/**
 * Removes npm's program folders from the PATH if another folder contains the program, because the `pulumi` of the npm package may first
 * download an engine.
 */
export function createPathVariable(
  program: string,
  { PATH = "" }: NodeJS.ProcessEnv,
): { readonly PATH?: string } {
  const folders = PATH.split(delimiter).filter(
    (each) => each !== "" && !/node_modules[\\/]\.bin$/.test(each),
  );
  return folders.some((folder) => existsSync(join(folder, program))) ? { PATH: folders.join(delimiter) } : {};
}

function createUnreadableStackError(stack: string, reason: string): ConfigurationError {
  return new ConfigurationError("Stack", [
    { property: `--stack ${toOneLine(stack)}`, reason: `can't be read: ${reason}` },
  ]);
}
