/** Writes a report as plain text for a terminal or a log. */
import { reportFormat } from "./format";
import { capital, type Line, linesOf, scope, verdict } from "./reportText";

export interface TextOptions {
  /** Enables colors, for a terminal. Default: false. */
  colour?: boolean;
}

const colors = { error: 31, warning: 33, good: 32, dim: 2 } as const;
type Paint = (text: string, color: keyof typeof colors) => string;

const maxWidth = 40;

export const text = reportFormat<TextOptions>(".txt", (report, { colour = false } = {}) => {
  const paint: Paint = (text, name) => (colour ? `\u001b[${colors[name]}m${text}\u001b[0m` : text);
  const failing = aligned(linesOf(report, "failing"), paint);
  const others = aligned(linesOf(report, "known", "open"), paint);
  const { counts } = report;
  const tone = counts.errors + counts.blocking > 0 ? "error" : counts.warnings > 0 ? "warning" : "good";
  // The file may have been found by itself.
  const ruleFile = report.rules.find(({ location }) => location)?.location?.file;
  const summary = `${paint(capital(verdict(counts)), tone)} ${paint(`(${scope(counts, ruleFile)})`, "dim")}\n`;
  return [...failing, ...others, summary].join("");
});

/** Lays out a section as a table, which a blank line ends. */
function aligned(lines: readonly Line[], paint: Paint): string[] {
  const widthOf = (text: (line: Line) => string) =>
    lines.reduce((widest, line) => Math.max(widest, lengthOf(text(line))), 0);
  const rulesOf = ({ rules }: Line) => rules.join(", ");
  const [status, channels, rules] = [
    widthOf((line) => line.status),
    widthOf((line) => line.channels),
    widthOf(rulesOf),
  ];
  const rows = lines.map((line) => {
    const columns = [
      paint(pad(line.status, status), toneOf(line)),
      pad(line.channels, channels),
      paint(pad(rulesOf(line), rules), "dim"),
      line.more === undefined ? line.text : `${line.text}. ${line.more}`,
    ];
    return `${columns.join("  ")}\n`;
  });
  return rows.length > 0 ? [...rows, "\n"] : [];
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
