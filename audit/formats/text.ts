/** Writes a report as plain text for a terminal or a log. */
import { wrappedText } from "../../provider/texts";
import { reportFormat } from "./format";
import { capital, type Line, linesOf, scope, verdict } from "./reportText";

export interface TextOptions {
  /** Enables colors, for a terminal. Default: false. */
  colour?: boolean;
  /** Width of a terminal, to which findings are wrapped. Default: each is one line. */
  columns?: number;
}

const colors = { error: 31, warning: 33, good: 32, dim: 2 } as const;
type Paint = (text: string, color: keyof typeof colors) => string;

const maxWidth = 40;
/** A narrower column of texts would be hard to read: they then stand below the channel and the rule. */
const leastTextWidth = 50;

export const text = reportFormat<TextOptions>(".txt", (report, { colour = false, columns } = {}) => {
  const paint: Paint = (text, name) => (colour ? `\u001b[${colors[name]}m${text}\u001b[0m` : text);
  const failing = aligned(linesOf(report, "failing"), paint, columns);
  const others = aligned(linesOf(report, "known", "open"), paint, columns);
  const { counts } = report;
  const tone = counts.errors + counts.blocking > 0 ? "error" : counts.warnings > 0 ? "warning" : "good";
  // The file may have been found by itself.
  const ruleFile = report.rules.find(({ location }) => location)?.location?.file;
  const summary = `${paint(capital(verdict(counts)), tone)} ${paint(`(${scope(counts, ruleFile)})`, "dim")}\n`;
  return [...failing, ...others, summary].join("");
});

/** Lays out a section as a table, which a blank line ends. */
function aligned(lines: readonly Line[], paint: Paint, columns = Infinity): string[] {
  const widthOf = (text: (line: Line) => string) =>
    lines.reduce((widest, line) => Math.max(widest, lengthOf(text(line))), 0);
  const rulesOf = ({ rules }: Line) => rules.join(", ");
  const [status, channels, rules] = [
    widthOf((line) => line.status),
    widthOf((line) => line.channels),
    widthOf(rulesOf),
  ];
  const rows = lines.map((line) => {
    const cells = [
      pad(line.status, status),
      pad(line.channels, channels),
      pad(rulesOf(line), rules),
    ] as const;
    const painted = [paint(cells[0], toneOf(line)), cells[1], paint(cells[2], "dim"), ""].join("  ");
    const text = line.more === undefined ? line.text : `${line.text}. ${line.more}`;
    return `${withText(painted, lengthOf([...cells, ""].join("  ")), text, columns)}\n`;
  });
  return rows.length > 0 ? [...rows, "\n"] : [];
}

/** @param width That of the cells before the text, without colors. */
function withText(cells: string, width: number, text: string, columns: number): string {
  if (columns === Infinity) return cells + text;
  const isBeside = columns - width >= leastTextWidth;
  const indent = " ".repeat(isBeside ? width : 4);
  const lines = wrappedText(text, columns - indent.length).join(`\n${indent}`);
  return isBeside ? cells + lines : `${cells.trimEnd()}\n${indent}${lines}`;
}

function toneOf({ status, blocks }: Line): "error" | "warning" | "dim" {
  if (blocks) return "error";
  return status === "error" || status === "warning" ? status : "dim";
}

/** Pads a text to the width of its column, which is limited so that one long name doesn't widen every line. */
function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, Math.min(maxWidth, width) - lengthOf(text)));
}

/** Counts surrogate pairs as one character. */
function lengthOf(text: string): number {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, "_").length;
}
