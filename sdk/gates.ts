/** Gates: resources of this package that are declared after a gate wait for its result. */
import * as pulumi from "@pulumi/pulumi";
import { explicitProviderOf } from "./explicitProvider";
import { declarationError } from "./resources/declarationError";
import { perRun } from "./run";

const gates = perRun((): pulumi.ComponentResource[] => []);

/**
 * Gates and audits read in the program, with the stack's configuration.
 *
 * @throws RunError for an explicit provider, which would be ignored.
 */
export function assertNoProvider(
  type: string,
  name: string,
  options?: pulumi.ComponentResourceOptions,
): void {
  if (explicitProviderOf(options) === undefined) return;
  throw declarationError(
    type,
    name,
    "reads with the stack's configuration, and would ignore the explicit provider of its options or of its parent. " +
      "Declare it without them, and name the account by the argument `account`.",
  );
}

/** Registers a component as a gate. Its `initialize` rejects to block the resources that are declared after it. */
export function registerGate(gate: pulumi.ComponentResource): void {
  gates().push(gate);
}

/** Adds a dependency on all gates that were declared before the resource. */
export function afterGates(options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const declared = gates();
  return declared.length === 0 ? options : pulumi.mergeOptions(options, { dependsOn: [...declared] });
}
