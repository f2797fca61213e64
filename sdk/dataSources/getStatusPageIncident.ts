import * as pulumi from "@pulumi/pulumi";
import type { StatusPageIncident } from "../types";
import { dataSource } from "./dataSource";

/** The status-page incident to read. */
export interface GetStatusPageIncidentArgs {
  /** Id of the incident. */
  incidentId: string;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The arguments of {@link getStatusPageIncidentOutput}. */
export type GetStatusPageIncidentOutputArgs = {
  [Name in keyof GetStatusPageIncidentArgs]: pulumi.Input<GetStatusPageIncidentArgs[Name]>;
};

const read = dataSource(
  async () => (await import("../../provider/lookups/getStatusPageIncident")).getStatusPageIncident,
);

/**
 * Reads a status-page incident with its history (section 4.3 of the service's API).
 *
 * @throws NotFoundError when the account has no such incident.
 */
export async function getStatusPageIncident(args: GetStatusPageIncidentArgs): Promise<StatusPageIncident> {
  return read(args);
}

/** {@link getStatusPageIncident} with outputs as arguments. */
export function getStatusPageIncidentOutput(
  args: GetStatusPageIncidentOutputArgs,
): pulumi.Output<StatusPageIncident> {
  return pulumi.output(args).apply(read);
}
