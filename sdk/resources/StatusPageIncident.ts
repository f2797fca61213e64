import type * as pulumi from "@pulumi/pulumi";
import type * as types from "../types";
import type { Expectations } from "./expectationTypes";
import { type ObservedArgs, ObservedResource, type OutputsOf } from "./ObservedResource";

type Shown = Omit<types.StatusPageIncident, "id">;

/** Expectations for the outputs of a status-page incident. */
export type StatusPageIncidentExpectations = Expectations<Shown>;

/** The status-page incident to observe, and its expectations. */
export interface StatusPageIncidentArgs extends ObservedArgs<StatusPageIncidentExpectations> {
  /** Id of the incident. A change replaces the resource. */
  incidentId: pulumi.Input<string>;
}

/**
 * Observes an existing status-page incident (operation `getStatusPageIncident`). Creating the resource reads
 * the incident and fails when the account has no such incident; a refresh shows drift; deleting the resource only
 * removes it from the state. The resource never changes the incident.
 *
 * @throws InvalidInputError for invalid arguments, with all problems; for a stack that now points to another account
 * or
 * service.
 * @throws MonitoringError when the account has no such incident, or when the incident violates `expect`.
 */
export class StatusPageIncident
  extends ObservedResource<StatusPageIncidentExpectations>
  implements OutputsOf<Shown>
{
  /** Id of the incident. */
  declare readonly incidentId: pulumi.Output<string>;
  /** Public name. */
  declare readonly name: pulumi.Output<Shown["name"]>;
  /** Severity. */
  declare readonly severity: pulumi.Output<Shown["severity"]>;
  /** Affected services. */
  declare readonly services: pulumi.Output<Shown["services"]>;
  /** History, usually newest first. May contain only the latest 100 updates. */
  declare readonly incidentUpdates: pulumi.Output<Shown["incidentUpdates"]>;
  /** Latest status, computed by the service. It may differ from the status last posted. */
  declare readonly lastUpdateStatus: pulumi.Output<Shown["lastUpdateStatus"]>;
  /** How long it has lasted, as the service computes it; missing where it doesn't. */
  declare readonly duration: pulumi.Output<Shown["duration"]>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<Shown["createdAt"]>;
  /** When it was last changed; null when never. */
  declare readonly updatedAt: pulumi.Output<Shown["updatedAt"]>;

  constructor(name: string, args: StatusPageIncidentArgs, options?: pulumi.CustomResourceOptions) {
    super("StatusPageIncident", name, outputs, args, options);
  }
}

const outputs = {
  account: undefined,
  createdAt: undefined,
  duration: undefined,
  expect: undefined,
  incidentId: undefined,
  incidentUpdates: undefined,
  lastUpdateStatus: undefined,
  missing: undefined,
  name: undefined,
  services: undefined,
  severity: undefined,
  updatedAt: undefined,
} satisfies Record<Exclude<keyof StatusPageIncident, keyof pulumi.CustomResource>, undefined>;
