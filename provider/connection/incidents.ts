/**
 * Reaches the incidents of an account by their address: on pages with cards, an incident's id; on a page with components, the id of the
 * page, too. What is above asks the incidents of an address, and knows no paths.
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
        ? // `check` refuses a declaration that asks for it.
          Promise.reject(new Error("The API of pages with cards has no operation that edits an update."))
        : client.editComponentPageIncidentUpdate(page, incidentId, id, update, options),
  };
}

/** The incidents of the pages with cards, or of one page with components. `find`, `get` and `update` are cached. */
export class Incidents {
  readonly #incidents = new ReadCache<AnyIncident>();
  readonly #updates = new ReadCache<StatusPageIncidentUpdate>();
  /** What the service is asked at once, for a decision that needs its answer of now. */
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

  /** @throws NotFoundError that says where the incident may be, when it isn't here. */
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

  /** Drops what a post to the incident makes stale. */
  forget(incidentId: string): void {
    this.#incidents.forget(incidentId);
    this.#updates.clear();
  }

  /** Says where an incident may be that isn't here, or which id was meant; empty if nothing is like it, or the pages can't be read. */
  async whereabouts(incidentId: string): Promise<string> {
    const [cards, pages] = await Promise.all([idsOnCards(this.client), idsOnPages(this.client)]);
    const here = this.statusPageId === undefined ? cards : (pages.get(this.statusPageId)?.ids ?? []);
    // If the list has the incident, its id isn't the mistake.
    if (here.includes(incidentId)) return "";
    const name = quoted(incidentId);
    if (cards.includes(incidentId))
      return ` Incident ${name} is on a page with cards. Remove \`statusPageId\`.`;
    for (const [pageId, page] of pages)
      if (page.ids.includes(incidentId))
        return ` Incident ${name} is on the status page ${quoted(page.name)}. Set \`statusPageId\` to ${quoted(pageId)}.`;
    if (this.statusPageId !== undefined && !pages.has(this.statusPageId))
      return suggestion(this.statusPageId, [...pages.keys()]);
    return suggestion(incidentId, here);
  }
}

/**
 * Adds the incident's location to an error. A known location replaces the general advice; a similar ID is only a guess, and the advice
 * stays after it.
 */
export function withPlace(text: string, place: string): string {
  const asked = [operations.getStatusPageIncident, operations.getComponentPageIncident];
  const advice = asked.find(({ whenNotFound }) => text.includes(whenNotFound))?.whenNotFound;
  if (advice === undefined) return text + place;
  const isGuess = place === "" || place.endsWith("?");
  return text.replace(` ${advice}`, (found) => (isGuess ? place + found : place));
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

/** The ids of the incidents of each page with components, and its name. */
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
