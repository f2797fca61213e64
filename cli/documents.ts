/** Formats sentences and quotations for a terminal, and in Markdown within the size limit of a comment. */
import { formatCount } from "../provider/texts";
import { toInertQuotation, toInertSentence } from "../provider/inertText";
import { type Block, formatBlockLines } from "../provider/wording";

export interface Document {
  /** Two parts of a line, with the commit between them. */
  readonly heading: readonly [subject: string, predicate: string];
  readonly level?: "error" | "warning";
  readonly sections: readonly Section[];
  readonly commit?: string;
  readonly log?: string;
}

interface Section {
  /** Items, the most important ones first. A comment contains either all blocks of an item or no block of it. */
  readonly items: readonly (readonly Block[])[];
  /** Noun for an item, for the number of omitted items. Default: a comment always contains all items. */
  readonly what?: string;
  /** Maximum number of characters of all items in a comment. Default: the remaining characters. */
  readonly most?: number;
}

export function* renderTerminalLines(
  document: Document,
  columns: number,
  hasColor: boolean,
): Generator<string> {
  const { level, sections, log } = document;
  const renderBlock = (block: Block, color: Block["level"] | "update" = "update") =>
    `${formatBlockLines(block, columns, hasColor ? color : undefined).join("\n")}\n`;
  yield renderBlock({ head: formatHeading(document, (text) => text) }, level);
  for (const { items } of sections)
    for (const block of items.flat()) yield `\n${renderBlock(block, block.level)}`;
  const parts = formatJobParts(document, `log ${log}`);
  if (parts.length > 0) yield `\n${parts.join("\n")}\n`;
}

function formatJobParts({ commit, log }: Document, logPart: string): string[] {
  return [...(commit === undefined ? [] : [`commit ${commit}`]), ...(log === undefined ? [] : [logPart])];
}

function formatHeading(
  { heading: [subject, predicate], commit }: Document,
  escaped: (text: string) => string,
) {
  const of = commit === undefined ? "" : ` of ${commit.slice(0, 7)}`;
  return escaped(subject) + of + escaped(predicate);
}

/** GitHub allows 65,536 characters. The rest is for the marker of the tool that posts the comment. */
const maxCharacters = 65_000;
/** Limits a table of a message, so that other messages still fit. */
const maxMarkdown = 12_000;
/** Reserves space for the notes on omissions and for line breaks. */
const maxNotes = 500;
const omission = "> _The text is omitted here. See the log._";
const signs = { error: "\u{1f534} ", warning: "\u{1f7e1} ", note: "" } as const;

export function renderMarkdown(document: Document): string {
  const { sections, log } = document;
  const heading = `## ${formatHeading(document, toInertSentence)}`;
  const parts = formatJobParts(document, `[log](<${log}>)`);
  const footer = parts.length === 0 ? [] : [`_${parts.join(", ")}_`];
  const fixed = sections.filter(({ what }) => what === undefined).flatMap(({ items }) => items.flat());
  let left =
    maxCharacters -
    maxNotes -
    [heading, ...fixed.map((block) => renderParagraph(block)), ...footer].join("\n\n").length;
  const missing: string[] = [];
  const paragraphs = sections.flatMap(({ items, what, most = left }) => {
    if (what === undefined) return items.flat().map((block) => renderParagraph(block));
    const { shown, omitted, withoutText } = selectFitting(items, Math.min(most, left));
    left -= shown.join("\n\n").length;
    if (withoutText > 0) missing.push(`${formatCount(withoutText, "description")} omitted`);
    if (omitted > 0) missing.push(`${formatCount(omitted, what)} not listed`);
    return shown;
  });
  const isCut = missing.length > 0;
  const cut = renderParagraph({
    level: "warning",
    head: `This comment is too long (${missing.join(", ")}). See the log.`,
  });
  const title = heading + (isCut ? ", not shown in full" : "");
  return `${[title, ...(isCut ? [cut] : []), ...paragraphs, ...footer].join("\n\n")}\n`;
}

/** Selects the items that fit. The lines of all items take precedence over their text. */
function selectFitting(items: Section["items"], most: number) {
  let left = most;
  let withoutText = 0;
  const measureLength = (block: Block): number => renderParagraph(block, () => omission).length + 2;
  const listed = items.findIndex((item) => {
    left -= item.map(measureLength).reduce((sum, each) => sum + each, 0);
    return left < 0;
  });
  const blocks = (listed < 0 ? items : items.slice(0, listed)).flat();
  left = Math.max(left, 0);
  const shown = blocks.map((block) =>
    renderParagraph(block, (text) => {
      // Text that is far too long isn't quoted, because quoting is slow.
      const quoted = text.length > 4 * (left + omission.length) ? undefined : toInertQuotation(text);
      const isFitting = quoted !== undefined && quoted.length <= left + omission.length;
      if (isFitting) left -= Math.max(0, quoted.length - omission.length);
      else withoutText += 1;
      return isFitting ? quoted : omission;
    }),
  );
  return { shown, withoutText, omitted: listed < 0 ? 0 : items.length - listed };
}

function renderParagraph(
  { head, warnings = [], lines = [], text, level, markdown = "" }: Block,
  quote = toInertQuotation,
): string {
  // A table that is too long for a comment is shown as lines, of which the first ones fit.
  const table = markdown.length > maxMarkdown ? "" : markdown.trimEnd();
  const first = level === undefined ? `**${toInertSentence(head)}**` : signs[level] + toInertSentence(head);
  const warned = warnings.map((warning) => signs.warning + toInertSentence(warning));
  if (table !== "") return `${first}\n\n${table}`;
  const paragraph = [first, ...warned, ...lines.map(toInertSentence)].join("\\\n");
  return text === undefined ? paragraph : `${paragraph}\n\n${quote(text)}`;
}
