/** The moments that the service writes: ISO with or without milliseconds, a date alone, or a time without a zone. */

const dayMs = 86_400_000;

interface Instant {
  readonly ms: number;
  /** Only the day is known. */
  readonly wholeDay: boolean;
}

function instantOf(text: string | null | undefined): Instant | undefined {
  const value = text?.trim() ?? "";
  const wholeDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const withZone = wholeDay || /(Z|[+-]\d{2}:?\d{2})$/i.test(value) ? value : `${value.replace(" ", "T")}Z`;
  // Date.parse takes "revision 7" for a day of July.
  const ms = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(withZone) : NaN;
  return Number.isNaN(ms) ? undefined : { ms, wholeDay };
}

/** Milliseconds since 1970, or undefined for what is no moment. */
export function msOf(text: string | null | undefined): number | undefined {
  return instantOf(text)?.ms;
}

/** Whether both are the same moment, to the second. What is no moment is never the same as another. */
export function sameSecond(a: string | null | undefined, b: string | null | undefined): boolean {
  return secondOf(a) === secondOf(b);
}

/** NaN, which equals nothing, for what is no moment. */
export function secondOf(text: string | null | undefined): number {
  return Math.floor((msOf(text) ?? NaN) / 1000);
}

/**
 * Whether `a` isn't before `b`, by more than so many milliseconds. What is not known, and a day alone against a time in
 * it, counts as equal.
 */
export function notBefore(
  a: string | null | undefined,
  b: string | null | undefined,
  toleranceMs = 0,
): boolean {
  const [left, right] = [instantOf(a), instantOf(b)];
  if (left === undefined || right === undefined) return true;
  const earliest = right.ms - toleranceMs;
  if (left.wholeDay || right.wholeDay) return Math.floor(left.ms / dayMs) >= Math.floor(earliest / dayMs);
  return left.ms >= earliest;
}
