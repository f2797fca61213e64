/**
 * Lists the open incidents of status pages of both kinds. An incident with unknown properties is included, because a gate must not pass
 * when information is missing.
 */
import {
  type AnyPage,
  type Component,
  type ComponentPageIncident,
  componentPageIncident,
  toDocumented,
  impactStates,
  type ImpactState,
  listLastingImpacts,
  getRank,
  severities,
  type Severity,
  type StatusPage,
  statusPageIncident,
  type StatusPageService,
} from "../api";
import { ResponseShapeError } from "../client";
import { type Connection, readEach } from "../connection";
import { toOneLine } from "../texts";
import { createNoMatchError } from "./lookupErrors";

interface Filter {
  readonly atLeast?: Severity | undefined;
  readonly atLeastImpact?: ImpactState | undefined;
  /** IDs or names of services, components and groups of components. */
  readonly services?: readonly string[] | undefined;
}

/**
 * @param caller Name of the caller, for errors.
 * @throws NoMatchError when a service is on none of the pages, NotFoundError when a page is gone.
 */
export async function listOpenIncidents(
  pages: readonly AnyPage[],
  filter: Filter,
  { reads, caller }: Pick<Connection, "reads"> & { readonly caller: string },
) {
  const { services } = filter;
  const withComponents = await readEach(pages.filter(hasComponents), async (page) => ({
    page,
    components: services ? await reads.getComponents(page.id) : [],
    incidents: await reads.getPageIncidents(page.id),
  }));
  const withCards = pages.flatMap((page) => (hasComponents(page) ? (page.migratedFrom ?? []) : page));
  const components = withComponents.flatMap((page) => page.components);
  if (services) assertServicesExist(caller, services, withCards, components);
  const migrated = new Map(withComponents.map(({ page, incidents }) => [page.id, incidents]));
  return [
    ...listOpenOnCards(withCards, filter, migrated),
    ...withComponents.flatMap(({ page: { id, name }, components, incidents }) =>
      incidents
        .filter((incident) => isOpen(incident) && hasImpact(incident, filter, components))
        .map((incident) => ({
          ...toDocumented(componentPageIncident, incident),
          statusPages: [{ id, name }],
        })),
    ),
  ];
}

const hasComponents = (page: AnyPage) => page.version === 3;

const isOpen = ({ lastUpdateStatus }: Pick<Summary, "lastUpdateStatus">) => lastUpdateStatus !== "RESOLVED";

type Summary = NonNullable<StatusPage["incidents"]>[number];

/**
 * Returns the open incidents of pages with cards, each once, with the pages that show it.
 *
 * @param migrated The incidents of pages with components that are still in the list of pages with cards. The key is the ID of the page.
 */
function listOpenOnCards(
  pages: readonly StatusPage[],
  { atLeast, services }: Filter,
  migrated: ReadonlyMap<string, readonly ComponentPageIncident[]>,
) {
  const open = new Map<string, { incident: Summary; statusPages: Pick<StatusPage, "id" | "name">[] }>();
  for (const page of pages) {
    const { id, name } = page;
    const others = migrated.get(id);
    for (const incident of getIncidents(page)) {
      if (!isOpen(incident) || !hasSeverity(incident, atLeast) || !affects(incident, services)) continue;
      if (others?.some((other) => other.id === incident.id)) continue;
      const entry = open.get(incident.id) ?? { incident, statusPages: [] };
      entry.statusPages.push({ id, name });
      open.set(incident.id, entry);
    }
  }
  return [...open.values()].map(({ incident, statusPages }) => ({
    ...toDocumented(statusPageIncident, incident),
    statusPages,
  }));
}

/**
 * Checks that each service exists. Skips the check if a page doesn't list the services of its cards, because any service may be on it.
 *
 * @param wanted IDs or names.
 * @throws NoMatchError when a service is on none of these pages, because no incident could ever affect it.
 */
function assertServicesExist(
  caller: string,
  wanted: readonly string[],
  withCards: readonly StatusPage[],
  components: readonly Component[],
): void {
  const onCards = withCards.map(listServices);
  if (!onCards.every((services) => services !== undefined)) return;
  const services = [...onCards.flat(), ...components];
  const missing = wanted.filter((one) => !services.some(({ id, name }) => one === id || one === name));
  if (missing.length === 0) return;
  // Several pages may show services with the same name.
  const names = [...new Set(services.map(({ name }) => toOneLine(name)))];
  throw createNoMatchError(`${caller} with services`, missing, { existing: names });
}

/** Returns the services of the cards and the incidents; undefined if the page doesn't list the services of its cards. */
function listServices({ cards, incidents }: StatusPage): StatusPageService[] | undefined {
  const onCards = cards?.map(({ services }) => services);
  if (!onCards?.every((services) => services != null)) return undefined;
  return [...onCards.flat(), ...(incidents ?? []).flatMap(({ services }) => services ?? [])];
}

/** @throws ResponseShapeError when the list of incidents is missing, because a gate without incidents would never fail. */
function getIncidents({ id, name, incidents }: StatusPage): readonly Summary[] {
  if (incidents) return incidents;
  throw new ResponseShapeError(
    `listStatusPages: the response contains no list of incidents for status page ${toOneLine(`${name} (ID ${id})`)}, so the open ` +
      "incidents are unknown. Try again later, or report this to the operator of the service.",
  );
}

/** Returns true if the severity is at least the given one. An unknown severity is treated as the worst. */
function hasSeverity({ severity }: Summary, atLeast: Severity | undefined): boolean {
  if (atLeast === undefined) return true;
  const rank = severities.findIndex((each) => each === severity);
  return rank <= severities.indexOf(atLeast);
}

/** Returns true if the incident affects one of the services. An incident without a list of services may affect any. */
function affects(incident: Summary, services: readonly string[] | undefined): boolean {
  if (services === undefined || !incident.services) return true;
  return incident.services.some(({ id, name }) => services.includes(id) || services.includes(name));
}

/**
 * Returns true if a lasting impact on one of the components is as bad as `atLeastImpact`. An incident without a lasting impact may affect
 * any component, in any way.
 */
function hasImpact(
  { componentImpacts }: ComponentPageIncident,
  { atLeastImpact, services }: Filter,
  components: readonly Component[],
): boolean {
  const lasting = listLastingImpacts(componentImpacts);
  if (lasting.length === 0) return true;
  const most = atLeastImpact === undefined ? Infinity : impactStates.indexOf(atLeastImpact);
  return lasting.some(
    (impact) =>
      getRank(impact) <= most && (!services || isSelected(impact.componentId, services, components)),
  );
}

/**
 * Returns true if the component, a group that contains it or a member of it is one of the services. An unlisted component may be any of
 * them.
 */
function isSelected(id: string, services: readonly string[], components: readonly Component[]): boolean {
  const byId = new Map(components.map((each) => [each.id, each]));
  const [above, below] = [new Set([id]), new Set([id])];
  // Iterating over a set also visits the elements that are added during the iteration, each once.
  for (const each of above) above.add(byId.get(each)?.parentId || each);
  for (const each of below)
    for (const member of components) if (member.parentId === each) below.add(member.id);
  return [...above, ...below]
    .map((each) => byId.get(each))
    .some((each) => !each || services.includes(each.id) || services.includes(each.name));
}
