/** A table for people. */
import type { AuditReport, Finding } from "../report";
import { channelLabel, fixes, oneLine, openQuestions, openSentence, scope, sentence, verdict } from "./words";

export interface TextOptions {
  /** Whether to colour it, for a terminal. Default: false. */
  colour?: boolean;
}

const colours = { error: 31, warning: 33, good: 32, bold: 1, dim: 2 } as const;
type Paint = (text: string, colour: keyof typeof colours) => string;

const mostPadded = 40;

export function text(report: AuditReport, { colour = false }: TextOptions = {}): string {
  const paint: Paint = (text, name) => (colour ? `\u001b[${colours[name]}m${text}\u001b[0m` : text);
  const { counts, findings } = report;
  const tone = counts.errors > 0 ? "error" : counts.warnings > 0 ? "warning" : "good";
  const parts = [
    table(findings, paint),
    advice(report, paint),
    openQuestions(report)
      .map(
        (open) => `${paint("not evaluable", "dim")}  ${open.rule}  ${openSentence(open)} (${open.channels})`,
      )
      .join("\n"),
    `${paint(capital(verdict(counts)), tone)} ${paint(`(${scope(counts)})`, "dim")}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function table(findings: readonly Finding[], paint: Paint): string {
  const severity = widest(findings, (finding) => finding.severity);
  const channel = widest(findings, (finding) => channelLabel(finding.channel));
  const rule = widest(findings, (finding) => finding.rule);
  return findings
    .map((finding) =>
      [
        paint(pad(finding.severity, severity), finding.severity),
        pad(channelLabel(finding.channel), channel),
        paint(pad(finding.rule, rule), "dim"),
        sentence(finding),
      ].join("  "),
    )
    .join("\n");
}

function advice(report: AuditReport, paint: Paint): string {
  const rows = fixes(report);
  const width = widest(rows, ({ rule }) => rule);
  return rows.map(({ rule, fix }) => `${paint(pad(rule, width), "bold")}  ${oneLine(fix)}`).join("\n");
}

/** One long name must not push everything else off the screen. */
function widest<Row>(rows: readonly Row[], textOf: (row: Row) => string): number {
  return Math.min(
    mostPadded,
    rows.reduce((most, row) => Math.max(most, lengthOf(textOf(row))), 0),
  );
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - lengthOf(text)));
}

/** A character beyond the first 65,536 is two units of a text. */
function lengthOf(text: string): number {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, "_").length;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
