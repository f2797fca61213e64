import type * as pulumi from "@pulumi/pulumi";
import type { Incident } from "./returnedObjects";
import { type AccountArgs, dataSource, type OutputArgs } from "./dataSource";

/** The dashboard incident to read. */
export interface GetIncidentArgs extends AccountArgs {
  /** Id of the incident. */
  id: string;
  /** Whether to return all updates instead of only the first. Default: false. */
  includeAllIncidentUpdates?: boolean;
}

/** The arguments of {@link getIncidentOutput}. */
export type GetIncidentOutputArgs = OutputArgs<GetIncidentArgs>;

const source = dataSource("getIncident");

/**
 * Reads a dashboard incident (operation `getIncident`).
 *
 * @throws NotFoundError when the account has no such incident.
 */
export async function getIncident(args: GetIncidentArgs, options?: pulumi.InvokeOptions): Promise<Incident> {
  return source.read(args, options);
}

/** {@link getIncident} with outputs as arguments. */
export function getIncidentOutput(
  args: GetIncidentOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<Incident> {
  return source.readOutput(args, options);
}
