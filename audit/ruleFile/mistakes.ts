/** The mistakes in a rule file, with their positions. */
import type { z } from "zod";
import { oneLine } from "../../provider/texts/printable";

/** Keys and indexes that lead to a value, such as `["waivers", 0, "expires"]`. */
export type Path = readonly PropertyKey[];

/** One mistake in rules. */
export interface Mistake {
  /** Where in the rules, such as `waivers[0].expires`; empty for all of them. */
  readonly at: string;
  /** What is wrong and what is allowed, as the end of a sentence that begins with `at`. */
  readonly reason: string;
  /** Line in the file, from 1; missing when the rules are an object. */
  readonly line?: number;
  /** Column in the file, from 1. */
  readonly column?: number;
}

/** A place in a file, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The position of a value or of its key; of its parent when it doesn't exist. */
export type Locate = (path: Path, atKey?: boolean) => Position;

/** A mistake with a path instead of a line. */
export interface Placed {
  readonly path: Path;
  readonly reason: string;
  /** Whether the key is wrong, not the value. */
  readonly atKey?: boolean;
}

/** The rules are invalid. The message has one line for each mistake. */
export class RulesError extends Error {
  override readonly name = "RulesError";
  /** In the order of the file. */
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[], file?: string) {
    super(mistakes.map((mistake) => lineOf(mistake, file)).join("\n"));
    this.mistakes = mistakes;
  }

  static of(placed: readonly Placed[], file?: string, locate?: Locate): RulesError {
    const mistakes = placed.map(({ path, reason, atKey }) => ({
      at: dotted(path),
      reason,
      ...locate?.(path, atKey),
    }));
    return new RulesError(mistakes.sort(inOrder), file);
  }
}

function inOrder(a: Partial<Position>, b: Partial<Position>): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function lineOf({ at, reason, line, column }: Mistake, file = ""): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  return `${place === "" ? "" : `${place}: `}${oneLine(`${at === "" ? "the rules" : at} ${reason}`)}`;
}

function dotted(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}

/** The mistakes in a schema's issues. */
export function mistakesIn(issues: readonly z.core.$ZodIssue[], base: Path = []): Placed[] {
  return issues.flatMap((issue): Placed[] => {
    const path = [...base, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      const reasons = issue.message.split("\n");
      return issue.keys.map((key, index) => ({
        path: [...path, key],
        reason: reasons.length === issue.keys.length ? (reasons[index] ?? "") : "is not known",
        atKey: true,
      }));
    }
    const intended = issue.code === "invalid_union" ? intendedBranch(issue.errors) : undefined;
    return intended ? mistakesIn(intended, path) : [{ path, reason: issue.message }];
  });
}

/** The only branch of a union whose type matches the value, even if the value isn't allowed. */
function intendedBranch(branches: readonly (readonly z.core.$ZodIssue[])[]) {
  const without = (...codes: string[]) =>
    branches.filter((issues) => !issues.some(({ code, path }) => path.length === 0 && codes.includes(code)));
  return [without("invalid_type", "invalid_value"), without("invalid_type")].find(
    ({ length }) => length === 1,
  )?.[0];
}
