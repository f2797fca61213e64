import * as pulumi from "@pulumi/pulumi";
import { severities, type Severity } from "../../provider/api/enums";
import type { StatusPage, StatusPageIncident } from "../types";
import { readStatusPages } from "./getStatusPages";
import { listOf, oneOf, text } from "./arguments";
import { dataSource } from "./dataSource";
import { onlyMatch } from "./statusPageMatch";

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
    const { statusPages, withoutServices } = await readStatusPages({ account });
    const open = new Map<string, OpenIncident>();
    for (const page of statusPage === undefined ? statusPages : [theOne(statusPage, statusPages)]) {
      const { id, name } = page;
      for (const incident of page.incidents) {
        if (
          incident.lastUpdateStatus === "RESOLVED" ||
          !isAsBad(incident, atLeast) ||
          !(affects(incident, services) || withoutServices.has(incident.id))
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

/** An id counts before a slug, and that before a name: who gives an id gets no other page that is called like it. */
function theOne(statusPage: string, all: readonly StatusPage[]): StatusPage {
  const [matches = []] = (["id", "url", "name"] as const)
    .map((field) => all.filter((page) => page[field] === statusPage))
    .filter((pages) => pages.length > 0);
  return onlyMatch(`getOpenIncidents with statusPage "${statusPage}"`, matches, all);
}

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
