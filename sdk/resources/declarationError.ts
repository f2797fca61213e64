import { RunError } from "@pulumi/pulumi";
import { withoutStack } from "../logErrors";

/** What a constructor throws for a declaration that can't be right: a user's mistake, fit for a pipeline log. */
export function declarationError(kind: string, name: string, reason: string): Error {
  return withoutStack(new RunError(`${kind} "${name}": ${reason}`));
}
