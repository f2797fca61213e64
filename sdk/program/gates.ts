/** Gates: resources of this package that are declared after a gate wait for its result. */
import * as pulumi from "@pulumi/pulumi";
import { perRun } from "./run";

const gates = perRun((): pulumi.ComponentResource[] => []);

/** Registers a component as a gate. Its `initialize` rejects to block the resources that are declared after it. */
export function registerGate(gate: pulumi.ComponentResource): void {
  gates().push(gate);
}

/** Adds a dependency on all gates that were declared before the resource. */
export function afterGates(options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const declared = gates();
  return declared.length === 0 ? options : pulumi.mergeOptions(options, { dependsOn: [...declared] });
}
