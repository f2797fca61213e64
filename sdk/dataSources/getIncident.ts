import * as pulumi from "@pulumi/pulumi";
import type { Incident } from "../types";
import { dataSource, type Read } from "./dataSource";

/** The dashboard incident to read. */
export interface GetIncidentArgs {
  /** Id of the incident. */
  id: string;
  /** Whether to return all updates instead of only the first. Default: false. */
  includeAllIncidentUpdates?: boolean;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The arguments of {@link getIncidentOutput}. */
export type GetIncidentOutputArgs = { [Name in keyof GetIncidentArgs]: pulumi.Input<GetIncidentArgs[Name]> };

const read: Read<Incident> = dataSource(
  async () => (await import("../../provider/lookups/getIncident")).getIncident,
);

/**
 * Reads a dashboard incident (operation `getIncident`).
 *
 * @throws NotFoundError when the account has no such incident.
 */
export async function getIncident(args: GetIncidentArgs): Promise<Incident> {
  return read(args);
}

/** {@link getIncident} with outputs as arguments. */
export function getIncidentOutput(args: GetIncidentOutputArgs): pulumi.Output<Incident> {
  return pulumi.output(args).apply(read);
}
