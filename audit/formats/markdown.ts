/** Writes a report in Markdown, for a comment on a pull request. */
import { amount, inertLine, oneLine } from "../../provider/texts";
import { channelLabel } from "../channel";
import type { AuditReport, Finding } from "../report";
import {
  findingText,
  fixOf,
  notEvaluableGroups,
  notEvaluableText,
  scope,
  verdict,
  waiverText,
} from "./reportText";

/** Characters for each part: with the links, less than the 65,536 that code hosts allow in a comment. */
const maxCharacters = {
  findings: 38_000,
  waived: 7_000,
  baselined: 7_000,
  notEvaluable: 7_000,
} as const;

const badges = { error: "🔴 error", warning: "🟡 warning" } as const;

export function markdown(report: AuditReport): string {
  const { counts, findings, waived, baselined } = report;
  const parts = [
    `## Alert channel audit: ${verdict(counts)}`,
    scope(counts),
    table(
      ["Channel", "Finding"],
      [...blocking(report), ...findings.map((one) => cellsOf(one, fixOf(one), badges[one.severity]))],
      maxCharacters.findings,
      "more finding",
    ),
    folded(
      "Waived",
      table(
        ["Channel", "Waiver"],
        waived.map((one) => cellsOf(one, waiverText(one.waiver))),
        maxCharacters.waived,
        "more waived finding",
      ),
    ),
    folded(
      "Known findings of the baseline",
      table(
        ["Channel", "Finding"],
        baselined.map((one) => cellsOf(one, fixOf(one))),
        maxCharacters.baselined,
        "more known finding",
      ),
    ),
    folded(
      "Not evaluable",
      list(
        notEvaluableGroups(report, false).map(
          ({ rules, channels, ...group }) =>
            `- ${rules.map(code).join(", ")}: ${code(notEvaluableText(group))} (${code(channels)})`,
        ),
        maxCharacters.notEvaluable,
        "more reason",
      ),
    ),
    linkDefinitions([...findings, ...waived, ...baselined]),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

markdown.extension = ".md" as const;

/** Defines the link of each rule once: a link in each row would take the space of findings. */
function linkDefinitions(findings: readonly Finding[]): string {
  const definitions = findings.map(({ rule, docs }) => (docs === undefined ? "" : `[\`${rule}\`]: ${docs}`));
  return [...new Set(definitions)].filter((definition) => definition !== "").join("\n");
}

function blocking(report: AuditReport): string[][] {
  return notEvaluableGroups(report, true).map(({ rules, channels, ...group }) => [
    `🔴 not evaluable<br>${code(channels)}`,
    `${rules.map(code).join(", ")}<br>${code(notEvaluableText(group))}`,
  ]);
}

/** Returns the two columns of a row, which fit a phone. @param more Text after the finding. */
function cellsOf(finding: Finding, more: string, badge?: string): [channel: string, finding: string] {
  const { channel, rule, docs } = finding;
  const link = docs === undefined ? `\`${rule}\`` : `[\`${rule}\`]`;
  const label = code(channelLabel(channel));
  return [
    badge === undefined ? label : `${badge}<br>${label}`,
    `${link}<br>${code(findingText(finding))}<br>${escapeMarkdown(more)}`,
  ];
}

function folded(title: string, body: string): string {
  return body === "" ? "" : `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

/** Returns one line of Markdown without markup, mentions of users, or the end of a table cell. */
function escapeMarkdown(text: string): string {
  return inertLine(oneLine(text));
}

/**
 * Returns inline code. A backtick can't be escaped there, a bar would end the table cell, and so would an escaped bar after a
 * backslash.
 */
function code(text: string): string {
  const safe = oneLine(text)
    .replace(/`/g, "'")
    .replace(/(\\*)\|/g, "$1$1\\|");
  return `\`${safe}\``;
}

function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  most: number,
  what: string,
): string {
  if (rows.length === 0) return "";
  const head = [`| ${heads.join(" | ")} |`, `|${" --- |".repeat(heads.length)}`].join("\n");
  const lines = rows.map((row) => `| ${row.join(" | ")} |`);
  return `${head}\n${list(lines, most, what)}`;
}

/** Returns the lines that fit, and the number of omitted lines. A line that doesn't fit doesn't stop shorter ones after it. */
function list(lines: readonly string[], most: number, what: string): string {
  let left = most;
  const fitting = lines.filter((line) => {
    const fits = line.length < left;
    if (fits) left -= line.length + 1;
    return fits;
  });
  const omitted = lines.length - fitting.length;
  return fitting.join("\n") + (omitted > 0 ? `\n\nand ${amount(omitted, what)}` : "");
}
