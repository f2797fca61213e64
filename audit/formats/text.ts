/** A table for people. */
import type { AuditReport } from "../report";
import { channelLabel, fixes, oneLine, openQuestions, openSentence, scope, sentence, verdict } from "./words";

export interface TextOptions {
  /** Whether to colour it, for a terminal. Default: false. */
  colour?: boolean;
}

const colours = { error: 31, warning: 33, good: 32, bold: 1, dim: 2 } as const;
type Paint = (text: string, colour: keyof typeof colours) => string;

const mostPadded = 40;

/** Line by line. */
export function* text(report: AuditReport, { colour = false }: TextOptions = {}): Generator<string> {
  const paint: Paint = (text, name) => (colour ? `\u001b[${colours[name]}m${text}\u001b[0m` : text);
  for (const part of [table(report, paint), advice(report, paint), questions(report, paint)]) {
    let isEmpty = true;
    for (const line of part) {
      yield `${line}\n`;
      isEmpty = false;
    }
    if (!isEmpty) yield "\n";
  }
  const { counts } = report;
  const tone = counts.errors > 0 ? "error" : counts.warnings > 0 ? "warning" : "good";
  yield `${paint(capital(verdict(counts)), tone)} ${paint(`(${scope(counts)})`, "dim")}\n`;
}

function* table({ findings }: AuditReport, paint: Paint): Generator<string> {
  const severity = widest(findings, (finding) => finding.severity);
  const channel = widest(findings, (finding) => channelLabel(finding.channel));
  const rule = widest(findings, (finding) => finding.rule);
  for (const finding of findings) {
    yield [
      paint(pad(finding.severity, severity), finding.severity),
      pad(channelLabel(finding.channel), channel),
      paint(pad(finding.rule, rule), "dim"),
      sentence(finding),
    ].join("  ");
  }
}

function* advice(report: AuditReport, paint: Paint): Generator<string> {
  const rows = fixes(report);
  const width = widest(rows, ({ rule }) => rule);
  for (const { rule, fix } of rows) yield `${paint(pad(rule, width), "bold")}  ${oneLine(fix)}`;
}

function* questions(report: AuditReport, paint: Paint): Generator<string> {
  for (const open of openQuestions(report)) {
    yield `${paint("not evaluable", "dim")}  ${open.rule}  ${openSentence(open)} (${open.channels})`;
  }
}

/** One long name must not push everything else off the screen. */
function widest<Row>(rows: readonly Row[], textOf: (row: Row) => string): number {
  let most = 0;
  for (const row of rows) most = Math.max(most, lengthOf(textOf(row)));
  return Math.min(mostPadded, most);
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
