import type * as pulumi from "@pulumi/pulumi";
import type { Severity } from "../../provider/api/enums";
import type { StatusPage, StatusPageIncident } from "./returnedObjects";
import { type AccountArgs, dataSource, type OutputArgs } from "./dataSource";

/** The open incidents to list. Default: those of all status pages. */
export interface GetOpenIncidentsArgs extends AccountArgs {
  /** Only incidents of this status page: its id, slug or name. */
  statusPage?: string;
  /** Only incidents of this severity or worse. An unknown severity counts as the worst. */
  atLeast?: Severity;
  /** Only incidents that affect one of these services: their ids or names. An incident without a list of services affects any. */
  services?: string[];
}

/** The arguments of {@link getOpenIncidentsOutput}. */
export type GetOpenIncidentsOutputArgs = OutputArgs<GetOpenIncidentsArgs>;

/** A status page that shows an incident. */
export interface OpenIncidentStatusPage extends Pick<StatusPage, "id" | "name"> {}

/** An incident whose latest status isn't RESOLVED. */
export interface OpenIncident extends StatusPageIncident {
  /** The status pages that show it. */
  statusPages: OpenIncidentStatusPage[];
}

/** Open incidents in the service's order, each once. */
export interface GetOpenIncidentsResult {
  /** The incidents; empty when none is open. */
  incidents: OpenIncident[];
}

const source = dataSource("getOpenIncidents");

/**
 * Lists the incidents that are currently open, across all pages of the list of status pages (operation `listStatusPages`).
 *
 * @throws NoMatchError when no status page matches `statusPage`, or a service of `services` is on none of the status pages.
 * Lists the existing ones. Services aren't checked when the API returns a status page without services.
 * @throws AmbiguousMatchError when several status pages match `statusPage`. Lists them.
 * @throws ResponseShapeError when the API returns a status page without `incidents`: it is unknown which incidents are open.
 */
export async function getOpenIncidents(
  args: GetOpenIncidentsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetOpenIncidentsResult> {
  return source.read(args, options);
}

/** {@link getOpenIncidents} with outputs as arguments. */
export function getOpenIncidentsOutput(
  args: GetOpenIncidentsOutputArgs = {},
  options?: pulumi.InvokeOptions,
): pulumi.Output<GetOpenIncidentsResult> {
  return source.readOutput(args, options);
}
