/** Reads the settings of a stack for a command that runs without Pulumi. */
import { execFile } from "node:child_process";
import { types } from "node:util";
import { z } from "zod";
import { ConfigurationError } from "../provider/client";
import { jsonIn, oneLine } from "../provider/texts";

export function wordsOf(command: string): string[] {
  return command.split(" ").filter((word) => word !== "");
}

/**
 * Reads the configuration of a stack by a command that runs Pulumi, which is the only way to decrypt it.
 *
 * @throws ConfigurationError when `pulumi` can't read the stack
 */
export async function readStackConfig(
  { stack, pulumi }: { readonly stack: string; readonly pulumi: string },
  environment: NodeJS.ProcessEnv,
): Promise<(key: string) => string | undefined> {
  const printed = await printedBy(
    pulumi,
    ["config", "--json", "--show-secrets", "--stack", stack],
    environment,
  );
  const config = stackConfig.safeParse(jsonIn(printed)).data;
  if (config === undefined) throw unreadable(stack, "`pulumi config --json` printed no configuration");
  return (key) => config[`monitoring:${key}`]?.value;
}

/** Settings by key. Every value is a string, including secrets, numbers and objects. */
const stackConfig = z.record(z.string(), z.object({ value: z.string().optional() }));

async function printedBy(
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const [program = "", ...words] = wordsOf(command);
  const stack = args.at(-1) ?? "";
  // The argument must be safe for a shell: npm installs a script of this name on Windows, which only a shell can run.
  if (!/^[\w./-]+$/.test(stack))
    throw unreadable(stack, "its name has other characters than names of stacks have");
  const options = {
    env: { ...environment },
    shell: process.platform === "win32",
    maxBuffer: 16 * 1024 * 1024,
  };
  return new Promise((resolve, reject) => {
    execFile(
      program,
      [...words, ...args, "--non-interactive", "--color", "never"],
      options,
      (error, stdout, stderr) => {
        if (error === null) {
          resolve(stdout);
          return;
        }
        const isAbsent = types.isNativeError(error) && error.code === "ENOENT";
        const reason = isAbsent
          ? `the command \`${program}\` isn't on the PATH. ${otherCommand}, or set the environment variables`
          : `\`${command} config\` says: ${oneLine(stderr).replace(/^error: /, "")}${isDownload.test(stderr) ? `. ${otherCommand}` : ""}`;
        reject(unreadable(stack, reason));
      },
    );
  });
}

/** The npm package `pulumi` says so. Within `npx`, it comes before an engine that is installed. */
const isDownload = /^Downloading pulumi /m;
const otherCommand = 'Name an installed engine by --pulumi, such as --pulumi "$(which pulumi)"';

function unreadable(stack: string, reason: string): ConfigurationError {
  return new ConfigurationError("Stack", [
    { property: `--stack ${oneLine(stack)}`, reason: `can't be read: ${reason}` },
  ]);
}
