/**
 * Runs `monitoring preview`: runs `pulumi preview` and reports which updates `pulumi up` would publish, on which incidents and with which
 * text. It only reports decisions of the engine and the provider, and makes none itself.
 */
import { spawn } from "node:child_process";
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Readable } from "node:stream";
import { checkWritable, writeFile } from "../../provider/files";
import { getErrorReason, toSafeJson, toPrintable } from "../../provider/texts";
import { factsVariable } from "../../provider/previewFacts";
import { type Arguments, type CommandContext, CommandError, hasColor, print } from "../command";
import type * as definitions from "../definitions";
import { type Document, renderMarkdown, renderTerminalLines } from "../documents";
import { readJob, formatPreviewTitle, createNoResultDocument } from "../job";
import { PlanReader } from "./plan";
import {
  createDocument,
  type Ended,
  exitCodeOf,
  type PreviewReport,
  createReport,
  createUnfinishedReport,
} from "./report";
import { createPathVariable, splitCommand } from "../stackConfig";

export async function runPreview(
  { values, rest }: Arguments<typeof definitions.preview>,
  context: CommandContext,
): Promise<number> {
  const { environment, stdout } = context;
  const { stack, pulumi } = values;
  const output = values.output === "-" ? undefined : values.output;
  const format = values.format ?? (output === undefined ? "text" : "markdown");
  const job = readJob(environment);
  const options = [...(stack === undefined ? [] : ["--stack", stack]), ...rest];
  const command = [
    ...splitCommand(pulumi),
    "preview",
    "--json",
    "--non-interactive",
    "--color=never",
    ...options,
  ];
  const write = async (result: Document | PreviewReport): Promise<void> => {
    if (output !== undefined) await writeFile(output, renderResult(result, format));
  };
  if (output !== undefined) checkWritable([output]);
  // Replace the file of an earlier run, because it would be mistaken for this job's result if the job ends before its preview.
  const named = stack ?? environment["PULUMI_STACK"];
  await write(
    format === "json"
      ? { ...createUnfinishedReport(), ...job }
      : createNoResultDocument(formatPreviewTitle(named), job),
  );
  const reader = new PlanReader();
  const ended = await readPreview(command, reader, context);
  const report = createReport(reader.getPreview(), ended, reader.stack ?? named, [
    ...rest,
    ...listOptionVariables(environment),
  ]);
  const document = { ...job, ...createDocument(report, context.now.getTime(), reader.markdown) };
  const getResult = (as: Format) => (as === "json" ? { ...report, ...job } : document);
  await write(getResult(format));
  const shown = output === undefined ? format : "text";
  await print(renderResult(getResult(shown), shown, stdout.columns, hasColor(stdout, environment)), stdout);
  return exitCodeOf[report.result];
}

/** Returns the variables that set Pulumi's options, as `NAME=value`. */
function listOptionVariables(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(environment)
    .filter(([name]) => name.startsWith("PULUMI_OPTION_"))
    .map(([name, value = ""]) => `${name}=${value}`);
}

/** Width of lines if they aren't printed on a terminal, or if the terminal's width is unknown or below the minimum. */
const plainColumns = 80;
const minColumns = 20;

type Format = NonNullable<Arguments<typeof definitions.preview>["values"]["format"]>;

function renderResult(
  result: Document | PreviewReport,
  format: Format,
  columns = plainColumns,
  isColored = false,
): Iterable<string> {
  if ("version" in result) return [`${toSafeJson(result, 2)}\n`];
  return format === "text"
    ? renderTerminalLines(result, columns < minColumns ? plainColumns : columns, isColored)
    : [renderMarkdown(result)];
}

/** Runs the command and logs Pulumi's steps and messages on standard error as they arrive. */
async function readPreview(
  command: readonly string[],
  reader: PlanReader,
  { environment, stderr }: CommandContext,
): Promise<Ended> {
  return withFactsFile(async (file) => {
    const variables = {
      ...createPathVariable(command[0] ?? "", environment),
      ...{ [factsVariable]: file, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" },
    };
    let lastWords = "";
    const log = (lines: readonly string[]): void => {
      lastWords = lines.findLast((line) => line.trim() !== "") ?? lastWords;
      stderr.write(quoteLines(lines));
    };
    const ended = await run(
      command,
      { ...environment, ...variables },
      (line) => log(reader.read(line)),
      (line) => log([line]),
    );
    // Separates the report from the log.
    stderr.write("\n");
    await readLines(createReadStream(file), (line) => reader.readFact(line));
    return { ...ended, lastWords };
  });
}

/** Gives the provider a file that other users can't read, because it may contain text that isn't public yet. */
async function withFactsFile<T>(use: (file: string) => Promise<T>): Promise<T> {
  const folder = createFolder();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    const file = join(folder, "facts");
    writeFileSync(file, "", { mode: 0o600 });
    return await use(file);
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** Creates a temporary folder. @throws CommandError if the parent folder can't be used */
function createFolder(): string {
  const parent = tmpdir();
  try {
    return mkdtempSync(join(parent, "monitoring-preview-"));
  } catch (error) {
    throw new CommandError(
      `The temporary folder ${parent} can't be used: ${getErrorReason(error)}. Set TMPDIR to a writable folder.`,
    );
  }
}

/** Runs a command without a shell. */
async function run(
  [program = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  readOutput: (line: string) => void,
  readError: (line: string) => void,
): Promise<Ended> {
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  // SIGHUP would kill the engine and leave its language host and the providers running.
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
  for (const signal of stopSignals) process.on(signal, stop);
  const ended = new Promise<Ended>((resolve, reject) => {
    child
      .once("error", reject)
      .once("close", (code, signal) => resolve({ code: code ?? 1, signal: signal ?? undefined }));
  });
  try {
    await Promise.all([ended, readLines(child.stdout, readOutput), readLines(child.stderr, readError)]);
    return await ended;
  } catch (error) {
    throw new CommandError(
      `${program} can't be run: ${getErrorReason(error)}. Set the command with --pulumi.`,
    );
  } finally {
    for (const signal of stopSignals) process.off(signal, stop);
  }
}

/** Reads lines as they arrive. Node's `readline` isn't used, because it also splits lines at U+2028, which JSON strings may contain. */
async function readLines(stream: Readable, read: (line: string) => void): Promise<void> {
  // The parts are joined once, because appending each chunk to a string would copy the string each time.
  let parts: string[] = [];
  const end = (): void => {
    const line = parts.join("");
    read(line.endsWith("\r") ? line.slice(0, -1) : line);
  };
  for await (const chunk of stream.setEncoding("utf8")) {
    const [first = "", ...others] = String(chunk).split("\n");
    parts.push(first);
    for (const other of others) {
      end();
      parts = [other];
    }
  }
  if (parts.some((part) => part !== "")) end();
}

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Marks each line, because the job's host would interpret lines that start with `::` or contain `##[` as commands. */
function quoteLines(lines: readonly string[]): string {
  return lines.map((line) => `| ${toPrintable(line).replaceAll("\n", " ")}\n`).join("");
}
