import { RunError } from "@pulumi/pulumi";
import { withoutStack } from "../logErrors";

/** The error that a constructor throws for an invalid declaration. Prints without a stack. */
export function declarationError(kind: string, name: string, reason: string): Error {
  return withoutStack(new RunError(`${kind} "${name}": ${reason}`));
}
