import * as pulumi from "@pulumi/pulumi";
import type { StatusPageIncidentUpdate } from "../types";
import { dataSource, type Read } from "./dataSource";

/** The update of a status-page incident to read. */
export interface GetIncidentUpdateArgs {
  /** Id of the incident. */
  incidentId: string;
  /** Id of the update. */
  incidentUpdateId: string;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The arguments of {@link getIncidentUpdateOutput}. */
export type GetIncidentUpdateOutputArgs = {
  [Name in keyof GetIncidentUpdateArgs]: pulumi.Input<GetIncidentUpdateArgs[Name]>;
};

const read: Read<StatusPageIncidentUpdate> = dataSource(
  async () => (await import("../../provider/lookups/getIncidentUpdate")).getIncidentUpdate,
);

/**
 * Reads one update of a status-page incident (operation `getIncidentUpdate`).
 *
 * @throws NotFoundError when the account has no such incident, or the incident has no such update.
 */
export async function getIncidentUpdate(args: GetIncidentUpdateArgs): Promise<StatusPageIncidentUpdate> {
  return read(args);
}

/** {@link getIncidentUpdate} with outputs as arguments. */
export function getIncidentUpdateOutput(
  args: GetIncidentUpdateOutputArgs,
): pulumi.Output<StatusPageIncidentUpdate> {
  return pulumi.output(args).apply(read);
}
