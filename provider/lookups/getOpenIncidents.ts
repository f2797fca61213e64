import {
  severities,
  type Severity,
  type StatusPage,
  statusPageIncident,
  type StatusPageService,
} from "../api";
import { didYouMean } from "../texts/didYouMean";
import { oneLine } from "../texts/printable";
import { ResponseShapeError } from "../client/errors";
import { documented } from "../values/documentedFields";
import { anyListOf, oneOf, text } from "./lookupArguments";
import { readStatusPages } from "./getStatusPages";
import { account, lookup } from "./lookup";
import { NoMatchError, onlyMatch } from "./match";

type Summary = NonNullable<StatusPage["incidents"]>[number];

export const getOpenIncidents = lookup({
  name: "getOpenIncidents",
  takes: {
    statusPage: text.optional(),
    atLeast: oneOf(severities).optional(),
    services: anyListOf(text).min(1, "must not be empty. Omit it for all services").optional(),
    account,
  },
  read: async ({ statusPage, atLeast, services, ...args }, context) => {
    const pages = await readStatusPages({ account: args.account }, context);
    const looked = statusPage === undefined ? pages : [selectPage(statusPage, pages)];
    if (services) assertServicesExist(services, looked);
    const open = new Map<string, { incident: Summary; statusPages: Pick<StatusPage, "id" | "name">[] }>();
    for (const page of looked) {
      const { id, name } = page;
      for (const incident of incidentsOf(page)) {
        const isOpen = incident.lastUpdateStatus !== "RESOLVED";
        if (!isOpen || !hasSeverity(incident, atLeast) || !affects(incident, services)) continue;
        const known = open.get(incident.id) ?? { incident, statusPages: [] };
        known.statusPages.push({ id, name });
        open.set(incident.id, known);
      }
    }
    const incidents = [...open.values()].map(({ incident, statusPages }) => ({
      ...documented(statusPageIncident, incident),
      statusPages,
    }));
    return { incidents };
  },
});

export type OpenIncident = Awaited<ReturnType<typeof getOpenIncidents.read>>["incidents"][number];

/** An id takes precedence over a slug, and a slug over a name. */
function selectPage(statusPage: string, all: readonly StatusPage[]): StatusPage {
  const selectors = ["id", "url", "name"] as const;
  const [matches = []] = selectors
    .map((field) => all.filter((page) => page[field] === statusPage))
    .filter((pages) => pages.length > 0);
  return onlyMatch("getOpenIncidents with statusPage", selectors, statusPage, matches, all);
}

/**
 * Not checked where a page comes without the services of its cards, because any service may be on it.
 *
 * @param wanted Ids or names.
 * @throws NoMatchError when a service is on none of these pages: no incident could ever affect it.
 */
function assertServicesExist(wanted: readonly string[], pages: readonly StatusPage[]): void {
  const ofPages = pages.map(servicesOf);
  if (!ofPages.every((services) => services !== undefined)) return;
  const services = ofPages.flat();
  const missing = wanted.filter((one) => !services.some(({ id, name }) => one === id || one === name));
  if (missing.length === 0) return;
  const quoted = missing.map((one) => `"${one}"`).join(", ");
  // Several pages may show services of one name.
  const names = [...new Set(services.map(({ name }) => oneLine(name)))];
  const near = missing.map((one) => didYouMean(one, names)).find((each) => each !== "");
  throw new NoMatchError(`getOpenIncidents with services ${quoted}`, names, near);
}

/** The services of the cards and the incidents; undefined when the page comes without those of its cards. */
function servicesOf({ cards, incidents }: StatusPage): StatusPageService[] | undefined {
  const onCards = cards?.map(({ services }) => services);
  if (!onCards?.every((services) => services != null)) return undefined;
  return [...onCards.flat(), ...(incidents ?? []).flatMap(({ services }) => services ?? [])];
}

/** @throws ResponseShapeError when they are missing: a gate that knows of no incidents would never fail. */
function incidentsOf({ id, name, incidents }: StatusPage): readonly Summary[] {
  if (incidents) return incidents;
  throw new ResponseShapeError(
    `listStatusPages: the response has no incidents of status page ${oneLine(`${name} (id ${id})`)}, so it is unknown ` +
      "which are open. Try again later, or report it to the service.",
  );
}

/** An unknown severity counts as the worst. */
function hasSeverity({ severity }: Summary, atLeast: Severity | undefined): boolean {
  if (atLeast === undefined) return true;
  const rank = severities.findIndex((known) => known === severity);
  return rank <= severities.indexOf(atLeast);
}

/** An incident without a list of services may affect any. */
function affects(incident: Summary, services: readonly string[] | undefined): boolean {
  if (services === undefined || !incident.services) return true;
  return incident.services.some(({ id, name }) => services.includes(id) || services.includes(name));
}
