/**
 * Contains the code that the commands of `monitoring` share: their context, parsing of arguments according to a table of options, help,
 * errors, output and progress.
 */
import { pipeline } from "node:stream/promises";
import { parseArgs, types } from "node:util";
import { MonitoringError } from "../provider/client/errors";
import { formatSuggestion, getErrorReason, findNearest } from "../provider/texts";
import { wrapText } from "../provider/terminal";

export type Stream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};

/** The process of a command, or a substitute in a test. */
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

/** A command can't be performed. The message contains the reason and the next step. */
export class CommandError extends MonitoringError {}

/** An option of a command. Options without `value` are flags. */
interface Option {
  /** Description in the help. The help adds the choices, the default and whether the option is required or can be repeated. */
  readonly help: string;
  /** Name of the option's value in the help, such as `FILE`. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** Description of valid values, such as `a whole number`, and the pattern that tests them. */
  readonly mustBe?: readonly [kind: string, pattern: { test(value: string): boolean }];
  readonly default?: string;
  readonly isRequired?: true;
  /** True if the option can be repeated. */
  readonly isList?: true;
}

type Options = Readonly<Record<string, Option>>;

/** Defines the arguments of `monitoring NAME` and its help. */
export interface Definition {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Paragraph of the help before the options. */
  readonly intro: string;
  readonly options: Options;
  /** An argument that isn't an option. Default: not allowed. */
  readonly operand?: { readonly value: string; readonly help: string; readonly isRequired?: true };
  /** Arguments after `--`. Default: not allowed. */
  readonly rest?: { readonly value: string; readonly help: string };
  /** Paragraphs of the help after the options, such as the exit codes. */
  readonly notes: readonly string[];
  /** Paragraphs of the command's reference page, in Markdown: a link to a guide with its output, and the requests that it sends. */
  readonly page: readonly string[];
}

export interface Arguments<Defined extends Definition> {
  readonly values: { readonly [Name in keyof Defined["options"]]: ValueOf<Defined["options"][Name]> };
  /** The options in the order of the command line. */
  readonly given: readonly Given<Defined["options"]>[];
  readonly operand: string | (Defined extends { operand: { isRequired: true } } ? never : undefined);
  readonly rest: readonly string[];
}

type Given<Table extends Options> = {
  [Name in keyof Table]: { readonly name: Name; readonly value: TextOf<Table[Name]> };
}[keyof Table];

type TextOf<Each extends Option> = Each extends { choices: readonly (infer Choice)[] } ? Choice : string;

type ValueOf<Each extends Option> = Each extends { value: string }
  ? Each extends { isList: true }
    ? readonly TextOf<Each>[]
    : TextOf<Each> | (Each extends { default: string } | { isRequired: true } ? never : undefined)
  : boolean;

/** @throws UsageError if the table doesn't allow the arguments */
export function parse<Defined extends Definition>(
  definition: Defined,
  args: readonly string[],
): Arguments<Defined>;
export function parse({ options, operand, rest }: Definition, args: readonly string[]) {
  const types = Object.entries(options).map(([name, { value }]) => [name, { type: getType(value) }] as const);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    strict: false,
    tokens: true,
  });
  const given: { readonly name: string; readonly value: string }[] = [];
  const words: string[] = [];
  let end = Infinity;
  for (const token of tokens) {
    if (token.kind === "option-terminator") end = rest ? token.index : Infinity;
    else if (token.kind === "positional") {
      if (token.index < end && (!operand || words.length > 0))
        throw new UsageError(
          `Unexpected argument ${JSON.stringify(token.value)}${rest ? `: ${rest.help} go after --` : ""}.`,
        );
      words.push(token.value);
    } else {
      const { name, rawName, value = "" } = token;
      const option = Object.hasOwn(options, name) ? options[name] : undefined;
      const problem = option
        ? validateToken(token, option)
        : formatUnknownOption(rawName, Object.keys(options));
      if (problem !== undefined) throw new UsageError(problem);
      // Reject repeated options, because only the last one would take effect, and an audit with only some of the rules could pass.
      if (!option?.isList && given.some((each) => each.name === name))
        throw new UsageError(`--${name} can be given only once.`);
      given.push({ name, value });
    }
  }
  if (operand?.isRequired && words.length === 0)
    throw new UsageError(`${operand.value} is required: ${operand.help}.`);
  const values = Object.entries(options).map(([name, option]): [string, unknown] => {
    const all = given.filter((each) => each.name === name).map(({ value }) => value);
    if (option.value === undefined) return [name, all.length > 0];
    if (option.isRequired && all.length === 0)
      throw new UsageError(`--${name} ${option.value} is required${formatChoices(option)}.`);
    const texts = all.length === 0 && option.default !== undefined ? [option.default] : all;
    return [name, option.isList ? texts : texts[0]];
  });
  return {
    values: Object.fromEntries(values),
    given,
    operand: rest ? undefined : words[0],
    rest: rest ? words : [],
  };
}

const getType = (value: string | undefined) => (value === undefined ? "boolean" : "string");

interface Token {
  readonly name: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function validateToken({ name, value, inlineValue }: Token, option: Option): string | undefined {
  if (option.value === undefined)
    return value === undefined ? undefined : `--${name} doesn't accept a value.`;
  if (value === "") return `--${name} must not be empty.`;
  // A value that starts with a dash may be the next option, with the value missing.
  if (value === undefined || (!inlineValue && /^-./.test(value))) {
    const other = value === undefined ? "" : `, or --${name}=${value} for a value that starts with a dash`;
    return `--${name} needs a value: --${name} ${option.value}${other}.`;
  }
  const { choices, mustBe } = option;
  if (choices && !choices.includes(value))
    return `--${name} must be one of ${choices.join(", ")}, not ${JSON.stringify(value)}${formatSuggestion(value, choices)}.`;
  if (mustBe && !mustBe[1].test(value))
    return `--${name} must be ${mustBe[0]}, not ${JSON.stringify(value)}.`;
  return undefined;
}

function formatUnknownOption(rawName: string, names: readonly string[]): string {
  const nearest = findNearest(rawName.replace(/^-+/, ""), names);
  return `Unknown option ${rawName}${nearest === undefined ? "" : ` (did you mean "--${nearest}"?)`}.`;
}

const lineWidth = 80;
/** Column of the help where the descriptions of options start. */
const textColumn = 20;

/** Returns the text that `--help` prints. */
export function formatHelp({ name, intro, options, operand, rest, notes }: Definition): string {
  const rows = Object.entries(options).map(
    ([option, each]) => [`--${option} ${each.value ?? ""}`.trimEnd(), formatOption(each)] as const,
  );
  if (operand) rows.push([operand.value, operand.help]);
  if (rest) rows.push([`-- ${rest.value}`, rest.help]);
  const named = operand?.isRequired ? ` ${operand.value}` : operand ? ` [${operand.value}]` : "";
  const others = `${named}${rest ? ` [-- ${rest.value}]` : ""}`;
  const wrapParagraph = (text: string) => wrapText(text, lineWidth).join("\n");
  return [
    `Usage: monitoring ${name} [options]${others}`,
    wrapParagraph(intro),
    rows.flatMap(([form, text]) => formatRow(`  ${form}`, text)).join("\n"),
    ...notes.map(wrapParagraph),
  ].join("\n\n");
}

const formatChoices = ({ choices }: Option): string =>
  choices ? `: ${choices.join(", ").replace(/, ([^,]*)$/, " or $1")}` : "";

function formatOption(option: Option): string {
  const preset = option.isRequired ? " (required)" : option.default ? ` (default: ${option.default})` : "";
  return `${option.help}${formatChoices(option)}${preset}${option.isList ? "; can be repeated" : ""}`;
}

/** Formats a description next to the form of its option or, if the form is too long, below it. */
function formatRow(form: string, text: string): string[] {
  const lines = wrapText(text, lineWidth - textColumn).map((line) => " ".repeat(textColumn) + line);
  const [first = "", ...others] = lines;
  return form.length < textColumn ? [form + first.slice(form.length), ...others] : [form, ...lines];
}

/** Replaces the name of a program's argument in a client's error message with the command's option. */
export function replaceArgumentNames(message: string): string {
  return message.replace(/`?\bstatusPageId\b`?/g, "--status-page");
}

/** Returns true if the stream is a terminal and the user hasn't turned colors off. */
export function hasColor({ isTTY }: Stream, { NO_COLOR }: NodeJS.ProcessEnv): boolean {
  return isTTY === true && !NO_COLOR;
}

/** Prints a string or its parts. Waits for a slow reader. Stops without an error if the reader closes the pipe, as `head` does. */
export async function print(text: string | Iterable<string>, stdout: Stream): Promise<void> {
  try {
    await pipeline(typeof text === "string" ? [text] : text, stdout, { end: false });
  } catch (error) {
    if (types.isNativeError(error) && "code" in error && error.code === "EPIPE") return;
    throw new CommandError(`can't write to standard output: ${getErrorReason(error)}`);
  }
}

const firstLineMs = 10_000;
const nextLineMs = 60_000;

/** Shows the progress of a command on standard error, with a line after ten seconds and then every minute. */
export class Progress {
  #timer: NodeJS.Timeout | undefined;
  #done = 0;

  /** @param what Name of the work, such as `Reading alert channels`. */
  constructor(
    private readonly stream: Stream,
    private readonly what: string,
  ) {}

  /** @param total 0 if the total is unknown. */
  begin(total: number, ms = firstLineMs): void {
    this.#timer = setTimeout(() => {
      const of = total === 0 ? "" : ` of ${total.toLocaleString("en")}`;
      this.stream.write(`${this.what}: ${this.#done.toLocaleString("en")}${of}\n`);
      this.begin(total, nextLineMs);
    }, ms).unref();
  }

  advance(): void {
    this.#done += 1;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
