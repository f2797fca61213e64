/** Reads and compares the times of the service: ISO with or without milliseconds, a date alone, or without a zone. */

const dayMs = 86_400_000;

interface ParsedTime {
  readonly ms: number;
  /** Only the day is known. */
  readonly wholeDay: boolean;
}

function parseTime(text: string | null | undefined): ParsedTime | undefined {
  const value = text?.trim() ?? "";
  const wholeDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const withZone = wholeDay || /(Z|[+-]\d{2}:?\d{2})$/i.test(value) ? value : `${value.replace(" ", "T")}Z`;
  // Date.parse takes "revision 7" for a day of July.
  const ms = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(withZone) : NaN;
  return Number.isNaN(ms) ? undefined : { ms, wholeDay };
}

/** Milliseconds since 1970, or undefined when the text is not a time. */
export function msOf(text: string | null | undefined): number | undefined {
  return parseTime(text)?.ms;
}

/** Whether both are the same time, to the second. Text that is not a time is equal to nothing. */
export function sameSecond(a: string | null | undefined, b: string | null | undefined): boolean {
  return secondOf(a) === secondOf(b);
}

/** NaN, which equals nothing, when the text is not a time. */
export function secondOf(text: string | null | undefined): number {
  return Math.floor((msOf(text) ?? NaN) / 1000);
}

/**
 * Whether `a` is not earlier than `b` by more than the tolerance. A text that is not a time counts as equal to any, and
 * a date as equal to each time of that day.
 */
export function notBefore(
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
