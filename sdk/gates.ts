/** Gates: every resource of this package that is declared after one waits for its verdict. */
import * as pulumi from "@pulumi/pulumi";
import { perRun } from "./run";

const gates = perRun((): pulumi.ComponentResource[] => []);

/** Makes a gate of a component whose `initialize` rejects when what is declared after it must not be done. */
export function registerGate(gate: pulumi.ComponentResource): void {
  gates().push(gate);
}

/** The options of a resource that waits for the gates that were declared before it. */
export function afterGates(options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const declared = gates();
  return declared.length === 0 ? options : pulumi.mergeOptions(options, { dependsOn: [...declared] });
}
