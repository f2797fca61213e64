/** Reads and compares the times of the service: ISO with or without milliseconds, a date without a time, or a time without a zone. */

const dayMs = 86_400_000;

/** Returns milliseconds since 1970, and whether only the day is known. */
function parseTime(text: string | null | undefined) {
  const value = text?.trim() ?? "";
  const wholeDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const withZone = wholeDay || /(Z|[+-]\d{2}:?\d{2})$/i.test(value) ? value : `${value.replace(" ", "T")}Z`;
  // Date.parse would read "revision 7" as a day of July.
  const ms = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(withZone) : NaN;
  return Number.isNaN(ms) ? undefined : { ms, wholeDay };
}

/** Returns milliseconds since 1970; undefined if the text is not a time. */
export function parseMs(text: string | null | undefined): number | undefined {
  return parseTime(text)?.ms;
}

/** Returns true if both are the same time, to the second. Text that is not a time equals nothing. */
export function sameSecond(a: string | null | undefined, b: string | null | undefined): boolean {
  return parseSecond(a) === parseSecond(b);
}

/** Returns seconds since 1970; NaN, which equals nothing, if the text is not a time. */
export function parseSecond(text: string | null | undefined): number {
  return Math.floor((parseMs(text) ?? NaN) / 1000);
}

/**
 * Returns true unless `a` is earlier than `b` by more than the tolerance. Text that is not a time equals any time, and a date
 * equals each time of that day.
 */
export function isNotBefore(
  a: string | null | undefined,
  b: string | null | undefined,
  toleranceMs = 0,
): boolean {
  const [left, right] = [parseTime(a), parseTime(b)];
  if (left === undefined || right === undefined) return true;
  const earliest = right.ms - toleranceMs;
  if (left.wholeDay || right.wholeDay) return Math.floor(left.ms / dayMs) >= Math.floor(earliest / dayMs);
  return left.ms >= earliest;
}
