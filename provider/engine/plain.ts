/**
 * A copy that the engine takes. It refuses undefined, functions and bigints, and turns dates into `{}`, and it does
 * so after the create: a value that slips through would cost what the create returned.
 */
export function plain(value: unknown): unknown {
  switch (typeof value) {
    case "string":
      return wellFormed(value);
    case "number":
      // JSON has no negative zero, and adding zero leaves none.
      return Number.isFinite(value) ? value + 0 : null;
    case "boolean":
      return value;
    case "bigint":
      return value.toString();
    case "object":
      if (value === null) return null;
      if (value instanceof Date) return value.toJSON();
      if (Array.isArray(value)) return value.map(plain);
      return plainObject(value);
    default:
      return null;
  }
}

/** Without the fields that are undefined. */
export function plainObject(value: object): Record<string, unknown> {
  const given = Object.entries(value).filter(
    ([, inner]) => inner !== undefined && typeof inner !== "function",
  );
  return Object.fromEntries(given.map(([name, inner]) => [wellFormed(name), plain(inner)]));
}

/** U+FFFD stands for half of a character. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\uFFFD");
}
