/** Declares an incident, which is opened on a status page with components. Its further updates are `IncidentUpdate`s. */
import * as pulumi from "@pulumi/pulumi";
import { type IncidentInputs, type IncidentOutputs } from "../provider/lifecycles";
import { type OutputArgs, pauseStackTraces, memoizePerRun, type ResourceOutputs } from "./program";
import { createRegistration, reportProblem } from "./registration";

/** The arguments of {@link Incident} (operation `openComponentPageIncident`). */
export interface IncidentArgs extends OutputArgs<IncidentInputs> {}

/**
 * Opens an incident on a status page with components (operation `openComponentPageIncident`, operation `listComponentPageIncidents` and
 * operation `getComponentPageIncident`). It is opened exactly once, or one that is open with the same name and first update is adopted. An
 * incident stays public and open: post an `IncidentUpdate` with status RESOLVED to close it. Removing the resource only removes it from the
 * state. A change is refused.
 *
 * The run fails, and nothing is opened, for invalid arguments; if an incident of the same name is open, and says something else; and if an
 * identical incident is resolved, because the state may be lost. The message has the code that opens it anyway.
 */
export class Incident extends pulumi.CustomResource {
  /** @internal */
  static readonly isNative: boolean = false;

  constructor(name: string, args: IncidentArgs, options: pulumi.CustomResourceOptions = {}) {
    const given: Partial<IncidentArgs> = { ...args };
    const isDryRun = pulumi.runtime.isDryRun();
    const withSecrets = pulumi.mergeOptions(options, {
      // `published` repeats the description, which may be a secret.
      additionalSecretOutputs: typeof given.description === "string" ? [] : ["published"],
    });
    const text = pulumi.output(given.description);
    const shown = pulumi.output(
      pulumi.isSecret(text).then((isSecret) => (isSecret ? {} : { description: text })),
    );
    const program = { shown, order: isDryRun ? (placeInProgram().last += 1) : undefined };
    const registration = createRegistration("Incident", name, given, withSecrets, new.target, program);
    const resumeStacks = pauseStackTraces();
    try {
      super(...registration);
    } finally {
      resumeStacks();
    }
    reportProblem(this);
  }
}

export interface Incident extends ResourceOutputs<IncidentOutputs> {}

const placeInProgram = memoizePerRun(() => ({ last: 0 }));
