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
/** Minimum width of the message column. If less is left, messages appear below the channel and the rule instead. */
const leastTextWidth = 50;

export const text = createReportFormat<TextOptions>(".txt", (report, { color = false, columns } = {}) => {
  const paint: Paint = (text, name) => (color ? `\u001b[${colors[name]}m${text}\u001b[0m` : text);
  const failing = renderTable(buildLines(report, "failing"), paint, columns);
  const others = renderTable(buildLines(report, "open"), paint, columns);
  const { counts } = report;
  const tone = counts.errors + counts.blocking > 0 ? "error" : counts.warnings > 0 ? "warning" : "good";
  // The summary names the rule file, because the command may have found the file without an option.
  const ruleFile = report.rules.find(({ location }) => location)?.location?.file;
  const summary = `${paint(capitalize(formatVerdict(counts)), tone)} ${paint(`(${formatScope(counts, ruleFile)})`, "dim")}\n`;
  return [...failing, ...others, summary].join("");
});

/** Formats a section as a table that ends with a blank line. */
function renderTable(lines: readonly Line[], paint: Paint, columns = Infinity): string[] {
  const getCells = ({ status, channels, type, rules }: Line) => [status, channels, type, rules.join(", ")];
  const measureWidth = (cell: number) =>
    lines.reduce((widest, line) => Math.max(widest, measureColumns(getCells(line)[cell] ?? "")), 0);
  const widths = [0, 1, 2, 3].map((cell) => Math.min(measureWidth(cell), maxWidth));
  const rows = lines.map((line) => {
    const [status = "", channels = "", type = "", rules = ""] = getCells(line).map(
      (cell, index) => cell + " ".repeat(Math.max(0, (widths[index] ?? 0) - measureColumns(cell))),
    );
    const labels = type === "" ? [channels] : [channels, type];
    const painted = [paint(status, getTone(line)), ...labels, paint(rules, "dim"), ""].join("  ");
    const text = line.more === undefined ? line.text : `${line.text}. ${line.more}`;
    return `${appendText(painted, measureColumns([status, ...labels, rules, ""].join("  ")), text, columns)}\n`;
  });
  return rows.length > 0 ? [...rows, "\n"] : [];
}

/** @param width Width of the cells before the text, without colors. */
function appendText(cells: string, width: number, text: string, columns: number): string {
  if (columns === Infinity) return cells + text;
  const isBeside = columns - width >= leastTextWidth;
  const indent = " ".repeat(isBeside ? width : 4);
  const lines = wrapText(text, columns - indent.length).join(`\n${indent}`);
  return isBeside ? cells + lines : `${cells.trimEnd()}\n${indent}${lines}`;
}

function getTone({ status, blocks }: Line): "error" | "warning" | "dim" {
  if (blocks) return "error";
  return status === "error" || status === "warning" ? status : "dim";
}
