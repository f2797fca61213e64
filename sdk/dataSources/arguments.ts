/** What the arguments of data sources must be. Light, because every program loads it. */
import { InvalidInputError, type Problem } from "../../provider/client/errors";
import { idProblem } from "../../provider/api/path";

/** Why a value that is given can't be right, or undefined when it can. */
export type Kind = (value: unknown) => string | undefined;

export const id: Kind = idProblem;

export const text: Kind = (value) =>
  typeof value === "string" && value !== "" ? undefined : "must be a string that is not empty";

export const flag: Kind = (value) => (typeof value === "boolean" ? undefined : "must be true or false");

export const wholeNumber =
  (least: number, most: number): Kind =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `must be a whole number from ${least} to ${most}`;

export const oneOf =
  (values: readonly string[]): Kind =>
  (value) =>
    values.some((known) => known === value) ? undefined : `must be one of ${values.join(", ")}`;

export const listOf =
  (kind: Kind): Kind =>
  (value) =>
    Array.isArray(value) ? value.map(kind).find((reason) => reason !== undefined) : "must be a list";

/** What a data source takes. */
export interface Signature {
  /** Its name, for errors. */
  readonly title: string;
  readonly takes: Readonly<Record<string, Kind>>;
  /** Arguments that must be given. */
  readonly required?: readonly string[];
  /** Arguments of which just one must be given. */
  readonly justOneOf?: readonly string[];
  /** Arguments of which no two may be given. */
  readonly atMostOneOf?: readonly string[];
}

/** @throws InvalidInputError with every mistake. */
export function checkArguments(signature: Signature, args: object): void {
  const { title, takes, required = [], justOneOf = [], atMostOneOf = [] } = signature;
  const given = Object.entries(args);
  const problems: Problem[] = given.flatMap(([property, value]) => {
    const kind = Object.hasOwn(takes, property) ? takes[property] : undefined;
    const reason = kind ? kind(value) : `is not known; known are ${Object.keys(takes).join(", ")}`;
    return reason === undefined ? [] : [{ property, reason }];
  });
  const count = (names: readonly string[]): number => given.filter(([name]) => names.includes(name)).length;
  for (const property of required)
    if (count([property]) === 0) problems.push({ property, reason: "must be given" });
  if (justOneOf.length > 0 && count(justOneOf) !== 1) {
    problems.push({ property: justOneOf.join(" or "), reason: "must be given, and only one of them" });
  }
  if (count(atMostOneOf) > 1)
    problems.push({ property: atMostOneOf.join(" and "), reason: "exclude each other" });
  if (problems.length > 0) throw new InvalidInputError(title, problems);
}
