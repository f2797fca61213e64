/**
 * What a program expects of an observed object, against what was read of it. An expectation is a value; a list, item
 * by item; an object, by the names of its fields; or conditions, all of which must hold.
 */

interface Condition {
  /** What it asks for, as it follows "expected". */
  inWords(wanted: unknown): string;
  holds(wanted: unknown, actual: unknown): boolean;
}

/** The conditions that there are. No field of the API is called like one. */
const conditions: Readonly<Record<string, Condition>> = {
  atLeast: {
    inWords: (least) => `at least ${inWords(least)}`,
    holds: (least, actual) => typeof actual === "number" && actual >= Number(least),
  },
  atMost: {
    inWords: (most) => `at most ${inWords(most)}`,
    holds: (most, actual) => typeof actual === "number" && actual <= Number(most),
  },
  oneOf: {
    inWords: (wanted) => `one of ${listIn(wanted).map(inWords).join(", ")}`,
    holds: (wanted, actual) => listIn(wanted).some((one) => meets(one, actual)),
  },
  not: {
    inWords: (unwanted) => (unwanted === null ? "any" : `anything but ${inWords(unwanted)}`),
    holds: (unwanted, actual) => !meets(unwanted, actual),
  },
  matches: {
    inWords: (pattern) => `a text that matches ${inWords(pattern)}`,
    holds: (pattern, actual) => typeof actual === "string" && new RegExp(String(pattern)).test(actual),
  },
  contains: {
    inWords: (wanted) => `a list with ${inWords(wanted)}`,
    holds: (wanted, actual) => listIn(actual).some((item) => meets(wanted, item)),
  },
};

/** Whether an object is conditions, and not fields by name. */
export function areConditions(expected: object): boolean {
  const names = Object.keys(expected);
  return names.length > 0 && names.every((name) => Object.hasOwn(conditions, name));
}

/** Everything that is not as expected, such as `sslExpiryThreshold: expected at least 14, but it is 7`. */
export function violations(expected: unknown, actual: unknown, field = ""): string[] {
  const violation = (wanted: string): string =>
    `${field}: expected ${short(wanted)}, but ${isInWords(actual)}`;
  const inner = (name: string | number): string => (field === "" ? String(name) : `${field}.${name}`);
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => violations(item, actual[index], inner(index)));
  }
  if (!isObject(expected)) return same(expected, actual) ? [] : [violation(inWords(expected))];
  const wanted = Object.entries(expected);
  if (areConditions(expected)) {
    return wanted.flatMap(([name, bound]) => {
      const condition = conditions[name];
      return !condition || condition.holds(bound, actual) ? [] : [violation(condition.inWords(bound))];
    });
  }
  const fields = new Map(isObject(actual) ? Object.entries(actual) : []);
  return wanted.flatMap(([name, value]) => violations(value, fields.get(name), inner(name)));
}

function meets(expected: unknown, actual: unknown): boolean {
  return violations(expected, actual).length === 0;
}

/** What is missing is the same as null. */
function same(expected: unknown, actual: unknown): boolean {
  return (expected ?? null) === (actual ?? null);
}

function isInWords(actual: unknown): string {
  return actual === null || actual === undefined ? "there is none" : `it is ${short(JSON.stringify(actual))}`;
}

function inWords(expected: unknown): string {
  if (expected === null || expected === undefined) return "none";
  if (Array.isArray(expected)) return `[${expected.map(inWords).join(", ")}]`;
  if (!isObject(expected)) return JSON.stringify(expected);
  const parts = Object.entries(expected);
  return areConditions(expected)
    ? parts.map(([name, bound]) => conditions[name]?.inWords(bound)).join(" and ")
    : `{${parts.map(([name, value]) => `${name}: ${inWords(value)}`).join(", ")}}`;
}

const longest = 160;

/** Never ends in half of a character. */
function short(text: string): string {
  return text.length > longest ? `${text.slice(0, longest).replace(/\p{Cs}$/u, "")}…` : text;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
