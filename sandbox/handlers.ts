/** Implements the operations of the API on the sandbox's data. */
import {
  channelIdProblem,
  newIncidentUpdate,
  numberedPageSize,
  type OperationName,
  operations,
  pageSize,
} from "../provider/api";
import { type Faults, type MatchedFaults, ofKind } from "./faults";
import { HttpError, type HttpResponse, invalidInput, jsonResponse, validate } from "./http";
import {
  type SandboxAccount,
  type Store,
  type StoredIncidentUpdate,
  type StoredStatusPageIncident,
  subscribersOf,
  toStatusPageIncident,
} from "./store";
import { type UpdateIds } from "./updateIds";

/** An authorized request to an operation. */
interface Call {
  store: Store;
  updateIds: UpdateIds;
  faults: Faults;
  account: SandboxAccount;
  /** The parameters by name: numbers and booleans as such. An operation without parameters has none. */
  query: Record<string, unknown>;
  /** The parsed JSON of the body. Throws an `HttpError` when it is invalid. */
  body: () => unknown;
  /** If false, the call responds as usual, but writes nothing. */
  applied: boolean;
  /** The faults that change what the call reads or writes. */
  affecting: MatchedFaults["keeping"];
}

/** Handles a call. `ids` are the ids in the path, in order. */
type Handler = (call: Call, ...ids: string[]) => HttpResponse;

export const handlers: Readonly<Record<OperationName, Handler>> = {
  createIncidentUpdate({ store, updateIds, faults, account, body, applied, affecting }, incidentId) {
    const input = validate(newIncidentUpdate, body(), "payload");
    const incident = statusPageIncident(account, incidentId);
    const id = updateIds.assign(input, incident, store.deletedUpdateIds);
    if (typeof id !== "string") return jsonResponse(200, updateIds.returned(id));
    const now = new Date().toISOString();
    const update: StoredIncidentUpdate = {
      id,
      description: input.description,
      status: input.status,
      publicIncidentUpdateDate: new Date(input.publicIncidentUpdateDate ?? now).toISOString(),
      created_at: now,
      notifySubscribers: input.notifySubscribers ?? false,
    };
    if (applied) {
      store.addUpdate(incident, update, update.notifySubscribers ? subscribersOf(incident, account) : 0);
      for (const delay of ofKind(affecting, "lateVisibility")) faults.hide(id, delay);
    }
    return jsonResponse(201, updateIds.returned(update));
  },

  getIncidentUpdate({ updateIds, faults, account }, incidentId, updateId) {
    const { incidentUpdates } = statusPageIncident(account, incidentId);
    const update = withId(faults.visible(incidentUpdates), "incident update", updateId);
    return jsonResponse(200, updateIds.returned(update));
  },

  getStatusPageIncident: (call, incidentId) =>
    jsonResponse(200, visibleIncident(call, statusPageIncident(call.account, incidentId))),

  getIncident({ account, query }, incidentId) {
    const { includeAllIncidentUpdates } = validate(operations.getIncident.query, query, "query");
    const incident = withId(account.incidents, "incident", incidentId);
    if (includeAllIncidentUpdates) return jsonResponse(200, incident);
    // The "first update" of the contract is the oldest one; the history is stored newest first.
    return jsonResponse(200, { ...incident, incidentUpdates: incident.incidentUpdates.slice(-1) });
  },

  getAlertChannel({ account }, channelId) {
    const problem = channelIdProblem(channelId);
    if (problem !== undefined) throw invalidInput("params", ["id"], `id: ${problem}`);
    return jsonResponse(200, withId(account.alertChannels, "alert channel", channelId));
  },

  listAlertChannels({ account, query, affecting }) {
    const { listAlertChannels } = operations;
    const { limit = numberedPageSize, page = 1 } = validate(listAlertChannels.query, query, "query");
    const { shift, total, repeats, omit = [] } = { ...ofKind(affecting, "channelList").at(-1) };
    const all = account.alertChannels.slice(shift);
    const start = repeats ? 0 : (page - 1) * limit;
    const entries = all.slice(start, start + limit);
    const shown = entries.map((channel) =>
      Object.fromEntries(Object.entries(channel).filter(([field]) => !omit.includes(field))),
    );
    const range = entries.length === 0 ? "*" : `${start}-${start + entries.length - 1}`;
    const contentRange = `${range}/${total ?? all.length}`;
    return jsonResponse(200, shown, total === null ? {} : { "content-range": contentRange });
  },

  listStatusPages(call) {
    const { limit = pageSize.usual, nextId } = validate(
      operations.listStatusPages.query,
      call.query,
      "query",
    );
    const { id, statusPages, statusPageIncidents } = call.account;
    // A cursor is opaque to clients, and valid for this list of one account.
    const cursorAt = (offset: number): string | null =>
      offset < statusPages.length
        ? Buffer.from(`${offset}:listStatusPages:${id}`).toString("base64url")
        : null;
    const start = nextId === undefined ? 0 : Number.parseInt(Buffer.from(nextId, "base64url").toString(), 10);
    if (nextId !== undefined && !(start > 0 && cursorAt(start) === nextId))
      throw invalidInput("query", ["nextId"], "nextId: is not a cursor that this list returned");
    const pages = statusPages.slice(start, start + limit);
    // Each incident is read once, even if several pages show it.
    const incidents = statusPageIncidents
      .filter(({ statusPageIds }) => pages.some((page) => statusPageIds.includes(page.id)))
      .map((incident) => ({ ...incident, shown: visibleIncident(call, incident) }));
    const entries = pages.map((page) => ({
      ...page,
      incidents: incidents.flatMap(({ statusPageIds, shown }) =>
        statusPageIds.includes(page.id) ? shown : [],
      ),
    }));
    return jsonResponse(200, { length: entries.length, entries, nextId: cursorAt(start + limit) });
  },
};

/** @throws HttpError when there is none */
function withId<Found extends { id: string | number }>(
  all: readonly Found[],
  kind: string,
  id: string,
): Found {
  const object = all.find((each) => String(each.id) === id);
  if (object !== undefined) return object;
  throw new HttpError(404, `There is no ${kind} ${JSON.stringify(id)} in this account.`);
}

const statusPageIncident = ({ statusPageIncidents }: SandboxAccount, id: string) =>
  withId(statusPageIncidents, "status-page incident", id);

function visibleIncident({ faults, affecting, updateIds }: Call, incident: StoredStatusPageIncident) {
  const all = faults.visible(incident.incidentUpdates);
  const repeated = ofKind(affecting, "repeatedUpdate").length > 0 ? all.slice(0, 1) : [];
  const latest = Math.min(...ofKind(affecting, "cutHistory").map((fault) => fault.latest));
  const read = toStatusPageIncident(incident, [...repeated, ...all].slice(0, latest));
  return { ...read, incidentUpdates: read.incidentUpdates.map((update) => updateIds.returned(update)) };
}
