/** Writes a report as plain text for a terminal or a log. */
import { measureColumns, wrapText } from "../../provider/terminal";
import {
  capitalize,
  type Line,
  buildLines,
  createReportFormat,
  formatScope,
  formatVerdict,
} from "./reportText";

export interface TextOptions {
  /** Enables colors, for a terminal. Default: false. */
  color?: boolean;
  /** Width of the terminal, used to wrap findings. Default: each finding is one line. */
  columns?: number;
}

const colors = { error: 31, warning: 33, good: 32, dim: 2 } as const;
type Paint = (text: string, color: keyof typeof colors) => string;

/** Maximum width of a column, so that one long name doesn't widen every line. */
const maxWidth = 40;
/** Minimum length of the parts that are written one by one. */
const partLength = 65_536;
/** Minimum width of the message column. If less is left, messages appear below the channel and the rule instead. */
const minTextWidth = 50;

export const text = createReportFormat<TextOptions>(
  ".txt",
  function* (report, { color = false, columns } = {}) {
    const paint: Paint = (text, name) => (color ? `\u001b[${colors[name]}m${text}\u001b[0m` : text);
    yield* renderTable(() => buildLines(report, "failing"), paint, columns);
    // Values that aren't evaluable are grouped into a few lines, so grouping them again would take longer than keeping the lines.
    const open = [...buildLines(report, "open")];
    yield* renderTable(() => open, paint, columns);
    const { counts } = report;
    const tone = counts.errors + counts.blocking > 0 ? "error" : counts.warnings > 0 ? "warning" : "good";
    // The summary names the rule file, because the command may have found the file without an option.
    const ruleFile = report.rules.find(({ location }) => location)?.location?.file;
    yield `${paint(capitalize(formatVerdict(counts)), tone)} ${paint(`(${formatScope(counts, ruleFile)})`, "dim")}\n`;
  },
);

/**
 * Formats a section as a table that ends with a blank line.
 *
 * @param listLines Called twice, because the width of the columns depends on all lines.
 */
function* renderTable(listLines: () => Iterable<Line>, paint: Paint, columns = Infinity): Generator<string> {
  const getCells = ({ status, channels, type, rules }: Line) => [status, channels, type, rules.join(", ")];
  const widths = [0, 0, 0, 0];
  for (const line of listLines())
    for (const [cell, text] of getCells(line).entries())
      widths[cell] = Math.min(Math.max(widths[cell] ?? 0, measureColumns(text)), maxWidth);
  let rows = "";
  for (const line of listLines()) {
    const [status = "", channels = "", type = "", ids = ""] = getCells(line).map(
      (cell, index) => cell + " ".repeat(Math.max(0, (widths[index] ?? 0) - measureColumns(cell))),
    );
    const labels = type === "" ? [channels] : [channels, type];
    const painted = [paint(status, getTone(line)), ...labels, paint(ids, "dim"), ""].join("  ");
    const text = line.more === undefined ? line.text : `${line.text}. ${line.more}`;
    rows += `${appendText(painted, measureColumns([status, ...labels, ids, ""].join("  ")), text, columns)}\n`;
    if (rows.length < partLength) continue;
    yield rows;
    rows = "";
  }
  if (widths[0] !== 0) yield `${rows}\n`;
}

/** @param width Width of the cells before the text, without colors. */
function appendText(cells: string, width: number, text: string, columns: number): string {
  if (columns === Infinity) return cells + text;
  const isBeside = columns - width >= minTextWidth;
  const indent = " ".repeat(isBeside ? width : 4);
  const lines = wrapText(text, columns - indent.length).join(`\n${indent}`);
  return isBeside ? cells + lines : `${cells.trimEnd()}\n${indent}${lines}`;
}

function getTone({ status, blocks }: Line): "error" | "warning" | "dim" {
  if (blocks) return "error";
  return status === "error" || status === "warning" ? status : "dim";
}
