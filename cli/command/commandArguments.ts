/** Checks the arguments of commands. */
import { didYouMean } from "../../provider/texts/didYouMean";
import { UsageError } from "./command";

/** An argument, as `parseArgs` describes it. */
export interface Token {
  readonly kind: string;
  readonly name?: string;
  readonly value?: string;
}

export function rejectEmpty(tokens: readonly Token[]): void {
  const empty = tokens.find(({ kind, value }) => kind === "option" && value === "");
  if (empty) throw new UsageError(`--${empty.name} must not be empty.`);
}

/** `parseArgs` would use the last one, and an audit with only some of the rules could wrongly pass. */
export function rejectDuplicates(tokens: readonly Token[], repeatable: readonly string[] = []): void {
  const given = new Set<string>();
  for (const { name } of tokens) {
    if (name === undefined || repeatable.includes(name)) continue;
    if (given.has(name)) throw new UsageError(`--${name} can be given only once.`);
    given.add(name);
  }
}

/** @throws UsageError when the value is none of these */
export function oneOf<const Values extends readonly string[]>(
  values: Values,
  option: string,
  value: string,
): Values[number] {
  const found = values.find((one) => one === value);
  if (found !== undefined) return found;
  const given = `${JSON.stringify(value)}${didYouMean(value, values)}`;
  throw new UsageError(`${option} must be one of ${values.join(", ")}, not ${given}.`);
}
