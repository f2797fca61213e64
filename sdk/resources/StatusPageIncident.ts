import type * as pulumi from "@pulumi/pulumi";
import type * as types from "../types";
import type { Expectations } from "./expectationTypes";
import { type ObservedArgs, ObservedResource, type OutputsOf } from "./ObservedResource";

type Shown = Omit<types.StatusPageIncident, "id">;

/** What may be expected of a status-page incident's outputs. */
export type StatusPageIncidentExpectations = Expectations<Shown>;

/** Which status-page incident to observe, and what to expect of it. */
export interface StatusPageIncidentArgs extends ObservedArgs<StatusPageIncidentExpectations> {
  /** Id of the incident. Another id is another resource. */
  incidentId: pulumi.Input<string>;
}

/**
 * Observes an incident that stands on status pages (operation `getStatusPageIncident`). Declaring it reads
 * it, and fails when the account has no such incident; a refresh shows what changed; removing it forgets it. Nothing
 * on the service is ever changed.
 *
 * @throws InvalidInputError for arguments that can't be right, all mistakes at once; for a stack that is pointed at
 * another account or service.
 * @throws MonitoringError when the account has no such incident, or it isn't as `expect` says.
 */
export class StatusPageIncident
  extends ObservedResource<StatusPageIncidentExpectations>
  implements OutputsOf<Shown>
{
  /** Id of the incident. */
  declare readonly incidentId: pulumi.Output<string>;
  /** Name that the public sees. */
  declare readonly name: pulumi.Output<Shown["name"]>;
  /** How bad it is. */
  declare readonly severity: pulumi.Output<Shown["severity"]>;
  /** Affected services. */
  declare readonly services: pulumi.Output<Shown["services"]>;
  /** History, usually newest first; may hold only the 100 latest. */
  declare readonly incidentUpdates: pulumi.Output<Shown["incidentUpdates"]>;
  /** Computed by the service: never assume that it is the status last posted. */
  declare readonly lastUpdateStatus: pulumi.Output<Shown["lastUpdateStatus"]>;
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
