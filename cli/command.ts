/** Defines what the commands of `monitoring` share: their context, checks of arguments, output and progress. */
import { pipeline } from "node:stream/promises";
import { types } from "node:util";
import { FileError } from "../audit/sources/auditErrors";
import { MonitoringError } from "../provider/client/errors";
import { didYouMean, errorReason, nearestOf, oneLine } from "../provider/texts";

/** An output stream of a command. */
export type Stream = NodeJS.WritableStream & {
  /** True if it is a terminal. */
  readonly isTTY?: boolean;
};

/** A subcommand of `monitoring`. */
export interface Subcommand {
  /** One line for the list of commands. */
  summary: string;
  /** The text that `--help` prints. */
  usage: string;
  /** Resolves to the exit code. May throw a `UsageError` or an error of `parseArgs`. */
  run(args: string[]): Promise<number>;
}

/** The process of a command, or its substitute in a test. */
export interface CommandContext {
  readonly environment: NodeJS.ProcessEnv;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly now: Date;
}

/** Invalid command-line arguments: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A command can't do its work. The message says why, and what to do. */
export class CommandError extends MonitoringError {}

/** Returns true if the message of the error is all that a user needs: a command or a file can't be used. */
export function isCommandFailure(error: unknown): error is CommandError | FileError {
  return error instanceof CommandError || error instanceof FileError;
}

/** An argument, as `parseArgs` describes it. */
export interface Token {
  readonly kind: string;
  readonly name?: string;
  readonly value?: string;
}

export function rejectEmpty(tokens: readonly Token[]): void {
  const empty = tokens.find(({ kind, value }) => kind === "option" && value === "");
  if (empty) throw new UsageError(`--${empty.name} must not be empty.`);
}

/** Rejects a repeated option: `parseArgs` would use the last one, and an audit with only some of the rules could wrongly pass. */
export function rejectDuplicates(tokens: readonly Token[], repeatable: readonly string[] = []): void {
  const names = new Set<string>();
  for (const { name } of tokens) {
    if (name === undefined || repeatable.includes(name)) continue;
    if (names.has(name)) throw new UsageError(`--${name} can be given only once.`);
    names.add(name);
  }
}

/** @throws UsageError when the value is none of these */
export function choiceOf<const Values extends readonly string[]>(
  values: Values,
  option: string,
  value: string,
): Values[number] {
  const match = values.find((one) => one === value);
  if (match !== undefined) return match;
  const wrong = `${JSON.stringify(value)}${didYouMean(value, values)}`;
  throw new UsageError(`${option} must be one of ${values.join(", ")}, not ${wrong}.`);
}

/** Prints a text. Waits for a slow reader, and stops without an error if the reader closes the pipe, as `head` does. */
export async function print(text: string, stdout: Stream): Promise<void> {
  try {
    await pipeline([text], stdout, { end: false });
  } catch (error) {
    if (types.isNativeError(error) && "code" in error && error.code === "EPIPE") return;
    throw new CommandError(`standard output can't be written: ${errorReason(error)}`);
  }
}

const redrawMs = 100;
const firstLineMs = 10_000;
const nextLineMs = 60_000;
const clearLine = "\r\u001b[2K";

/**
 * Shows the progress of a command on standard error. A terminal gets one line, which is rewritten; any other output gets a line
 * after ten seconds, and then one a minute.
 */
export class Progress {
  readonly #stream: Stream;
  readonly #what: string;
  readonly #isTerminal: boolean;
  #timer: NodeJS.Timeout | undefined;
  #done = 0;
  #total = 0;
  #drawn = "";

  /** @param what Name of the work, such as `Reading alert channels`. */
  constructor(stream: Stream, what: string) {
    this.#stream = stream;
    this.#what = what;
    this.#isTerminal = stream.isTTY === true;
  }

  begin(total: number): void {
    this.#total = total;
    this.#showAfter(this.#isTerminal ? redrawMs : firstLineMs);
  }

  /** Counts one more as done. */
  advance(): void {
    this.#done += 1;
  }

  /** Prints a line that stays. */
  say(text: string): void {
    this.#clear();
    this.#stream.write(`${text}\n`);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#clear();
  }

  #showAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      const line = `${this.#what}: ${this.#done.toLocaleString("en")} of ${this.#total.toLocaleString("en")}`;
      if (!this.#isTerminal) this.#stream.write(`${line}\n`);
      else if (line !== this.#drawn) {
        this.#stream.write(clearLine + line);
        this.#drawn = line;
      }
      this.#showAfter(this.#isTerminal ? redrawMs : nextLineMs);
    }, ms).unref();
  }

  #clear(): void {
    if (this.#drawn !== "") this.#stream.write(clearLine);
    this.#drawn = "";
  }
}

/** Returns one line, because the whole help would hide the mistake. @param message of a `UsageError`, or of `parseArgs` */
export function usageProblem(message: string, name: string, { usage }: Pick<Subcommand, "usage">): string {
  return `${withSuggestion(oneLine(message), usage)} Run \`monitoring ${name} --help\`.`;
}

/** Suggests the option that is probably meant, instead of the advice of `parseArgs` on positional arguments. */
function withSuggestion(message: string, usage: string): string {
  const [, option] = /^Unknown option '(--?.*?)'/.exec(message) ?? [];
  if (option === undefined) return message.replace(/[^.?!]$/, "$&.");
  const options = [...usage.matchAll(/--([a-z][a-z-]*)/g)].map(([, name = ""]) => name);
  const nearest = nearestOf(option.replace(/^-+/, ""), options);
  return `Unknown option ${option}${nearest === undefined ? "" : ` (did you mean "--${nearest}"?)`}.`;
}
