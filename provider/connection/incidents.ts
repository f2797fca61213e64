/**
 * Reads and changes incidents at a location: the incident's ID and, on a page with components, the ID of the page. Callers don't build URL
 * paths.
 */
import {
  type ComponentPageIncident,
  type EditedComponentPageUpdate,
  type Id,
  type NewIncidentUpdate,
  operations,
  pageSize,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../api";
import { type MonitoringClient, NotFoundError, type ReadOptions, type WriteOptions } from "../client";
import { nearestOf, oneLine } from "../texts";
import { ReadCache, undefinedIfAbsent } from "./reads";

/** An incident of a page of either kind. */
export type AnyIncident = StatusPageIncident & Pick<ComponentPageIncident, "componentImpacts">;

/** @param page The page with components; undefined for the pages with cards. */
function operationsOn(client: MonitoringClient, page: string | undefined) {
  return {
    read: (incidentId: Id, options?: ReadOptions): Promise<AnyIncident> =>
      page === undefined
        ? client.getStatusPageIncident(incidentId, options)
        : client.getComponentPageIncident(page, incidentId, options),
    readUpdate: (incidentId: Id, id: Id, options?: ReadOptions) =>
      page === undefined
        ? client.getIncidentUpdate(incidentId, id, options)
        : client.getComponentPageIncidentUpdate(page, incidentId, id, options),
    post(incidentId: Id, update: NewIncidentUpdate, options?: WriteOptions) {
      if (page === undefined) return client.createIncidentUpdate(incidentId, update, options);
      const { id: _, created_at: __, ...content } = update;
      return client.createComponentPageIncidentUpdate(page, incidentId, content, options);
    },
    edit: (incidentId: Id, id: Id, update: EditedComponentPageUpdate, options?: WriteOptions) =>
      page === undefined
        ? // `check` rejects a declaration that requires an edit.
          Promise.reject(new Error("The API of pages with cards has no operation that edits an update."))
        : client.editComponentPageIncidentUpdate(page, incidentId, id, update, options),
  };
}

/** The incidents of the pages with cards, or of one page with components. `find`, `get` and `update` are cached. */
export class Incidents {
  readonly #incidents = new ReadCache<AnyIncident>();
  readonly #updates = new ReadCache<StatusPageIncidentUpdate>();
  /** Uncached requests, for decisions that need the current data. */
  readonly uncached;

  constructor(
    private readonly client: MonitoringClient,
    /** The page with components; undefined for the pages with cards. */
    readonly statusPageId: string | undefined,
  ) {
    this.uncached = operationsOn(client, statusPageId);
  }

  async get(incidentId: Id): Promise<AnyIncident> {
    return this.orWhereabouts(incidentId, this.#cached(incidentId));
  }

  /** @throws NotFoundError with a hint where the incident may be, if it isn't here. */
  async orWhereabouts<Read>(incidentId: Id, reading: Promise<Read>): Promise<Read> {
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw new NotFoundError(withPlace(error.message, await this.whereabouts(String(incidentId))), error);
    }
  }

  find(incidentId: Id): Promise<AnyIncident | undefined> {
    return undefinedIfAbsent(this.#cached(incidentId));
  }

  #cached(incidentId: Id): Promise<AnyIncident> {
    return this.#incidents.get(String(incidentId), () => this.uncached.read(incidentId));
  }

  update(incidentId: Id, id: Id): Promise<StatusPageIncidentUpdate> {
    return this.#updates.get(`${incidentId}/${id}`, () => this.uncached.readUpdate(incidentId, id));
  }

  /** Drops the reads that a post on the incident makes stale. */
  forget(incidentId: string): void {
    this.#incidents.forget(incidentId);
    this.#updates.clear();
  }

  /** Returns a hint where a missing incident may be, or which ID was meant. Empty if no ID is similar, or the pages can't be read. */
  async whereabouts(incidentId: string): Promise<string> {
    const [cards, pages] = await Promise.all([idsOnCards(this.client), idsOnPages(this.client)]);
    const here = this.statusPageId === undefined ? cards : (pages.get(this.statusPageId)?.ids ?? []);
    // If the list contains the incident, the ID isn't the error.
    if (here.includes(incidentId)) return "";
    const name = quoted(incidentId);
    if (cards.includes(incidentId))
      return ` Incident ${name} is on a page with cards: remove \`statusPageId\`.`;
    for (const [pageId, page] of pages)
      if (page.ids.includes(incidentId))
        return ` Incident ${name} is on the status page ${quoted(page.name)}: set \`statusPageId\` to ${quoted(pageId)}.`;
    if (this.statusPageId !== undefined && !pages.has(this.statusPageId))
      return suggestion(this.statusPageId, [...pages.keys()]);
    return suggestion(incidentId, here);
  }
}

/** Inserts the place of an incident before the advice that suggests where it may be. */
export function withPlace(text: string, place: string): string {
  const asked = [operations.getStatusPageIncident, operations.getComponentPageIncident];
  const advice = asked.find(({ whenNotFound }) => text.includes(whenNotFound))?.whenNotFound;
  return advice === undefined ? text + place : text.replace(` ${advice}`, (said) => place + said);
}

const quoted = (text: string): string => JSON.stringify(oneLine(text));

function suggestion(wrong: string, known: readonly string[]): string {
  const nearest = nearestOf(wrong, known.map(oneLine));
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

/** A hint must not keep the user waiting for the error. */
const hint = { deadlineMs: 5_000 };
const mostPages = 20;
const first = { limit: pageSize.most };

async function idsOnCards(client: MonitoringClient): Promise<string[]> {
  const pages = await orNone(client.listStatusPages(first, hint));
  return pages.flatMap(({ incidents }) => (incidents ?? []).map(({ id }) => id));
}

/** Returns the name of each page with components, and the IDs of its incidents. */
async function idsOnPages(client: MonitoringClient) {
  const pages = await orNone(client.listComponentPages(first, hint));
  const incidents = pages.slice(0, mostPages).map(async ({ id, name }) => {
    const listed = await orNone(client.listComponentPageIncidents(id, first, hint));
    return [id, { name, ids: listed.map((each) => each.id) }] as const;
  });
  return new Map(await Promise.all(incidents));
}

async function orNone<Entry>(page: PromiseLike<{ readonly entries: readonly Entry[] }>) {
  try {
    return (await page).entries;
  } catch {
    return [];
  }
}
