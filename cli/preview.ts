/**
 * Runs `monitoring preview`: runs `pulumi preview`, and writes a comment in Markdown on what an `up` would publish. It decides
 * nothing: the engine and the provider have.
 */
import { spawn } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { checkWritable, writeFile } from "../audit/sources";
import { errorReason, mostCharacters, printable, quotation } from "../provider/texts";
import { factsVariable } from "../provider/wording";
import { type Arguments, type CommandContext, CommandError, isCommandFailure, print } from "./command";
import type * as definitions from "./definitions";
import { exitCodes } from "./exitCodes";
import { type Job, jobIn } from "./job";
import {
  commentOf,
  factsIn,
  failureOf,
  headline,
  type Plan,
  planIn,
  type Preview,
  previewOf,
  withoutResult,
} from "./previewComment";

export async function runPreview(
  { values, rest }: Arguments<typeof definitions.preview>,
  context: CommandContext,
): Promise<number> {
  const { stack, output, pulumi, log, commit } = values;
  const command = pulumi.split(" ").filter((word) => word !== "");
  const invocation = { command, options: [...(stack === undefined ? [] : ["--stack", stack]), ...rest] };
  const found = jobIn(context.environment);
  const job = { log: log ?? found.log, commit: commit ?? found.commit };
  try {
    if (output !== undefined) {
      checkWritable([output]);
      // The file of an earlier run would pass for one of a job that ends before its preview.
      writeFile(output, withoutResult("preview", job));
    }
    const { markdown, lines, exitCode } = await previewed(invocation, job, context);
    if (output === undefined) await print(markdown, context.stdout);
    else {
      writeFile(output, markdown);
      await print(lines, context.stdout);
    }
    return exitCode;
  } catch (error) {
    if (!isCommandFailure(error)) throw error;
    context.stderr.write(`${error.message}\n`);
    return exitCodes.invalid;
  }
}

/** The command to run. */
interface Invocation {
  readonly command: readonly string[];
  readonly options: readonly string[];
}

/** Makes the comment for the pull request, and the log of the job. */
async function previewed(
  { command, options }: Invocation,
  job: Job,
  { environment, stderr }: CommandContext,
) {
  const runPulumi = (more: readonly string[], variables: NodeJS.ProcessEnv) => {
    const all = [...command, "preview", ...more, "--non-interactive", "--color=never", ...options];
    return run(all, { ...environment, ...variables }, stderr);
  };
  const { stdout, facts, exitCode } = await withFactsFile((file) =>
    runPulumi(["--json"], { [factsVariable]: file }),
  );
  const { plan, others } = planIn(stdout);
  if (!plan) {
    const lines = `${marked(others)}The preview failed: Pulumi printed no plan.\n`;
    return { markdown: failureOf(job), lines, exitCode: exitCodes.failed };
  }
  const preview = previewOf(plan, factsIn(facts), exitCode !== 0);
  // The JSON has no violations of policies.
  if (exitCode !== 0 && preview.errors.length + preview.otherErrors === 0)
    stderr.write(marked((await runPulumi([], { [factsVariable]: undefined })).stdout.split("\n")));
  return {
    markdown: commentOf(preview, job),
    lines: `${marked([...others, ...linesOf(plan), ...longTexts(preview)])}${headline(preview, job)}\n`,
    exitCode: exitCodeOf(preview),
  };
}

/** Nobody can approve what wasn't compared with the service, so an unverified preview doesn't pass. */
function exitCodeOf({ failed, isVerified }: Preview): number {
  if (failed) return exitCodes.failed;
  return isVerified ? exitCodes.success : exitCodes.unread;
}

/** Gives the provider a file that nobody else can read: it may have texts before they are public. */
async function withFactsFile<T>(use: (file: string) => Promise<T>): Promise<T & { readonly facts: string }> {
  const folder = newFolder();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    const file = join(folder, "facts");
    writeFileSync(file, "", { mode: 0o600, flag: "wx" });
    const result = await use(file);
    return { ...result, facts: readFileSync(file, "utf8") };
  } finally {
    process.off("exit", remove);
    remove();
  }
}

const prefix = "monitoring-preview-";
const dayMs = 86_400_000;

/** @throws CommandError if the folder for temporary files can't be used. */
function newFolder(): string {
  const parent = tmpdir();
  try {
    // A command that was killed can't remove its folder, which has texts that may not be public yet.
    for (const name of readdirSync(parent)) if (name.startsWith(prefix)) removeOld(join(parent, name));
    return mkdtempSync(join(parent, prefix));
  } catch (error) {
    throw new CommandError(
      `The folder for temporary files ${parent} can't be used: ${errorReason(error)}. Set TMPDIR to a writable one.`,
    );
  }
}

function removeOld(folder: string): void {
  try {
    if (Date.now() - lstatSync(folder).mtimeMs > dayMs) rmSync(folder, { recursive: true, force: true });
  } catch {
    // The folder of another user can't be removed, and is in nobody's way.
  }
}

/** Runs a command without a shell. What it says on standard error goes to ours at once, marked. */
async function run(
  [program = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  stderr: NodeJS.WritableStream,
) {
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of stopSignals) process.on(signal, stop);
  createInterface({ input: child.stderr }).on("line", (line) => stderr.write(marked([line])));
  try {
    const ended = new Promise<number>((resolve, reject) => {
      child.once("error", reject).once("close", (code) => resolve(code ?? 1));
    });
    const [stdout, exitCode] = await Promise.all([readAll(child.stdout), ended]);
    return { stdout, exitCode };
  } catch (error) {
    throw new CommandError(`${program} can't be run: ${errorReason(error)}. Name the command by --pulumi.`);
  } finally {
    for (const signal of stopSignals) process.off(signal, stop);
  }
}

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Lines of others. Those that begin with `::` or contain `##[` would be commands to the host of the job. */
function marked(lines: readonly string[]): string {
  return lines.map((line) => `| ${printable(line).replaceAll("\n", " ")}\n`).join("");
}

/** Logs every step, because the comment omits some. */
function linesOf({ steps, diagnostics }: Plan): string[] {
  const messages = diagnostics.flatMap(({ message }) => message.trimEnd().split("\n"));
  return [...steps.map(({ op, urn }) => `${op}  ${urn}`), ...messages];
}

/** Logs a text that a terminal shows in part alone, and a comment perhaps not at all. */
function longTexts({ updates }: Preview): string[] {
  const texts = updates.map(({ fact }) => fact?.text ?? "").filter((text) => text.length > mostCharacters);
  return texts.flatMap((text) => quotation(text, Infinity));
}
