/** The lookups: what the data sources read, for programs and for the functions of the plugin. */
import { z } from "zod";
import {
  alertChannel,
  type AlertChannel,
  incident,
  severities,
  type Severity,
  statusPage,
  type StatusPage,
  statusPageIncident,
  statusPageIncidentUpdate,
  type StatusPageService,
  type Id,
  operations,
  documented,
  type Documented,
} from "../api";
import { type ReadConnections, orNearest, readEach } from "../connection";
import { documentedConfig, redactConfig, type RedactedConfig } from "../credentials";
import { didYouMean, oneLine } from "../texts";
import { idsByName, NoMatchError, onlyMatch } from "./lookupErrors";
import {
  account,
  anyListOf,
  channelId,
  id,
  lookup,
  type LookupContext,
  oneOf,
  runLookup,
  text,
} from "./lookup";
import { type MonitoringError, ResponseShapeError } from "../client";

// Reads an alert channel, its credentials as fingerprints.

type FoundAlertChannel = Omit<Documented<AlertChannel>, "config"> & {
  config: RedactedConfig;
};

/** The argument that requests credentials. */
const revealCredentials = z.boolean({ error: "must be true or false" }).optional();

async function readAlertChannel(
  id: Id,
  args: { readonly account?: string | undefined; readonly revealCredentials?: boolean | undefined },
  connections: ReadConnections,
): Promise<FoundAlertChannel> {
  const { reads, origin } = connections.connect(args.account);
  const found = await reads.alertChannel(id);
  const config = args.revealCredentials
    ? structuredClone(found.config)
    : documentedConfig({ ...found, config: redactConfig(found, origin.accountId) });
  return documented(alertChannel, { ...found, config });
}

const ofOne = "getAlertChannel";

/** With `revealCredentials`, the caller marks the result as a secret. */
export const getAlertChannel = lookup({
  name: ofOne,
  takes: { id: channelId.optional(), name: text.optional(), revealCredentials, account },
  exactlyOneOf: ["id", "name"],
  read: async (args, { connections }) => {
    const [wanted = ""] =
      args.id === undefined ? idsByName(ofOne, [args.name ?? ""], connections) : [args.id];
    return readAlertChannel(wanted, args, connections);
  },
});

const ofSeveral = "getAlertChannels";

/** With `revealCredentials`, the caller marks the result as a secret. */
export const getAlertChannels = lookup({
  name: ofSeveral,
  takes: {
    ids: anyListOf(channelId).optional(),
    names: anyListOf(text).optional(),
    revealCredentials,
    account,
  },
  atMostOneOf: ["ids", "names"],
  read: async (args, { connections }) => {
    const wanted = args.ids ?? idsByName(ofSeveral, args.names, connections);
    return { alertChannels: await readEach(wanted, (one) => readAlertChannel(one, args, connections)) };
  },
});

const { limit } = operations.listStatusPages.query.shape;

const getStatusPages = lookup({
  name: "getStatusPages",
  takes: { limit, account },
  read: async (args, context) => {
    const pages = await readStatusPages(args, context);
    return { statusPages: pages.map((page) => documented(statusPage, page)) };
  },
});

/** All status pages of the account, in the format of the API. */
function readStatusPages(
  args: { readonly account?: string | undefined; readonly limit?: number | undefined },
  { connections }: LookupContext,
): Promise<readonly StatusPage[]> {
  return connections.connect(args.account).reads.statusPages.all(args.limit);
}

const pageSelectors = ["id", "name", "url", "customDomain"] as const;

const getStatusPage = lookup({
  name: "getStatusPage",
  takes: {
    id: id.optional(),
    name: text.optional(),
    url: text.optional(),
    customDomain: text.optional(),
    account,
  },
  exactlyOneOf: pageSelectors,
  read: async (args, context) => {
    const pages = await readStatusPages({ account: args.account }, context);
    const [selector = "id"] = pageSelectors.filter((each) => args[each] !== undefined);
    const wanted = String(args[selector] ?? "");
    const matches = pages.filter((page) => page[selector] === wanted);
    return documented(
      statusPage,
      onlyMatch(`getStatusPage with ${selector}`, [selector], wanted, matches, pages),
    );
  },
});

export const getStatusPageIncident = lookup({
  name: "getStatusPageIncident",
  takes: { incidentId: id, account },
  read: async (args, { connections }) => {
    const { reads } = connections.connect(args.account);
    const reading = reads.statusPageIncident(args.incidentId);
    return documented(statusPageIncident, await orNearest(reading, reads, String(args.incidentId)));
  },
});

const { includeAllIncidentUpdates } = operations.getIncident.query.shape;

const getIncident = lookup({
  name: "getIncident",
  takes: { id, includeAllIncidentUpdates, account },
  read: async (args, { connections }) => {
    const { reads } = connections.connect(args.account);
    return documented(incident, await reads.incident(args.id, args.includeAllIncidentUpdates));
  },
});

const getIncidentUpdate = lookup({
  name: "getIncidentUpdate",
  takes: { incidentId: id, incidentUpdateId: id, account },
  read: async ({ incidentId, incidentUpdateId, ...args }, { connections }) => {
    const { reads } = connections.connect(args.account);
    return documented(statusPageIncidentUpdate, await reads.incidentUpdate(incidentId, incidentUpdateId));
  },
});

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

type OpenIncident = Awaited<ReturnType<typeof getOpenIncidents.read>>["incidents"][number];

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

/** The work of an `OpenIncidentGate`, for programs and for the plugin. @throws what is made of the open incidents */
export async function openIncidentGate(
  args: object,
  context: LookupContext,
  errorOf: (incidents: readonly OpenIncident[]) => MonitoringError,
): Promise<void> {
  const { incidents } = await runLookup(getOpenIncidents, args, context);
  if (incidents.length > 0) throw errorOf(incidents);
}

// All files of this kind. Written by `npm run update`.

export const lookups = {
  getAlertChannel,
  getAlertChannels,
  getIncident,
  getIncidentUpdate,
  getOpenIncidents,
  getStatusPage,
  getStatusPageIncident,
  getStatusPages,
};

export * from "./lookup";
