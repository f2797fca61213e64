import * as pulumi from "@pulumi/pulumi";
import type { Severity } from "../../provider/api/enums";
import type { StatusPage, StatusPageIncident } from "../types";
import { dataSource, type Read } from "./dataSource";

/** Which open incidents to list. Default: those of all status pages. */
export interface GetOpenIncidentsArgs {
  /** Only incidents of this status page: its id, slug or name. */
  statusPage?: string;
  /** Only incidents of this severity or worse. One that isn't known counts as the worst. */
  atLeast?: Severity;
  /** Only incidents that affect one of these services: their ids or names. One that doesn't say counts as affecting any. */
  services?: string[];
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The same, with values that may not be known yet. */
export type GetOpenIncidentsOutputArgs = {
  [Name in keyof GetOpenIncidentsArgs]: pulumi.Input<GetOpenIncidentsArgs[Name]>;
};

/** An incident whose latest update doesn't say RESOLVED. */
export interface OpenIncident extends StatusPageIncident {
  /** The status pages that show it. */
  statusPages: Pick<StatusPage, "id" | "name">[];
}

/** Open incidents in the service's order, each once. */
export interface GetOpenIncidentsResult {
  /** The incidents; empty when none is open. */
  incidents: OpenIncident[];
}

const read: Read<GetOpenIncidentsResult> = dataSource(
  async () => (await import("../../provider/lookups/getOpenIncidents")).getOpenIncidents,
);

/**
 * Lists the incidents that are open now, over all pages of the list of status pages (operation `listStatusPages`).
 *
 * @throws NoMatchError when there is no such `statusPage`; it lists those that there are.
 * @throws AmbiguousMatchError when several are called like `statusPage`; it lists them.
 */
export async function getOpenIncidents(args: GetOpenIncidentsArgs = {}): Promise<GetOpenIncidentsResult> {
  return read(args);
}

/** {@link getOpenIncidents} with values that may not be known yet. */
export function getOpenIncidentsOutput(
  args: GetOpenIncidentsOutputArgs = {},
): pulumi.Output<GetOpenIncidentsResult> {
  return pulumi.output(args).apply(read);
}
