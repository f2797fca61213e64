/** A comment on a pull request. */
import type { AuditReport, Finding } from "../report";
import {
  amount,
  channelLabel,
  fixes,
  oneLine,
  openQuestions,
  openSentence,
  scope,
  sentence,
  verdict,
  waiverSentence,
} from "./words";

/** What fits into a comment on the usual hosts, with room for what is around the tables. */
const longestTable = 40_000;

const mostQuestions = 20;

const marks = { error: "🔴 error", warning: "🟡 warning" } as const;

export function markdown(report: AuditReport): string {
  const { counts, findings, waived } = report;
  const parts = [
    `## Alert channel audit: ${verdict(counts)}`,
    scope(counts),
    table(
      ["Severity", "Channel", "Rule", "Finding"],
      findings.map((finding) => [marks[finding.severity], ...cellsOf(finding), code(sentence(finding))]),
    ),
    folded(
      "How to fix",
      fixes(report).map(({ rule, fix }) => `- \`${rule}\`: ${escape(fix)}`),
    ),
    folded("Waived", [
      table(
        ["Channel", "Rule", "Waiver"],
        waived.map((finding) => [...cellsOf(finding), escape(waiverSentence(finding.waiver))]),
      ),
    ]),
    folded(
      "Not evaluable",
      openQuestions(report)
        .slice(0, mostQuestions)
        .map((open) => `- \`${open.rule}\`: ${code(openSentence(open))} (${code(open.channels)})`),
    ),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function cellsOf({ channel, rule }: Finding): [channel: string, rule: string] {
  return [code(channelLabel(channel)), `\`${rule}\``];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const lines: string[] = [];
  let length = 0;
  for (const row of rows) {
    const line = `| ${row.join(" | ")} |`;
    length += line.length;
    if (length > longestTable) break;
    lines.push(line);
  }
  const left = rows.length - lines.length;
  const head = [`| ${heads.join(" | ")} |`, `|${" --- |".repeat(heads.length)}`];
  return [...head, ...lines].join("\n") + (left > 0 ? `\n\nand ${amount(left, "more finding")}` : "");
}

function folded(title: string, lines: readonly string[]): string {
  const body = lines.filter((line) => line !== "").join("\n");
  return body === "" ? "" : `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

/** Text as it is: no mark-up, no mention of people, no end of a table's cell. */
function escape(text: string): string {
  return oneLine(text)
    .replace(/&/g, "&amp;")
    .replace(/[\\`*_[\]#|<>@~$]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** In a fixed-width face; a backtick can't be escaped there, and a bar would end the cell. */
function code(text: string): string {
  return `\`${oneLine(text).replace(/`/g, "'").replace(/\|/g, "\\|")}\``;
}
