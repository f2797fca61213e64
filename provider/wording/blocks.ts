/** Lays out sentences and quotations as lines. */
import { quotation, wrappedSentence } from "../texts";

export interface Block {
  readonly head: string;
  readonly lines?: readonly string[];
  /** The text that the last line introduces, as it will be public. */
  readonly text?: string;
  /** Warnings, which come before the lines. */
  readonly warnings?: readonly string[];
  readonly level?: "error" | "warning" | "note";
}

/**
 * @param columns The width of a line. Default: the engine breaks lines, and prints the beginning of a long text.
 * @param color The color of the head. Default: nothing is colored.
 */
export function linesOf(
  { head, warnings = [], lines = [], text, level }: Block,
  columns?: number,
  color?: Color,
): string[] {
  const fitted = (line: string, indent: string): string[] =>
    wrappedSentence(line, (columns ?? Infinity) - indent.length);
  const start = level === "error" || level === "warning" ? `${level}: ${head}` : head;
  const quoted =
    text === undefined
      ? []
      : quotation(text, columns === undefined ? undefined : { most: Infinity, columns });
  return [
    ...fitted(start, "").map((line) => colored(line, color)),
    ...warnings.flatMap((warning) =>
      fitted(`warning: ${warning}`, "  ").map((line) => `  ${colored(line, color && "warning")}`),
    ),
    ...lines.flatMap((line) => {
      // A message may have lines of YAML.
      const [indent = ""] = /^ */.exec(line) ?? [];
      return fitted(line, `  ${indent}`).map((each) => `  ${indent}${each}`);
    }),
    ...quoted,
  ];
}

const colors = { error: "31", warning: "33", update: "1" } as const;

type Color = keyof typeof colors | "note";

function colored(line: string, color: Color = "note"): string {
  return color === "note" ? line : `\u001b[${colors[color]}m${line}\u001b[0m`;
}
