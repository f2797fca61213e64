/** Plain text for a terminal or a log. */
import type { AuditReport, Finding } from "../report";
import {
  capital,
  channelLabel,
  fixes,
  notEvaluableGroups,
  notEvaluableText,
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
    aligned([...blockingRows(report), ...report.findings.map((one) => rowOf(one, one.severity))], paint),
    aligned(
      report.baselined.map((one) => rowOf(one, "known")),
      paint,
    ),
    fixLines(report, paint),
    notEvaluableLines(report, paint),
  ].filter((lines) => lines.length > 0);
  const { counts } = report;
  const tone = counts.errors + counts.blocking > 0 ? "error" : counts.warnings > 0 ? "warning" : "good";
  const summary = `${paint(capital(verdict(counts)), tone)} ${paint(`(${scope(counts)})`, "dim")}\n`;
  return [...parts.map((lines) => `${lines.join("\n")}\n`), summary].join("\n");
}

/** A finding, or what blocks. */
interface Row {
  readonly label: "error" | "warning" | "known" | "not evaluable";
  readonly channel: string;
  readonly rule: string;
  readonly text: string;
}

const tones = { error: "error", warning: "warning", known: "dim", "not evaluable": "error" } as const;

function rowOf(finding: Finding, label: Row["label"]): Row {
  return { label, channel: channelLabel(finding.channel), rule: finding.rule, text: findingText(finding) };
}

function blockingRows(report: AuditReport): Row[] {
  return notEvaluableGroups(report, true).map((group) => ({
    label: "not evaluable",
    channel: group.channels,
    rule: group.rule,
    text: notEvaluableText(group),
  }));
}

function aligned(rows: readonly Row[], paint: Paint): string[] {
  const label = widest(rows, (row) => row.label);
  const channel = widest(rows, (row) => row.channel);
  const rule = widest(rows, (row) => row.rule);
  return rows.map((row) =>
    [
      paint(pad(row.label, label), tones[row.label]),
      pad(row.channel, channel),
      paint(pad(row.rule, rule), "dim"),
      row.text,
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

function notEvaluableLines(report: AuditReport, paint: Paint): string[] {
  return notEvaluableGroups(report, false).map(
    (group) =>
      `${paint("not evaluable", "dim")}  ${group.rule}  ${notEvaluableText(group)} (${group.channels})`,
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
