/** Milliseconds since 1970 of a moment as the service writes it (without a zone it is UTC), or undefined. */
export function msOf(moment: string | null | undefined): number | undefined {
  if (!moment) return undefined;
  const inUtc = /[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(moment) ? `${moment.replace(" ", "T")}Z` : moment;
  const ms = Date.parse(inUtc);
  return Number.isNaN(ms) ? undefined : ms;
}
