import type * as pulumi from "@pulumi/pulumi";
import type { StatusPageIncident } from "./returnedObjects";
import { type AccountArgs, dataSource, type OutputArgs } from "./dataSource";

/** The status-page incident to read. */
export interface GetStatusPageIncidentArgs extends AccountArgs {
  /** Id of the incident. */
  incidentId: string;
}

/** The arguments of {@link getStatusPageIncidentOutput}. */
export type GetStatusPageIncidentOutputArgs = OutputArgs<GetStatusPageIncidentArgs>;

const source = dataSource("getStatusPageIncident");

/**
 * Reads a status-page incident with its history (operation `getStatusPageIncident`).
 *
 * @throws NotFoundError when the account has no such incident.
 */
export async function getStatusPageIncident(
  args: GetStatusPageIncidentArgs,
  options?: pulumi.InvokeOptions,
): Promise<StatusPageIncident> {
  return source.read(args, options);
}

/** {@link getStatusPageIncident} with outputs as arguments. */
export function getStatusPageIncidentOutput(
  args: GetStatusPageIncidentOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<StatusPageIncident> {
  return source.readOutput(args, options);
}
