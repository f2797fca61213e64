/**
 * Describes the problems of values that a user wrote, with schemas and their messages, and converts the issues of zod to problems. A
 * message completes a sentence that starts with the name of the value. It never quotes the value, because the value may be a secret.
 */
import { z } from "zod";
import { type Problem } from "./texts";

/** Keys and indexes that lead to a value, such as `["waivers", 0, "expires"]`. */
export type Path = readonly PropertyKey[];

export interface ProblemAt {
  readonly path: Path;
  readonly reason: string;
  /** True if the key is wrong, not the value. */
  readonly atKey?: boolean;
}

type Issues = readonly z.core.$ZodIssue[];

/** The reason for an unknown key, the `index`th of its issue. */
type UnknownKey = (key: string, index: number, issue: z.core.$ZodIssueUnrecognizedKeys) => string;

const isNotKnown: UnknownKey = () => "is not known";

/** Returns the problems in a schema's issues, one for each unknown key. @param base The path of the value. */
export function toProblemsAt(issues: Issues, base: Path = [], unknownKey = isNotKnown): ProblemAt[] {
  // zod also checks the length of a list where a string is expected.
  const mistyped = new Set(issues.filter(isMistyped).map(({ path }) => path.join("\0")));
  const telling = issues.filter((issue) => isMistyped(issue) || !mistyped.has(issue.path.join("\0")));
  const problems = telling.flatMap((issue): ProblemAt[] => {
    const path = [...base, ...issue.path];
    return issue.code === "unrecognized_keys"
      ? issue.keys.map((key, index) => ({
          path: [...path, key],
          reason: unknownKey(key, index, issue),
          atKey: true,
        }))
      : [{ path, reason: issue.message }];
  });
  // A number may exceed several limits with the same message.
  const getKey = ({ path, reason }: ProblemAt) => [...path, reason].join("\0");
  return [...new Map(problems.map((problem) => [getKey(problem), problem])).values()];
}

const isMistyped = ({ code }: z.core.$ZodIssue): boolean => code === "invalid_type";

/** Returns the same problems with the names of their properties, such as `impacts[0].status`. @param root Finds values that are missing. */
export function toProblems(
  { issues }: z.ZodError,
  base?: Path,
  unknownKey?: UnknownKey,
  root?: object,
): Problem[] {
  return toProblemsAt(issues, base, unknownKey).map(({ path, reason, atKey }) => ({
    property: formatPath(path) || "arguments",
    reason: root && !atKey && getValueAt(path, root) == null ? reason + noValue : reason,
  }));
}

/** Follows a reason. An SDK drops an output that is undefined, and sends null for a secret one. */
export const noValue =
  ", but no value was given (for example, because an output of a StackReference doesn't exist)";

/** Returns the value at a path; undefined if there is none. */
export function getValueAt(path: Path, root: unknown): unknown {
  const getField = (value: unknown, key: PropertyKey): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  return path.reduce(getField, root);
}

function formatPath(path: Path): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index > 0 ? "." : ""}${String(key)}`))
    .join("");
}

/** Returns the problems of a value, and no problems without a schema. */
export function validateValue(schema: z.ZodType | undefined, value: unknown): Problem[] {
  const error = schema?.safeParse(value).error;
  return error === undefined ? [] : toProblems(error);
}

/** Returns the fields that don't match a schema, each once. @param whole Name of the value itself. */
export function listInvalidFields(
  { issues }: { readonly issues: readonly Pick<z.core.$ZodIssue, "path">[] },
  whole: string,
): string[] {
  return [...new Set(issues.map(({ path }) => formatPath(path) || whole))];
}

/** Returns a check for `superRefine` that fails with the reason, if there is one. */
export function refineWith<Value>(reasonOf: (value: Value) => string | undefined) {
  return (value: Value, context: z.core.$RefinementCtx): void => {
    const message = reasonOf(value);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  };
}

export const string = z.string({ error: "must be a string" });
export const boolean = z.boolean({ error: "must be true or false" });

const missingOrNoString: z.core.$ZodErrorMap = ({ input }) =>
  input === undefined ? "is missing" : "must be a string";

/** A string that is not empty. Missing, empty and other values have different messages. */
export const filledText = z.string({ error: missingOrNoString }).min(1, { error: "must not be empty" });

/** Returns the schema of a string that is not empty, with the same message for all other values. */
export function filledString(error: string) {
  return z.string({ error }).min(1, { error });
}

/**
 * Returns the schema of an object without other fields. Declares a simpler type than zod's function, because the fields would lose their
 * doc comments.
 */
export function strictObject<Fields extends z.ZodRawShape>(fields: Fields): z.ZodObject<Fields> {
  return z.strictObject(fields, {
    error: ({ code }) => (code === "invalid_type" ? "must be an object" : undefined),
  });
}

/** The arguments that a program passes for these fields. */
export type InputsOf<Fields extends z.ZodRawShape> = z.input<z.ZodObject<Fields>>;

/** The values that validation returns for these fields. */
export type OutputsOf<Fields extends z.ZodRawShape> = z.output<z.ZodObject<Fields>>;

/**
 * Returns the same schema with named input and output types, because a type that is inferred from a schema has no name. The validator may
 * accept more than the declared type.
 */
export function castSchema<Output, Declared = unknown>(
  schema: z.ZodType<Output>,
): z.ZodType<Output, Declared>;
export function castSchema(schema: z.ZodType): z.ZodType {
  return schema;
}

export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item, { error: "must be a list" });
}

export function filledList<Item extends z.ZodType>(item: Item) {
  return list(item).min(1, { error: "must not be empty" });
}

/** @param most By default, any number that JavaScript represents exactly. */
export function wholeNumber(least: number, most?: number) {
  const range = most === undefined ? `of ${least} or more` : `from ${least} to ${most}`;
  return z
    .int({ error: `must be a whole number ${range}` })
    .min(least)
    .max(most ?? Number.MAX_SAFE_INTEGER);
}

/** @param suggestion Returns the part of the message for a wrong string. */
export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  suggestion: (wrong: string, allowed: readonly string[]) => string = () => "",
) {
  return z.enum(values, {
    error: ({ input }) =>
      `must be one of ${values.join(", ")}${typeof input === "string" ? suggestion(input, values) : ""}`,
  });
}
