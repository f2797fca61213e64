/** Declares an incident on a status page with components. An `IncidentUpdate` declares each further update. */
import * as pulumi from "@pulumi/pulumi";
import { type IncidentInputs, type IncidentOutputs } from "../provider/lifecycles";
import {
  countDeclaration,
  getPublicContent,
  type OutputArgs,
  pauseStackTraces,
  type ResourceOutputs,
} from "./program";
import { createRegistration, reportProblem } from "./registration";

/** The arguments of {@link Incident}. */
export interface IncidentArgs extends OutputArgs<IncidentInputs> {}

/**
 * Opens an incident on a status page with components, exactly once, such as a planned maintenance. If an incident with the same name and
 * the same first update is open, the resource adopts it, which means that it records the incident in the state and opens nothing.
 *
 * The incident is public immediately and stays open. To resolve it, declare an `IncidentUpdate` with the status `RESOLVED`. Only `impacts`
 * can be changed, while the incident is open and without an email. Removing the resource only removes it from the state.
 *
 * The run fails without opening the incident if:
 * - an argument is invalid (the error lists all problems), or a component in `impacts` isn't on the page
 * - the status page is a page with cards
 * - another incident with the same name may be the declared incident (the error contains a resend code that opens a second incident)
 * - an argument of an opened incident changes, except `impacts`, unless the page already shows the new value
 * - someone else changed the impacts on the page
 *
 * If the request receives no response and the incident isn't found on the page, the run fails, and the state records the incident as
 * unconfirmed. The next `pulumi up` searches for it before opening anything.
 *
 * @remarks Calls operation `getComponentPage`, operation `listComponentPageIncidents`, operation `getComponentPageIncident` and operation
 * `openComponentPageIncident`; with `impacts`, operation `listComponents`; for a change of `impacts`, operation
 * `editComponentPageIncident`.
 *
 * To open an incident, `pulumi up` sends 3 `GET` requests for the page, its incidents and, with `impacts`, its components, 1 `GET` for each
 * candidate, and 1 `POST`. A candidate is an open incident with the same name, or the resolved incident with this name that was updated
 * last. For an unchanged incident, `pulumi up` sends no request. A preview sends the same `GET` requests. A change sends them again, reads
 * the incident, and edits it with 1 or 2 `PUT` requests. `pulumi refresh`, `pulumi import` and the removal of the resource read the
 * incident once.
 */
export class Incident extends pulumi.CustomResource {
  /** @internal */
  static readonly isNative: boolean = false;

  constructor(name: string, args: IncidentArgs, options: pulumi.CustomResourceOptions = {}) {
    const given: Partial<IncidentArgs> = { ...args };
    const withSecrets = pulumi.mergeOptions(options, {
      // `published` repeats the name and the description, which may be secrets.
      additionalSecretOutputs: [given.name, given.description].every((text) => typeof text === "string")
        ? []
        : ["published"],
    });
    const program = { shown: getPublicContent(given), order: countDeclaration() };
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
