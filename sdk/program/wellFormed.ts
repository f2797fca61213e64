import * as pulumi from "@pulumi/pulumi";
import { wellFormed } from "../../provider/engine/plain";

/**
 * Replaces each lone surrogate in the arguments by U+FFFD. The engine fails with an unclear message on one at the end of a
 * string, before `check` runs; elsewhere it replaces it by U+FFFD itself.
 */
export function wellFormedArgs(args: object): pulumi.Inputs {
  return Object.fromEntries(
    Object.entries({ ...args }).map(([name, value]) => [wellFormed(name), replaceSurrogates(value)]),
  );
}

function replaceSurrogates(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    return pulumi.output(value).apply(replaceSurrogates);
  if (Array.isArray(value)) return value.map(replaceSurrogates);
  const isPlain =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? wellFormedArgs(value) : value;
}
