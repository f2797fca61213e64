/** Values as the engine passes and stores them. */

/** The property by which the engine marks secrets and outputs, in its calls and in the export of a stack. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

// Unknown values in a preview.

/** The placeholder for an unknown value. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine's placeholders, one per type of value. The first is a well-formed id and must not be used as one. */
const placeholders: ReadonlySet<unknown> = new Set([
  unknownValue,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Whether a value is unknown or contains an unknown value. */
export function isUnknown(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(isUnknown);
  return placeholders.has(value);
}

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
