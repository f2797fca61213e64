/** Plain text for a terminal or a log. */
import type { AuditReport, Finding } from "../report";
import {
  capital,
  channelLabel,
  fixes,
  unevaluated,
  unevaluatedText,
  scope,
  findingText,
  verdict,
} from "./reportText";

export interface TextOptions {
  /** Whether to use colors, for a terminal. Default: false. */
  colour?: boolean;
}

const colors = { error: 31, warning: 33, good: 32, bold: 1, dim: 2 } as const;
type Paint = (text: string, color: keyof typeof colors) => string;

const maxWidth = 40;

export function text(report: AuditReport, { colour = false }: TextOptions = {}): string {
  const paint: Paint = (text, name) => (colour ? `\u001b[${colors[name]}m${text}\u001b[0m` : text);
  const parts = [
    findingLines(report.findings, paint, ({ severity }) => severity),
    findingLines(report.baselined, paint, () => "known"),
    fixLines(report, paint),
    unevaluatedLines(report, paint),
  ].filter((lines) => lines.length > 0);
  const { counts } = report;
  const tone = counts.errors + counts.unreadable > 0 ? "error" : counts.warnings > 0 ? "warning" : "good";
  const summary = `${paint(capital(verdict(counts)), tone)} ${paint(`(${scope(counts)})`, "dim")}\n`;
  return [...parts.map((lines) => `${lines.join("\n")}\n`), summary].join("\n");
}

function findingLines(
  findings: readonly Finding[],
  paint: Paint,
  labelOf: (finding: Finding) => string,
): string[] {
  const label = widest(findings, labelOf);
  const channel = widest(findings, (finding) => channelLabel(finding.channel));
  const rule = widest(findings, (finding) => finding.rule);
  return findings.map((finding) =>
    [
      paint(pad(labelOf(finding), label), labelOf(finding) === "known" ? "dim" : finding.severity),
      pad(channelLabel(finding.channel), channel),
      paint(pad(finding.rule, rule), "dim"),
      findingText(finding),
    ].join("  "),
  );
}

function fixLines(report: AuditReport, paint: Paint): string[] {
  const rows = fixes(report);
  const width = widest(rows, ({ rule }) => rule);
  return rows.map(({ rule, text, place }) => {
    const where = place === "" ? "" : ` ${paint(`(${place})`, "dim")}`;
    return `${paint(pad(rule, width), "bold")}  ${text}${where}`;
  });
}

function unevaluatedLines(report: AuditReport, paint: Paint): string[] {
  return unevaluated(report).map(
    (group) =>
      `${paint("not evaluable", "dim")}  ${group.rule}  ${unevaluatedText(group)} (${group.channels})`,
  );
}

/** Limited, so that one long name doesn't widen every line. */
function widest<Row>(rows: readonly Row[], textOf: (row: Row) => string): number {
  let widest = 0;
  for (const row of rows) widest = Math.max(widest, lengthOf(textOf(row)));
  return Math.min(maxWidth, widest);
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - lengthOf(text)));
}

/** Counts surrogate pairs as one character. */
function lengthOf(text: string): number {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, "_").length;
}
