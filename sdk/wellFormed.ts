import * as pulumi from "@pulumi/pulumi";
import { wellFormed } from "../provider/engine/plain";

/**
 * The same arguments, with U+FFFD for each half of a character in them. On one that ends a text the engine fails in
 * its own words before anybody can check it; in another place it makes U+FFFD of it itself.
 */
export function wellFormedArgs(args: object): pulumi.Inputs {
  return Object.fromEntries(
    Object.entries({ ...args }).map(([name, value]) => [wellFormed(name), repaired(value)]),
  );
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    return pulumi.output(value).apply(repaired);
  if (Array.isArray(value)) return value.map(repaired);
  const isPlain =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? wellFormedArgs(value) : value;
}
