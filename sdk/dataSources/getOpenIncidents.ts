import * as pulumi from "@pulumi/pulumi";
import { severities, type Severity } from "../../provider/client/schemas/enums";
import type { StatusPage, StatusPageIncident } from "../types";
import { readStatusPages } from "./getStatusPages";
import { listOf, oneOf, text } from "./arguments";
import { dataSource } from "./dataSource";

/** Which open incidents to list. Default: those of all status pages. */
export interface GetOpenIncidentsArgs {
  /** Only incidents of this status page: its id, slug or name. */
  statusPage?: string;
  /** Only incidents of this severity or worse. One that isn't known counts as the worst. */
  atLeast?: Severity;
  /** Only incidents that affect one of these services: their ids or names. */
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
  incidents: OpenIncident[];
}

const read = dataSource(
  {
    title: "getOpenIncidents",
    takes: { statusPage: text, atLeast: oneOf(severities), services: listOf(text), account: text },
  },
  async ({
    statusPage,
    atLeast,
    services,
    account,
  }: GetOpenIncidentsArgs): Promise<GetOpenIncidentsResult> => {
    const { statusPages } = await readStatusPages({ account });
    const open = new Map<string, OpenIncident>();
    for (const page of statusPages) {
      if (statusPage !== undefined && ![page.id, page.url, page.name].includes(statusPage)) continue;
      const { id, name } = page;
      for (const incident of page.incidents) {
        if (
          incident.lastUpdateStatus === "RESOLVED" ||
          !isAsBad(incident, atLeast) ||
          !affects(incident, services)
        )
          continue;
        const known = open.get(incident.id) ?? { ...incident, statusPages: [] };
        known.statusPages.push({ id, name });
        open.set(incident.id, known);
      }
    }
    return { incidents: [...open.values()] };
  },
);

function isAsBad({ severity }: StatusPageIncident, atLeast: Severity | undefined): boolean {
  if (atLeast === undefined) return true;
  const rank = severities.findIndex((known) => known === severity);
  return rank <= severities.indexOf(atLeast);
}

function affects(incident: StatusPageIncident, services: readonly string[] | undefined): boolean {
  return (
    services === undefined ||
    incident.services.some(({ id, name }) => services.includes(id) || services.includes(name))
  );
}

/** Lists the incidents that are open now, over all pages of the list of status pages (section 4.6 of the API). */
export async function getOpenIncidents(args: GetOpenIncidentsArgs = {}): Promise<GetOpenIncidentsResult> {
  return read(args);
}

/** {@link getOpenIncidents} with values that may not be known yet. */
export function getOpenIncidentsOutput(
  args: GetOpenIncidentsOutputArgs = {},
): pulumi.Output<GetOpenIncidentsResult> {
  return pulumi.output(args).apply(read);
}
