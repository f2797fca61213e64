/** Writes blocks of sentences and quotations for a terminal, and in Markdown below the limit of a comment. */
import { amount, inertQuotation, inertSentence, quotation, wrappedSentence } from "../texts";

export interface Block {
  readonly head: string;
  readonly lines?: readonly string[];
  /** The text that the last line introduces, as it will be public. */
  readonly text?: string;
  /** Warnings, which come before the lines. */
  readonly warnings?: readonly string[];
  readonly level?: "error" | "warning" | "note";
}

export interface Document {
  /** Two parts of a line, between which the commit is named. */
  readonly heading: readonly [subject: string, predicate: string];
  readonly level?: "error" | "warning";
  readonly sections: readonly Section[];
  readonly commit?: string;
  readonly log?: string;
}

interface Section {
  /** A comment has all blocks of an item or none. The first items are the most important ones. */
  readonly items: readonly (readonly Block[])[];
  /** A noun for an item. Default: a comment always has all items. */
  readonly what?: string;
  /** The number of characters of all items in a comment. Default: what is left. */
  readonly most?: number;
}

/** @param columns The width of a line. Default: the engine breaks lines, and prints the beginning of a long text. */
export function linesOf(
  { head, warnings = [], lines = [], text, level }: Block,
  columns?: number,
  color = "",
): string[] {
  const fitted = (line: string, indent: string): string[] =>
    wrappedSentence(line, (columns ?? Infinity) - indent.length);
  const start = level === "error" || level === "warning" ? `${level}: ${head}` : head;
  const quoted =
    text === undefined
      ? []
      : quotation(text, columns === undefined ? undefined : { most: Infinity, columns });
  return [
    ...fitted(start, "").map((line) => colored(line, color)),
    ...warnings.flatMap((warning) =>
      fitted(`warning: ${warning}`, "  ").map((line) => `  ${colored(line, color && colors.warning)}`),
    ),
    ...lines.flatMap((line) => {
      // A message may have lines of YAML.
      const [indent = ""] = /^ */.exec(line) ?? [];
      return fitted(line, `  ${indent}`).map((each) => `  ${indent}${each}`);
    }),
    ...quoted,
  ];
}

const colored = (line: string, color: string): string =>
  color === "" ? line : `\u001b[${color}m${line}\u001b[0m`;

const colors = { error: "31", warning: "33", note: "", update: "1" } as const;

export function* terminalLines(document: Document, columns: number, hasColor: boolean): Generator<string> {
  const colorOf = (level: keyof typeof colors): string => (hasColor ? colors[level] : "");
  const { level = "update", sections, log } = document;
  const printed = (block: Block, color: string) => `${linesOf(block, columns, color).join("\n")}\n`;
  yield printed({ head: headingOf(document, (text) => text) }, colorOf(level));
  for (const { items } of sections)
    for (const block of items.flat()) yield `\n${printed(block, colorOf(block.level ?? "update"))}`;
  const parts = jobParts(document, `log ${log}`);
  if (parts.length > 0) yield `\n${parts.join("\n")}\n`;
}

function jobParts({ commit, log }: Document, logPart: string): string[] {
  return [...(commit === undefined ? [] : [`commit ${commit}`]), ...(log === undefined ? [] : [logPart])];
}

function headingOf({ heading: [subject, predicate], commit }: Document, escaped: (text: string) => string) {
  const of = commit === undefined ? "" : ` of ${commit.slice(0, 7)}`;
  return escaped(subject) + of + escaped(predicate);
}

/** GitHub allows 65,536 characters; the rest is for the mark of whoever posts the comment. */
const maxCharacters = 65_000;
/** Reserves room for the notes on what is left out, and for line breaks. */
const maxNotes = 500;
const omission = "> _The text is left out: it is in the log._";
const signs = { error: "\u{1f534} ", warning: "\u{1f7e1} ", note: "" } as const;

export function markdownOf(document: Document): string {
  const { sections, log } = document;
  const heading = `## ${headingOf(document, inertSentence)}`;
  const parts = jobParts(document, `[log](<${log}>)`);
  const footer = parts.length === 0 ? [] : [`_${parts.join(", ")}_`];
  const fixed = sections.filter(({ what }) => what === undefined).flatMap(({ items }) => items.flat());
  let left =
    maxCharacters -
    maxNotes -
    [heading, ...fixed.map((block) => paragraphOf(block)), ...footer].join("\n\n").length;
  const missing: string[] = [];
  const paragraphs = sections.flatMap(({ items, what, most = left }) => {
    if (what === undefined) return items.flat().map((block) => paragraphOf(block));
    const { shown, omitted, withoutText } = fitting(items, Math.min(most, left));
    left -= shown.join("\n\n").length;
    if (withoutText > 0) missing.push(`${amount(withoutText, "text")} left out`);
    if (omitted > 0) missing.push(`${amount(omitted, what)} not listed`);
    return shown;
  });
  const isCut = missing.length > 0;
  const cut = paragraphOf({
    level: "warning",
    head: `This comment is full: ${missing.join(", ")}. See the log.`,
  });
  const title = heading + (isCut ? ", not shown in full" : "");
  return `${[title, ...(isCut ? [cut] : []), ...paragraphs, ...footer].join("\n\n")}\n`;
}

/** Takes the items that fit: all their lines before the texts. */
function fitting(items: Section["items"], most: number) {
  let left = most;
  let withoutText = 0;
  const lengthOf = (block: Block): number => paragraphOf(block, () => omission).length + 2;
  const listed = items.findIndex((item) => {
    left -= item.map(lengthOf).reduce((sum, each) => sum + each, 0);
    return left < 0;
  });
  const blocks = (listed < 0 ? items : items.slice(0, listed)).flat();
  left = Math.max(left, 0);
  const shown = blocks.map((block) =>
    paragraphOf(block, (text) => {
      // A text far beyond what is left needs no quotation, which takes time.
      const quoted = text.length > 4 * (left + omission.length) ? undefined : inertQuotation(text);
      const isFitting = quoted !== undefined && quoted.length <= left + omission.length;
      if (isFitting) left -= Math.max(0, quoted.length - omission.length);
      else withoutText += 1;
      return isFitting ? quoted : omission;
    }),
  );
  return { shown, withoutText, omitted: listed < 0 ? 0 : items.length - listed };
}

function paragraphOf(
  { head, warnings = [], lines = [], text, level }: Block,
  quote = inertQuotation,
): string {
  const first = level === undefined ? `**${inertSentence(head)}**` : signs[level] + inertSentence(head);
  const warned = warnings.map((warning) => signs.warning + inertSentence(warning));
  const paragraph = [first, ...warned, ...lines.map(inertSentence)].join("\\\n");
  return text === undefined ? paragraph : `${paragraph}\n\n${quote(text)}`;
}
