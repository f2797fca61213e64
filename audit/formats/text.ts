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

export const text = reportFormat<TextOptions>(".txt", function* (report, { colour = false } = {}) {
  const paint: Paint = (text, name) => (colour ? `\u001b[${colors[name]}m${text}\u001b[0m` : text);
  yield* aligned(() => linesOf(report, "failing"), paint);
  yield* aligned(() => linesOf(report, "known", "open"), paint);
  const { counts } = report;
  const tone = counts.errors + counts.blocking > 0 ? "error" : counts.warnings > 0 ? "warning" : "good";
  // The file may have been found by itself.
  const ruleFile = report.rules.find(({ location }) => location)?.location?.file;
  yield `${paint(capital(verdict(counts)), tone)} ${paint(`(${scope(counts, ruleFile)})`, "dim")}\n`;
});

/** @param lines Yields the lines anew each time: first for the widths of the columns. */
function* aligned(lines: () => Iterable<Line>, paint: Paint): Generator<string> {
  let [status, channels, rules] = [0, 0, 0];
  for (const line of lines()) {
    status = Math.max(status, lengthOf(line.status));
    channels = Math.max(channels, lengthOf(line.channels));
    rules = Math.max(rules, lengthOf(line.rules.join(", ")));
  }
  for (const line of lines()) {
    const columns = [
      paint(pad(line.status, status), toneOf(line)),
      pad(line.channels, channels),
      paint(pad(line.rules.join(", "), rules), "dim"),
      line.more === undefined ? line.text : `${line.text}. ${line.more}`,
    ];
    yield `${columns.join("  ")}\n`;
  }
  if (status > 0) yield "\n";
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
