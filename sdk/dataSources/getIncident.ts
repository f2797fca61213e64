import * as pulumi from "@pulumi/pulumi";
import { connect } from "../connection";
import type { Incident } from "../types";
import { flag, id, text } from "./arguments";
import { dataSource } from "./dataSource";

/** Which dashboard incident to read. */
export interface GetIncidentArgs {
  /** Id of the incident. */
  id: string;
  /** Whether to give all its updates instead of the first alone. Default: false. */
  includeAllIncidentUpdates?: boolean;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The same, with values that may not be known yet. */
export type GetIncidentOutputArgs = { [Name in keyof GetIncidentArgs]: pulumi.Input<GetIncidentArgs[Name]> };

const read = dataSource(
  { title: "getIncident", takes: { id, includeAllIncidentUpdates: flag, account: text }, required: ["id"] },
  async (args: GetIncidentArgs): Promise<Incident> => {
    const { client } = await connect(args.account);
    const { incident } = await import("../documented");
    const { includeAllIncidentUpdates } = args;
    return incident(await client.getIncident(args.id, { includeAllIncidentUpdates }));
  },
);

/**
 * Reads a dashboard incident (operation `getIncident`).
 *
 * @throws NotFoundError when the account has no such incident.
 */
export async function getIncident(args: GetIncidentArgs): Promise<Incident> {
  return read(args);
}

/** {@link getIncident} with values that may not be known yet. */
export function getIncidentOutput(args: GetIncidentOutputArgs): pulumi.Output<Incident> {
  return pulumi.output(args).apply(read);
}
