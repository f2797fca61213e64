/**
 * Runs `monitoring preview`: runs `pulumi preview`, and says which updates an `up` would publish, to which incidents, and with which
 * texts. It makes no decision of its own: it reports those of the engine and the provider.
 */
import { spawn } from "node:child_process";
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Readable } from "node:stream";
import { checkWritable, writeFile } from "../audit/sources";
import { amount, errorReason, printable } from "../provider/texts";
import { factsVariable } from "../provider/previewFacts";
import { type Block, type Document, markdownOf, terminalLines } from "../provider/wording";
import {
  type Arguments,
  type CommandContext,
  CommandError,
  hasColor,
  isCommandFailure,
  print,
} from "./command";
import type * as definitions from "./definitions";
import { exitCodes } from "./exitCodes";
import { type Job, jobIn, previewOf, withoutResult } from "./job";
import { type Gap, PlanReader, type Preview, type PreviewedUpdate } from "./previewPlan";

export async function runPreview(
  { values, rest }: Arguments<typeof definitions.preview>,
  context: CommandContext,
): Promise<number> {
  const { environment, stdout, stderr } = context;
  const { stack, pulumi } = values;
  const output = values.output === "-" ? undefined : values.output;
  const format = values.format ?? (output === undefined ? "text" : "markdown");
  const found = jobIn(environment);
  const job = { log: values.log ?? found.log, commit: values.commit ?? found.commit };
  const words = pulumi.split(" ").filter((word) => word !== "");
  const options = [...(stack === undefined ? [] : ["--stack", stack]), ...rest];
  const command = [...words, "preview", "--json", "--non-interactive", "--color=never", ...options];
  const write = async (document: Document): Promise<void> => {
    if (output !== undefined) await writeFile(output, rendered(document, format));
  };
  try {
    if (output !== undefined) checkWritable([output]);
    // The file of an earlier run would pass for one of a job that ends before its preview.
    const named = stack ?? environment["PULUMI_STACK"];
    await write(withoutResult(previewOf(named), job));
    const reader = new PlanReader();
    const ended = await readPreview(command, reader, context);
    const { document, code } = resultOf(reader, ended, job, named);
    await write(document);
    const shown = output === undefined ? format : "text";
    await print(rendered(document, shown, stdout.columns, hasColor(stdout, environment)), stdout);
    return code;
  } catch (error) {
    if (!isCommandFailure(error)) throw error;
    stderr.write(`${error.message}\n`);
    return exitCodes.invalid;
  }
}

/** The width of lines if they aren't printed on a terminal, or if its width isn't known; and the least that a terminal counts as. */
const plainColumns = 80;
const leastColumns = 20;

function rendered(
  document: Document,
  format: "text" | "markdown",
  columns = plainColumns,
  isColored = false,
): Iterable<string> {
  return format === "text"
    ? terminalLines(document, columns < leastColumns ? plainColumns : columns, isColored)
    : [markdownOf(document)];
}

/** How Pulumi ended. */
export interface Ended {
  readonly code: number;
  readonly signal?: NodeJS.Signals | undefined;
  /** The subject of its last words, if it is known. The words themselves may have credentials. */
  readonly subject?: string | undefined;
}

/** Runs the command, and logs on standard error what Pulumi plans and says, as it comes. */
async function readPreview(
  command: readonly string[],
  reader: PlanReader,
  { environment, stderr }: CommandContext,
): Promise<Ended> {
  return withFactsFile(async (file) => {
    const variables = { [factsVariable]: file, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
    let lastWords = "";
    const log = (lines: readonly string[]): void => {
      lastWords = lines.findLast((line) => line.trim() !== "") ?? lastWords;
      stderr.write(marked(lines));
    };
    const ended = await run(
      command,
      { ...environment, ...variables },
      (line) => log(reader.read(line)),
      (line) => log([line]),
    );
    // Sets the report apart.
    stderr.write("\n");
    await readLines(createReadStream(file), (line) => reader.readFact(line));
    return { ...ended, subject: subjects.find(([pattern]) => pattern.test(lastWords))?.[1] };
  });
}

/** What the errors of Pulumi are about with which it ends before a plan, the special ones first. */
const subjects: readonly (readonly [pattern: RegExp, subject: string])[] = [
  [/passphrase|secrets manager/i, "the secrets of the stack"],
  [/access token|PULUMI_ACCESS_TOKEN|log ?in\b/i, "the login to the backend of the state"],
  [/\block(ed)?\b/i, "the lock of the stack"],
  [/project/i, "the project file"],
  [/plugin/i, "a plugin"],
  [/unknown (flag|command|shorthand)|argument/i, "the arguments of the command"],
  [/backend|state directory|bucket/i, "the backend of the state"],
  [/\bstack\b/i, "the stack"],
];

/** True if it is known why an `up` would fail. The engine fails no preview over an update whose provider it doesn't ask. */
function isRefused({ updates, errors, otherErrors }: Preview): boolean {
  return errors.length + otherErrors > 0 || updates.some(({ posts }) => posts === "refused");
}

/** Gives the provider a file that nobody else can read: it may have texts before they are public. */
async function withFactsFile<T>(use: (file: string) => Promise<T>): Promise<T> {
  const folder = newFolder();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    const file = join(folder, "facts");
    writeFileSync(file, "", { mode: 0o600, flag: "wx" });
    return await use(file);
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** @throws CommandError if the folder for temporary files can't be used. */
function newFolder(): string {
  const parent = tmpdir();
  try {
    return mkdtempSync(join(parent, "monitoring-preview-"));
  } catch (error) {
    throw new CommandError(
      `The folder for temporary files ${parent} can't be used: ${errorReason(error)}. Set TMPDIR to a writable one.`,
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
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
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
    throw new CommandError(`${program} can't be run: ${errorReason(error)}. Name the command by --pulumi.`);
  } finally {
    for (const signal of stopSignals) process.off(signal, stop);
  }
}

/** Reads the lines as they come. The module `readline` of Node also splits them at U+2028, which JSON may have in a text. */
async function readLines(stream: Readable, read: (line: string) => void): Promise<void> {
  // Joined once: a string that grows with each chunk is copied each time.
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

/** Lines that begin with `::` or contain `##[` would be commands to the host of the job. */
function marked(lines: readonly string[]): string {
  return lines.map((line) => `| ${printable(line).replaceAll("\n", " ")}\n`).join("");
}

/** Says what the preview means, and the exit code of the command. @param stack Its name, if the plan has none. */
export function resultOf(
  reader: PlanReader,
  ended: Ended,
  job: Job,
  stack?: string,
): { readonly document: Document; readonly code: number } {
  const preview = reader.preview();
  const title = previewOf(reader.stack ?? stack);
  if (typeof preview === "string") {
    const sections = [sectionOf(note(gapText(preview, ended)))];
    return { document: { ...job, ...failedHeading(title), sections }, code: exitCodes.failed };
  }
  const failed = ended.code !== 0 || isRefused(preview);
  // Nobody can approve what wasn't compared with the service, so an unverified preview doesn't pass.
  const code = failed ? exitCodes.failed : preview.unread ? exitCodes.unread : exitCodes.success;
  const heading = failed ? failedHeading(title) : headingOf(title, preview);
  return { document: { ...job, ...heading, sections: sectionsOf(preview, failed) }, code };
}

/** Says why there is no plan. It quotes nothing of what Pulumi says: a host masks credentials in the log of a job, and not in a comment. */
function gapText(gap: Gap, { code, signal, subject }: Ended): string {
  const about = subject === undefined ? "see the log" : `its last message is about ${subject}, see the log`;
  const how = `Pulumi ended (${signal ?? `exit code ${code}`})`;
  switch (gap) {
    case "no plan":
      return code === 0
        ? "Pulumi printed no plan that this command can read. It needs Pulumi 3.200 or newer."
        : `${how} before it had a plan: ${about}.`;
    case "no end":
      return `${how} before its plan was complete: ${about}.`;
    case "steps":
      return "The plan lacks steps that its summary counts, so a part of Pulumi's output was lost. Run the preview again.";
    case "line":
      return "A line of the plan can't be read: see the log. Another program may have written into it. Run the preview again.";
    case "fact":
      return (
        "What the provider found out can't be read. Install one version of pulumi-monitoring-service for the program and for this " +
        "command, and run the preview again."
      );
  }
}

function sectionsOf(preview: Preview, failed: boolean): Document["sections"] {
  const { updates, removed, errors, unread, isUnchanged, otherChanges, otherErrors } = preview;
  const byUrgency = [...updates].sort((one, other) => urgency[one.posts] - urgency[other.posts]);
  const notVerified = "Not verified: the service could not be read, so what is public already isn't known.";
  const others = [
    ...when(otherChanges > 0, `${amount(otherChanges, "other resource")} would change`),
    ...when(otherErrors > 0, amount(otherErrors, "other error")),
  ];
  return [
    { items: errors.map((error) => [errorBlock(error)]), what: "error", most: maxErrorCharacters },
    sectionOf(
      ...when(failed && !isRefused(preview), note("Pulumi failed: see the log.")),
      ...when(unread !== undefined, { level: "warning", head: notVerified, lines: unread } as const),
    ),
    { items: byUrgency.map(({ blocks }) => blocks), what: "update" },
    { items: removed.map((name) => [removedBlock(name)]), what: "removed update" },
    sectionOf(
      ...when(isUnchanged && !failed, note("The stack is unchanged.")),
      ...when(others.length > 0, note(`${others.join(", ")}: see the log.`)),
    ),
  ];
}

const sectionOf = (...blocks: readonly Block[]) => ({ items: [blocks] });
const note = (head: string): Block => ({ level: "note", head });
const when = <Value>(isSo: boolean, value: Value): Value[] => (isSo ? [value] : []);

function errorBlock(error: string): Block {
  const [head = "", ...lines] = error.slice(0, maxErrorCharacters).split("\n");
  return { level: "error", head, lines };
}

function removedBlock(name: string): Block {
  const head = `IncidentUpdate ${JSON.stringify(name)} is removed from the state only`;
  return { head, lines: ["What is public stays public."] };
}

/** A preview may have many errors. */
const maxErrorCharacters = 15_000;
const urgency = { refused: 0, will: 1, may: 2, no: 3 } as const;
const failedHeading = (title: string) => ({ heading: [`The ${title}`, " failed"], level: "error" }) as const;

/** `Preview (eu) of abc1234: 1 update will be posted, with an email to every subscriber`. */
function headingOf(title: string, { updates, unread }: Preview): Pick<Document, "heading" | "level"> {
  const parts = [...countOf(updates, "will", "will be posted"), ...countOf(updates, "may", "may be posted")];
  const verdict = parts.join(", ") || "nothing will be posted";
  const isDoubtful = unread !== undefined || updates.some(({ posts }) => posts === "may");
  return {
    heading: [title.replace("p", "P"), `${unread ? ", not verified" : ""}: ${verdict}`],
    level: isDoubtful ? "warning" : undefined,
  };
}

function countOf(
  updates: readonly PreviewedUpdate[],
  posts: PreviewedUpdate["posts"],
  what: string,
): string[] {
  const these = updates.filter((update) => update.posts === posts);
  if (these.length === 0) return [];
  const emails = these.filter((each) => each.emails !== false);
  const perhaps = emails.some((each) => each.emails === undefined) ? "perhaps " : "";
  const each = emails.length < these.length ? `${emails.length} ` : these.length > 1 ? "each " : "";
  return [
    `${amount(these.length, "update")} ${what}`,
    ...when(emails.length > 0, `${each}${perhaps}with an email to every subscriber`),
  ];
}
