import { RunError } from "@pulumi/pulumi";
import { withoutStack } from "../../provider/engine/withoutStack";

/** The error that a constructor throws for an invalid declaration. Prints without a stack. */
export function declarationError(type: string, name: string, reason: string): Error {
  return withoutStack(new RunError(`${type} "${name}": ${reason}`));
}
