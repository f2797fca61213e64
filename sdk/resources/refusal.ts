import { RunError } from "@pulumi/pulumi";
import { withoutStack } from "../mistake";

/** What a constructor throws for a declaration that can't be right: a user's mistake, fit for a pipeline log. */
export function refusal(kind: string, name: string, reason: string): Error {
  return withoutStack(new RunError(`${kind} "${name}": ${reason}`));
}
