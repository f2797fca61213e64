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

/** Characters for each part: together they fit into a comment on the usual hosts, which is 65,536. */
const most = { findings: 40_000, fixes: 8_000, waived: 8_000, notEvaluable: 8_000 } as const;

const marks = { error: "🔴 error", warning: "🟡 warning" } as const;

export function markdown(report: AuditReport): string {
  const { counts, findings, waived } = report;
  const parts = [
    `## Alert channel audit: ${verdict(counts)}`,
    scope(counts),
    table(
      ["Severity", "Channel", "Rule", "Finding"],
      findings.map((finding) => [marks[finding.severity], ...cellsOf(finding), code(sentence(finding))]),
      most.findings,
      "more finding",
    ),
    folded(
      "How to fix",
      list(
        fixes(report).map(({ rule, fix }) => `- \`${rule}\`: ${escape(fix)}`),
        most.fixes,
        "more rule",
      ),
    ),
    folded(
      "Waived",
      table(
        ["Channel", "Rule", "Waiver"],
        waived.map((finding) => [...cellsOf(finding), escape(waiverSentence(finding.waiver))]),
        most.waived,
        "more waived finding",
      ),
    ),
    folded(
      "Not evaluable",
      list(
        openQuestions(report).map(
          (open) => `- \`${open.rule}\`: ${code(openSentence(open))} (${code(open.channels)})`,
        ),
        most.notEvaluable,
        "more question",
      ),
    ),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function cellsOf({ channel, rule }: Finding): [channel: string, rule: string] {
  return [code(channelLabel(channel)), `\`${rule}\``];
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

/** The lines that there is room for, and how many more there are. */
function list(lines: readonly string[], most: number, what: string): string {
  let length = 0;
  const fitting = lines.filter((line) => (length += line.length + 1) <= most);
  const left = lines.length - fitting.length;
  return fitting.join("\n") + (left > 0 ? `\n\nand ${amount(left, what)}` : "");
}

function folded(title: string, body: string): string {
  return body === "" ? "" : `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

/** Text as it is: no mark-up, no mention of people, no end of a table's cell. */
function escape(text: string): string {
  return oneLine(text)
    .replace(/&/g, "&amp;")
    .replace(/[\\`*_[\]#|<>@~$]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * In a fixed-width face; a backtick can't be escaped there, a bar would end the cell, and so would an escaped one
 * after a backslash.
 */
function code(text: string): string {
  const safe = oneLine(text)
    .replace(/`/g, "'")
    .replace(/(\\*)\|/g, "$1$1\\|");
  return `\`${safe}\``;
}
