import { type Problem } from "../texts/problem";

/** Identifier of an object: a number for alert channels, otherwise a string. */
export type Id = string | number;

/** Why a value can't be an identifier, or undefined when it can be one. */
export type IdCheck = (id: unknown) => string | undefined;

/** The names between braces in a path template: `"/v1/alert-channels/{id}"` has `id`. */
export type PathParameter<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

const longestId = 256;

/** Characters that no id contains, and that would change the path of a request or be invisible in a log. */
const neverInAnId = /[/\\?#%\s\p{C}]/u;

/**
 * Why `id` can't be an identifier, or undefined when it can be one. Malicious ids are rejected, not encoded: a
 * server that decodes twice would take `%2e%2e` as a step upwards.
 */
export function idProblem(id: unknown): string | undefined {
  if (typeof id === "number") {
    return Number.isSafeInteger(id) && id >= 0
      ? undefined
      : "must be a whole number of 0 or more, or a string";
  }
  if (typeof id !== "string") return "must be an id: a string or a whole number";
  if (id === "") return "must not be empty";
  if (id.length > longestId) return `must have at most ${longestId} characters`;
  if (id === "." || id === ".." || neverInAnId.test(id)) {
    return "must be an id, without white space, control characters or any of / \\ ? # %";
  }
  return undefined;
}

/** The same for an alert channel, whose id is a whole number, also where it is written as a string. */
export function channelIdProblem(id: unknown): string | undefined {
  if (typeof id !== "string" || /^\d{1,15}$/.test(id)) return idProblem(id);
  return idProblem(id) ?? "must be the id of an alert channel: a whole number";
}

/** Every invalid id, by its name in the template. */
export function pathProblems(
  ids: Readonly<Record<string, unknown>>,
  problemOf: IdCheck = idProblem,
): Problem[] {
  return Object.entries(ids).flatMap(([property, id]) => {
    const reason = problemOf(id);
    return reason === undefined ? [] : [{ property, reason }];
  });
}

/** The template with its ids filled in. The ids must have passed {@link pathProblems}. */
export function fillPath(template: string, ids: Readonly<Record<string, Id>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(ids[name])));
}
