import type * as pulumi from "@pulumi/pulumi";
import type * as types from "../types";
import type { Expectations } from "./expectationTypes";
import { type ObservedArgs, ObservedResource, type OutputsOf } from "./ObservedResource";

type Shown = Omit<types.Incident, "id">;

/** What may be expected of a dashboard incident's outputs. */
export type IncidentExpectations = Expectations<Shown>;

/** Which dashboard incident to observe, and what to expect of it. */
export interface IncidentArgs extends ObservedArgs<IncidentExpectations> {
  /** Id of the incident. Another id is another resource. */
  incidentId: pulumi.Input<string>;
  /** Whether to show all its updates instead of the first alone. Default: false. */
  includeAllIncidentUpdates?: pulumi.Input<boolean>;
}

/**
 * Observes an incident of a dashboard (operation `getIncident`). Declaring it reads it, and fails
 * when the account has no such incident; a refresh shows what changed; removing it forgets it. Nothing on the service
 * is ever changed.
 *
 * @throws InvalidInputError for arguments that can't be right, all mistakes at once; for a stack that is pointed at
 * another account or service.
 * @throws MonitoringError when the account has no such incident, or it isn't as `expect` says.
 */
export class Incident extends ObservedResource<IncidentExpectations> implements OutputsOf<Shown> {
  /** Id of the incident. */
  declare readonly incidentId: pulumi.Output<string>;
  /** Whether all its updates are shown instead of the first alone. */
  declare readonly includeAllIncidentUpdates: pulumi.Output<boolean>;
  /** Name. */
  declare readonly name: pulumi.Output<Shown["name"]>;
  /** How bad it is. */
  declare readonly impact: pulumi.Output<Shown["impact"]>;
  /** Dashboard on which it is shown. */
  declare readonly dashboardId: pulumi.Output<Shown["dashboardId"]>;
  /** When it becomes active, UTC; null when not set. */
  declare readonly startedAt: pulumi.Output<Shown["startedAt"]>;
  /** When it becomes inactive, UTC; null while it has no end. */
  declare readonly stoppedAt: pulumi.Output<Shown["stoppedAt"]>;
  /** The first update alone, or all with `includeAllIncidentUpdates`. */
  declare readonly incidentUpdates: pulumi.Output<Shown["incidentUpdates"]>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<Shown["createdAt"]>;
  /** When it was last changed; null when never. */
  declare readonly updatedAt: pulumi.Output<Shown["updatedAt"]>;

  constructor(name: string, args: IncidentArgs, options?: pulumi.CustomResourceOptions) {
    super("Incident", name, outputs, args, options);
  }
}

const outputs = {
  account: undefined,
  createdAt: undefined,
  dashboardId: undefined,
  expect: undefined,
  impact: undefined,
  incidentId: undefined,
  incidentUpdates: undefined,
  includeAllIncidentUpdates: undefined,
  missing: undefined,
  name: undefined,
  startedAt: undefined,
  stoppedAt: undefined,
  updatedAt: undefined,
} satisfies Record<Exclude<keyof Incident, keyof pulumi.CustomResource>, undefined>;
