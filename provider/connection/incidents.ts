/**
 * Reads and changes incidents at a location: the incident's ID and, on a page with components, the ID of the page. Callers don't build URL
 * paths.
 */
import {
  componentStatuses,
  type ComponentPageIncident,
  type EditedComponentPageUpdate,
  historyLimit,
  type Id,
  listLastingImpacts,
  type NewComponentImpact,
  type NewIncidentUpdate,
  operations,
  pageSize,
  sortOldestFirst,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../api";
import { type MonitoringClient, NotFoundError, type ReadOptions, type WriteOptions } from "../client";
import { findNearest, toOneLine } from "../texts";
import { ReadCache, ignoreNotFound } from "./reads";

/** An incident of a page of either kind. */
export type AnyIncident = StatusPageIncident & Pick<ComponentPageIncident, "componentImpacts">;

/** @param page The page with components; undefined for the pages with cards. */
function createOperations(client: MonitoringClient, page: string | undefined) {
  return {
    read: (incidentId: Id, options?: ReadOptions): Promise<AnyIncident> =>
      page === undefined
        ? client.getStatusPageIncident(incidentId, options)
        : client.getComponentPageIncident(page, incidentId, options),
    readUpdate: (incidentId: Id, id: Id, options?: ReadOptions) =>
      page === undefined
        ? client.getIncidentUpdate(incidentId, id, options)
        : client.getComponentPageIncidentUpdate(page, incidentId, id, options),
    post(
      incidentId: Id,
      update: NewIncidentUpdate,
      options?: WriteOptions,
    ): Promise<StatusPageIncidentUpdate> {
      if (page === undefined) return client.createIncidentUpdate(incidentId, update, options);
      const { id: _, created_at: __, ...content } = update;
      return client.createComponentPageIncidentUpdate(page, incidentId, content, options);
    },
    edit: (
      incidentId: Id,
      id: Id,
      update: EditedComponentPageUpdate,
      options?: WriteOptions,
    ): Promise<StatusPageIncidentUpdate> =>
      page === undefined
        ? // `check` rejects a declaration that requires an edit.
          Promise.reject(new Error("The API of pages with cards has no operation that edits an update."))
        : client.editComponentPageIncidentUpdate(page, incidentId, id, update, options),
  };
}

/** Where containers are read, and their entries are posted and edited. */
export interface Containers {
  readonly statusPageId: string | undefined;
  readonly uncached: Omit<ReturnType<typeof createOperations>, "read"> & {
    /** @param sentAt The times, in milliseconds since 1970, at which this machine sent entries whose IDs it doesn't know. */
    read(id: Id, options?: ReadOptions, sentAt?: readonly number[]): Promise<AnyIncident>;
  };
  addLocationHint<Read>(id: Id, reading: Promise<Read>): Promise<Read>;
}

/** An incident as an entry of its page, with its first update. */
export interface Entry extends StatusPageIncidentUpdate {
  readonly name: string;
  readonly isResolved: boolean;
  readonly componentImpacts?: readonly NewComponentImpact[];
  /** IDs of the components whose states are newer than this version. */
  readonly unknownImpacts?: readonly string[];
}

/** @throws NotFoundError with the reason why the page isn't a page with components, if it isn't found. */
export async function addPageHint<Read>(
  client: MonitoringClient,
  page: string,
  reading: Promise<Read>,
): Promise<Read> {
  return addHint(reading, () => describePage(client, page));
}

/** Adds a hint to the error of an object that isn't found. */
async function addHint<Read>(reading: Promise<Read>, describe: () => Promise<string>): Promise<Read> {
  return reading.catch(async (error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    throw new NotFoundError(insertLocation(error.message, await describe()), error);
  });
}

/** Returns the reason why a missing page isn't a page with components, or which ID was meant. Empty if no ID is similar. */
async function describePage(client: MonitoringClient, id: string): Promise<string> {
  const [withCards, withComponents] = await Promise.all([
    readOrEmpty(client.listStatusPages(first, hint)),
    readOrEmpty(client.listComponentPages(first, hint)),
  ]);
  const page = withCards.find((each) => each.id === id);
  if (page)
    return ` ${quoteAsLine(page.name)} is a page with cards, which the vendor has retired. An \`Incident\` needs a page with components. Migrate the page in the web app of the service.`;
  return suggestPage(id, withComponents);
}

/** Returns which page was meant or, without a similar ID, the pages that there are. */
function suggestPage(
  wrong: string,
  pages: readonly { readonly id: string; readonly name: string }[],
): string {
  const ids = pages.map(({ id }) => id);
  const named = pages.slice(0, maxNamed).map(({ id, name }) => `${quoteAsLine(name)} (${toOneLine(id)})`);
  const more = pages.length > maxNamed ? [`${pages.length - maxNamed} more`] : [];
  const list = new Intl.ListFormat("en").format([...named, ...more]);
  return formatIdSuggestion(wrong, ids) || (list && ` The status pages with components are ${list}.`);
}

/** Limits the pages that an error lists. */
const maxNamed = 5;

/** Converts an incident to an entry of its page. */
export function toEntry(incident: ComponentPageIncident): Entry {
  const { id, name, created_at, lastUpdateStatus, componentImpacts } = incident;
  const { description = "", status, notifySubscribers } = findFirstUpdate(incident) ?? {};
  const isResolved = lastUpdateStatus === "RESOLVED";
  const all = componentImpacts && !isResolved ? listLastingImpacts(componentImpacts) : [];
  const impacts = all.flatMap(({ componentId, status: state }) => {
    const known = componentStatuses.find((each) => each === state);
    return known === undefined ? [] : [{ componentId, status: known }];
  });
  const isNew = ({ status: state }: (typeof all)[number]) =>
    componentStatuses.every((each) => each !== state);
  const unknownImpacts = all.filter(isNew).map(({ componentId }) => componentId);
  const lasting = componentImpacts && !isResolved && { componentImpacts: impacts };
  const unknown = unknownImpacts.length > 0 && { unknownImpacts };
  return { id, name, created_at, description, status, notifySubscribers, isResolved, ...lasting, ...unknown };
}

/** The first update of an incident; undefined where its history may be cut. */
export function findFirstUpdate({ incidentUpdates }: Pick<ComponentPageIncident, "incidentUpdates">) {
  const all = incidentUpdates ?? [];
  return all.length < historyLimit ? sortOldestFirst(all)[0] : undefined;
}

/** The incidents of the pages with cards, or of one page with components. `find`, `get` and `update` are cached. */
export class Incidents implements Containers {
  readonly #incidents = new ReadCache<AnyIncident>();
  readonly #updates = new ReadCache<StatusPageIncidentUpdate>();
  /** Uncached requests, for decisions that need the current data. */
  readonly uncached;

  constructor(
    private readonly client: MonitoringClient,
    /** The page with components; undefined for the pages with cards. */
    readonly statusPageId: string | undefined,
  ) {
    this.uncached = createOperations(client, statusPageId);
  }

  async get(incidentId: Id): Promise<AnyIncident> {
    return this.addLocationHint(incidentId, this.#readCached(incidentId));
  }

  /** @throws NotFoundError with a hint where the incident may be, if it isn't here. */
  async addLocationHint<Read>(incidentId: Id, reading: Promise<Read>): Promise<Read> {
    return addHint(reading, () => this.describeLocation(String(incidentId)));
  }

  find(incidentId: Id): Promise<AnyIncident | undefined> {
    return ignoreNotFound(this.#readCached(incidentId));
  }

  #readCached(incidentId: Id): Promise<AnyIncident> {
    return this.#incidents.get(String(incidentId), () => this.uncached.read(incidentId));
  }

  getUpdate(incidentId: Id, id: Id): Promise<StatusPageIncidentUpdate> {
    return this.#updates.get(`${incidentId}/${id}`, () => this.uncached.readUpdate(incidentId, id));
  }

  /** Drops the reads that a write makes stale. The ID of the page drops the reads of all its incidents. */
  forget(containerId: string): void {
    if (containerId === this.statusPageId) this.#incidents.clear();
    else this.#incidents.forget(containerId);
    this.#updates.clear();
  }

  /** Returns a hint where a missing incident may be, or which ID was meant. Empty if no ID is similar, or the pages can't be read. */
  async describeLocation(incidentId: string): Promise<string> {
    const [cards, pages] = await Promise.all([
      listCardIncidentIds(this.client),
      listComponentIncidentIds(this.client),
    ]);
    const here = this.statusPageId === undefined ? cards : (pages.get(this.statusPageId)?.ids ?? []);
    // If the list contains the incident, the ID isn't the error.
    if (here.includes(incidentId)) return "";
    const name = quoteAsLine(incidentId);
    if (cards.includes(incidentId))
      return ` Incident ${name} is on a page with cards. Remove \`statusPageId\`.`;
    for (const [pageId, page] of pages)
      if (page.ids.includes(incidentId))
        return ` Incident ${name} is on the status page ${quoteAsLine(page.name)}. Set \`statusPageId\` to ${quoteAsLine(pageId)}.`;
    if (this.statusPageId !== undefined && !pages.has(this.statusPageId))
      return suggestPage(
        this.statusPageId,
        [...pages].map(([id, { name }]) => ({ id, name })),
      );
    return formatIdSuggestion(incidentId, here);
  }
}

/**
 * Adds the incident's location to an error. A known location replaces the general advice; a similar ID is only a guess, and the advice
 * stays after it.
 */
export function insertLocation(text: string, place: string): string {
  const asked = [operations.getStatusPageIncident, operations.getComponentPageIncident];
  const advice = asked.find(({ whenNotFound }) => text.includes(whenNotFound))?.whenNotFound;
  if (advice === undefined) return text + place;
  const isGuess = place === "" || place.endsWith("?");
  return text.replace(` ${advice}`, (found) => (isGuess ? place + found : place));
}

const quoteAsLine = (text: string): string => JSON.stringify(toOneLine(text));

function formatIdSuggestion(wrong: string, known: readonly string[]): string {
  const nearest = findNearest(wrong, known.map(toOneLine));
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

/** A hint must not keep the user waiting for the error. */
const hint = { deadlineMs: 5_000 };
const maxPages = 20;
const first = { limit: pageSize.most };

async function listCardIncidentIds(client: MonitoringClient): Promise<string[]> {
  const pages = await readOrEmpty(client.listStatusPages(first, hint));
  return pages.flatMap(({ incidents }) => (incidents ?? []).map(({ id }) => id));
}

/** Returns the name of each page with components, and the IDs of its incidents. */
async function listComponentIncidentIds(client: MonitoringClient) {
  const pages = await readOrEmpty(client.listComponentPages(first, hint));
  const incidents = pages.slice(0, maxPages).map(async ({ id, name }) => {
    const listed = await readOrEmpty(client.listComponentPageIncidents(id, first, hint));
    return [id, { name, ids: listed.map((each) => each.id) }] as const;
  });
  return new Map(await Promise.all(incidents));
}

async function readOrEmpty<Entry>(page: PromiseLike<{ readonly entries: readonly Entry[] }>) {
  try {
    return (await page).entries;
  } catch {
    return [];
  }
}
