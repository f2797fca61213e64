/** Writes a report as plain text for a terminal or a log. */
import { channelLabel } from "../channel";
import type { AuditReport, Finding } from "../report";
import { capital, findingMessage, notEvaluableGroups, notEvaluableText, scope, verdict } from "./reportText";

export interface TextOptions {
  /** Enables colors, for a terminal. Default: false. */
  colour?: boolean;
}

const colors = { error: 31, warning: 33, good: 32, dim: 2 } as const;
type Paint = (text: string, color: keyof typeof colors) => string;

const maxWidth = 40;

export function text(report: AuditReport, { colour = false }: TextOptions = {}): string {
  const paint: Paint = (text, name) => (colour ? `\u001b[${colors[name]}m${text}\u001b[0m` : text);
  const parts = [
    aligned([...rowsOf(report, true), ...report.findings.map((one) => rowOf(one, one.severity))], paint),
    aligned([...report.baselined.map((one) => rowOf(one, "known")), ...rowsOf(report, false)], paint),
  ].filter((lines) => lines.length > 0);
  const { counts } = report;
  const tone = counts.errors + counts.blocking > 0 ? "error" : counts.warnings > 0 ? "warning" : "good";
  // The file may have been found by itself.
  const ruleFile = report.rules.find(({ location }) => location)?.location?.file;
  const summary = `${paint(capital(verdict(counts)), tone)} ${paint(`(${scope(counts, ruleFile)})`, "dim")}\n`;
  return [...parts.flatMap((lines) => [...lines, ""]), summary].join("\n");
}

text.extension = ".txt" as const;

interface Row {
  readonly label: string;
  readonly tone: keyof typeof colors;
  readonly channel: string;
  readonly rule: string;
  readonly text: string;
}

function rowOf(finding: Finding, label: Finding["severity"] | "known"): Row {
  const tone = label === "known" ? "dim" : label;
  return {
    label,
    tone,
    channel: channelLabel(finding.channel),
    rule: finding.rule,
    text: findingMessage(finding),
  };
}

function rowsOf(report: AuditReport, blocks: boolean): Row[] {
  return notEvaluableGroups(report, blocks).map((group) => ({
    label: "not evaluable",
    tone: blocks ? "error" : "dim",
    channel: group.channels,
    rule: group.rules.join(", "),
    text: notEvaluableText(group),
  }));
}

function aligned(rows: readonly Row[], paint: Paint): string[] {
  const label = widest(rows, (row) => row.label);
  const channel = widest(rows, (row) => row.channel);
  const rule = widest(rows, (row) => row.rule);
  return rows.map((row) =>
    [
      paint(pad(row.label, label), row.tone),
      pad(row.channel, channel),
      paint(pad(row.rule, rule), "dim"),
      row.text,
    ].join("  "),
  );
}

/** Returns the width of a column, limited so that one long name doesn't widen every line. */
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
