/** Writes a report in Markdown for a comment on a pull request. */
import { formatCount, toOneLine } from "../../provider/texts";
import { toInertLine } from "../../provider/inertText";
import { type Line, buildLines, createReportFormat, formatScope, formatVerdict } from "./reportText";

/**
 * Maximum number of characters for findings and for each other part. With the links, they stay below the 65,536 characters that code hosts
 * allow in a comment.
 */
const maxCharacters = { findings: 38_000, others: 7_000 } as const;

const badges: Readonly<Partial<Record<Line["status"], string>>> = {
  error: "🔴 error",
  warning: "🟡 warning",
  "not evaluable": "🔴 not evaluable",
};

export const markdown = createReportFormat(".md", (report) => {
  const { counts, source } = report;
  const failing = [...buildLines(report, "failing")];
  const waived = [...buildLines(report, "waived")];
  const { findings, others } = maxCharacters;
  const items = [...buildLines(report, "open")].map(
    ({ rules, text, channels }) =>
      `- ${rules.map(renderCode).join(", ")}: ${renderCode(text)} (${renderCode(channels)})`,
  );
  const parts = [
    `## Alert channel audit: ${formatVerdict(counts)}`,
    `${source === undefined ? "" : `${renderCode(source)}: `}${formatScope(counts)}`,
    renderTable("Finding", failing, findings, "more finding"),
    renderDetails("Waived", renderTable("Finding", waived, others, "more waived finding")),
    renderDetails("Not evaluable", renderList(items, others, "more reason")),
    renderLinkDefinitions([...failing, ...waived]),
  ];
  return [`${parts.filter((part) => part !== "").join("\n\n")}\n`];
});

/** Defines the link of each rule once, because a link in each row would leave less space for findings. */
function renderLinkDefinitions(lines: readonly Line[]): string {
  const definitions = lines.flatMap(({ rules, docs }) =>
    docs === undefined ? [] : rules.map((rule) => `[\`${rule}\`]: ${docs}`),
  );
  return [...new Set(definitions)].join("\n");
}

function renderDetails(title: string, body: string): string {
  return body === "" ? "" : `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

/** Returns a table with only two columns, because more wouldn't fit on a phone. */
function renderTable(head: string, lines: readonly Line[], most: number, what: string): string {
  if (lines.length === 0) return "";
  return `| Channel | ${head} |\n| --- | --- |\n${renderList(lines.map(renderRow), most, what)}`;
}

function renderRow({ status, channels, rules, docs, text, more }: Line): string {
  const badge = badges[status];
  const links = rules
    .map((rule) => (docs === undefined ? renderCode(rule) : `[${renderCode(rule)}]`))
    .join(", ");
  const channel = [...(badge === undefined ? [] : [badge]), renderCode(channels)];
  const finding = [links, renderCode(text), ...(more === undefined ? [] : [escapeMarkdown(more)])];
  return `| ${channel.join("<br>")} | ${finding.join("<br>")} |`;
}

/** Returns the text as one line that contains no Markdown or mentions of users and doesn't end a table cell. */
function escapeMarkdown(text: string): string {
  return toInertLine(toOneLine(text));
}

/**
 * Returns the text as inline code in a table cell. A backtick can't be escaped in inline code. A bar ends the cell, even an escaped bar if
 * a backslash comes before it.
 */
function renderCode(text: string): string {
  const safe = toOneLine(text)
    .replace(/`/g, "'")
    .replace(/(?<!\\)(\\*)\|/g, "$1$1\\|");
  return `\`${safe}\``;
}

/** Returns the lines that fit, and the number of omitted lines. Shorter lines after an omitted line are still included if they fit. */
function renderList(lines: readonly string[], most: number, what: string): string {
  let left = most;
  const fitting = lines.filter((line) => {
    const fits = line.length < left;
    if (fits) left -= line.length + 1;
    return fits;
  });
  const omitted = lines.length - fitting.length;
  return fitting.join("\n") + (omitted > 0 ? `\n\nand ${formatCount(omitted, what)}` : "");
}
