import type * as pulumi from "@pulumi/pulumi";
import type * as types from "../types";
import type { Expectations } from "./expectationTypes";
import { type ObservedArgs, ObservedResource, type OutputsOf } from "./ObservedResource";

type Shown = Omit<types.Incident, "id">;

/** Expectations for the outputs of a dashboard incident. */
export type IncidentExpectations = Expectations<Shown>;

/** The dashboard incident to observe, and its expectations. */
export interface IncidentArgs extends ObservedArgs<IncidentExpectations> {
  /** Id of the incident. A change replaces the resource. */
  incidentId: pulumi.Input<string>;
  /** Whether to read all updates instead of only the first. Default: false. */
  includeAllIncidentUpdates?: pulumi.Input<boolean>;
}

/**
 * Observes an existing incident of a dashboard (operation `getIncident`). Creating the resource
 * reads the incident and fails when the account has no such incident; a refresh shows drift; deleting the resource
 * only removes it from the state. The resource never changes the incident.
 *
 * @throws InvalidInputError for invalid arguments, with all problems; for a stack that now points to another account
 * or
 * service.
 * @throws MonitoringError when the account has no such incident, or when the incident violates `expect`.
 */
export class Incident extends ObservedResource<IncidentExpectations> implements OutputsOf<Shown> {
  /** Id of the incident. */
  declare readonly incidentId: pulumi.Output<string>;
  /** Whether all updates are read instead of only the first. */
  declare readonly includeAllIncidentUpdates: pulumi.Output<boolean>;
  /** Name. */
  declare readonly name: pulumi.Output<Shown["name"]>;
  /** Impact. */
  declare readonly impact: pulumi.Output<Shown["impact"]>;
  /** Dashboard that shows the incident. */
  declare readonly dashboardId: pulumi.Output<Shown["dashboardId"]>;
  /** When it becomes active, UTC; null when not set. */
  declare readonly startedAt: pulumi.Output<Shown["startedAt"]>;
  /** When it becomes inactive, UTC; null while it has no end. */
  declare readonly stoppedAt: pulumi.Output<Shown["stoppedAt"]>;
  /** Only the first update, or all with `includeAllIncidentUpdates`. */
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
