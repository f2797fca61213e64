/**
 * Returns a copy that the engine can serialize. The engine rejects undefined, functions and bigints, and converts dates to
 * `{}`. It does so after the create, so that an unsupported value would lose the result of the create.
 */
export function plain(value: unknown): unknown {
  switch (typeof value) {
    case "string":
      return wellFormed(value);
    case "number":
      // JSON has no negative zero; adding zero removes it.
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

/** Omits undefined fields and functions. */
export function plainObject(value: object): Record<string, unknown> {
  const given = Object.entries(value).filter(
    ([, inner]) => inner !== undefined && typeof inner !== "function",
  );
  return Object.fromEntries(given.map(([name, inner]) => [wellFormed(name), plain(inner)]));
}

/** Replaces lone surrogates by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\uFFFD");
}
