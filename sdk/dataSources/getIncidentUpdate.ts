import type * as pulumi from "@pulumi/pulumi";
import type { StatusPageIncidentUpdate } from "./returnedObjects";
import { type AccountArgs, dataSource, type OutputArgs } from "./dataSource";

/** The update of a status-page incident to read. */
export interface GetIncidentUpdateArgs extends AccountArgs {
  /** Id of the incident. */
  incidentId: string;
  /** Id of the update. */
  incidentUpdateId: string;
}

/** The arguments of {@link getIncidentUpdateOutput}. */
export type GetIncidentUpdateOutputArgs = OutputArgs<GetIncidentUpdateArgs>;

const source = dataSource("getIncidentUpdate");

/**
 * Reads one update of a status-page incident (operation `getIncidentUpdate`).
 *
 * @throws NotFoundError when the account has no such incident, or the incident has no such update.
 */
export async function getIncidentUpdate(
  args: GetIncidentUpdateArgs,
  options?: pulumi.InvokeOptions,
): Promise<StatusPageIncidentUpdate> {
  return source.read(args, options);
}

/** {@link getIncidentUpdate} with outputs as arguments. */
export function getIncidentUpdateOutput(
  args: GetIncidentUpdateOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<StatusPageIncidentUpdate> {
  return source.readOutput(args, options);
}
