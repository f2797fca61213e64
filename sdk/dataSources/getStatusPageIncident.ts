import * as pulumi from "@pulumi/pulumi";
import type { StatusPageIncident } from "../types";
import { dataSource, type Read } from "./dataSource";

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

const read: Read<StatusPageIncident> = dataSource(
  async () => (await import("../../provider/lookups/getStatusPageIncident")).getStatusPageIncident,
);

/**
 * Reads a status-page incident with its history (operation `getStatusPageIncident`).
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
