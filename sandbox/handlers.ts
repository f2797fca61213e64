/** Implements the operations of the API on the sandbox's data. */
import { z } from "zod";
import { newIncidentUpdate, numberedPageSize, type OperationName, pageSize } from "../provider/api";
import { type Faults, type MatchedFaults } from "./faults";
import { HttpError, type HttpResponse, jsonResponse, validate } from "./http";
import {
  type SandboxAccount,
  type Store,
  type StoredIncidentUpdate,
  type StoredStatusPage,
  type StoredStatusPageIncident,
  subscribersOf,
  toStatusPageIncident,
} from "./store";
import { type UpdateIds } from "./updateIds";

/** An authorized request to an operation. */
interface Call {
  store: Store;
  updateIds: UpdateIds;
  account: SandboxAccount;
  query: URLSearchParams;
  /** The parsed JSON of the body. Throws an `HttpError` when it is invalid. */
  body(): unknown;
  /** If false, the call responds as usual, but writes nothing. */
  applied: boolean;
  lateWrites: Faults["lateWrites"];
  /** Delay until reads return what this call writes. */
  delay: MatchedFaults["delay"];
  history: MatchedFaults["history"];
  list: MatchedFaults["list"];
}

/** Handles a call. `ids` are the ids in the path, in order. */
type Handler = (call: Call, ...ids: string[]) => HttpResponse;

const noQuery = z.strictObject({});

const incidentQuery = z.strictObject({
  includeAllIncidentUpdates: z.enum(["true", "false"], { error: "must be true or false" }).optional(),
});

const channelPath = z.strictObject({
  id: z.string().regex(/^\d+$/, { error: "must be a whole number" }),
});

export const handlers: Readonly<Record<OperationName, Handler>> = {
  createIncidentUpdate(call, incidentId) {
    validate(noQuery, queryValues(call.query), "query");
    const input = validate(newIncidentUpdate, call.body(), "payload");
    const incident = findStatusPageIncident(call.account, incidentId);
    const id = call.updateIds.assign(input, incident, call.store.deletedUpdateIds);
    if (typeof id !== "string") return jsonResponse(200, call.updateIds.returned(id));
    const now = new Date().toISOString();
    const update: StoredIncidentUpdate = {
      id,
      description: input.description,
      status: input.status,
      publicIncidentUpdateDate: new Date(input.publicIncidentUpdateDate ?? now).toISOString(),
      created_at: now,
      notifySubscribers: input.notifySubscribers ?? false,
    };
    if (call.applied) {
      const mailed = update.notifySubscribers ? subscribersOf(incident, call.account) : 0;
      call.store.addUpdate(incident, update, mailed);
      if (call.delay) call.lateWrites.hide(update.id, call.delay);
    }
    return jsonResponse(201, call.updateIds.returned(update));
  },

  getIncidentUpdate(call, incidentId, updateId) {
    validate(noQuery, queryValues(call.query), "query");
    const { incidentUpdates } = findStatusPageIncident(call.account, incidentId);
    const update = call.lateWrites.visible(incidentUpdates).find(({ id }) => id === updateId);
    return jsonResponse(200, call.updateIds.returned(orNotFound(update, "incident update", updateId)));
  },

  getStatusPageIncident(call, incidentId) {
    validate(noQuery, queryValues(call.query), "query");
    return jsonResponse(200, visibleIncident(call, findStatusPageIncident(call.account, incidentId)));
  },

  getIncident(call, incidentId) {
    const { includeAllIncidentUpdates } = validate(incidentQuery, queryValues(call.query), "query");
    const incident = orNotFound(
      call.account.incidents.find(({ id }) => id === incidentId),
      "incident",
      incidentId,
    );
    if (includeAllIncidentUpdates === "true") return jsonResponse(200, incident);
    // The "first update" of the contract is the oldest one; the history is stored newest first.
    return jsonResponse(200, { ...incident, incidentUpdates: incident.incidentUpdates.slice(-1) });
  },

  getAlertChannel(call, channelId) {
    validate(noQuery, queryValues(call.query), "query");
    validate(channelPath, { id: channelId }, "params");
    const channel = call.account.alertChannels.find(({ id }) => String(id) === channelId);
    return jsonResponse(200, orNotFound(channel, "alert channel", channelId));
  },

  listAlertChannels({ account, query, list }) {
    const { limit, page } = validate(numberedListQuery, queryValues(query), "query");
    const { shift, total, repeats, omit } = list;
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
    const { limit, nextId } = validate(listQuery, queryValues(call.query), "query");
    const { id, statusPages } = call.account;
    // A cursor is opaque to clients, and valid for this list of one account.
    const cursorAt = (offset: number): string | null =>
      offset < statusPages.length
        ? Buffer.from(`${offset}:listStatusPages:${id}`).toString("base64url")
        : null;
    const start = nextId === undefined ? 0 : Number.parseInt(Buffer.from(nextId, "base64url").toString(), 10);
    if (nextId !== undefined && !(start > 0 && cursorAt(start) === nextId))
      throw new HttpError(400, "nextId: is not a cursor that this list returned", {
        validation: { source: "query", keys: ["nextId"] },
      });
    const entries = withIncidents(statusPages.slice(start, start + limit), call);
    return jsonResponse(200, { length: entries.length, entries, nextId: cursorAt(start + limit) });
  },
};

function orNotFound<Found>(object: Found | undefined, kind: string, id: string): Found {
  if (object !== undefined) return object;
  throw new HttpError(404, `There is no ${kind} ${JSON.stringify(id)} in this account.`);
}

function findStatusPageIncident(
  { statusPageIncidents }: SandboxAccount,
  id: string,
): StoredStatusPageIncident {
  return orNotFound(
    statusPageIncidents.find((incident) => incident.id === id),
    "status-page incident",
    id,
  );
}

function visibleIncident({ lateWrites, history, updateIds }: Call, incident: StoredStatusPageIncident) {
  const [newest, ...older] = lateWrites.visible(incident.incidentUpdates);
  const updates = newest === undefined ? [] : [...(history.repeatsNewest ? [newest] : []), newest, ...older];
  const read = toStatusPageIncident(incident, updates.slice(0, history.latest));
  return { ...read, incidentUpdates: read.incidentUpdates.map((update) => updateIds.returned(update)) };
}

type VisibleIncident = ReturnType<typeof visibleIncident>;

/** Returns status pages as a read shows them. Each incident is read once, even if several pages show it. */
function withIncidents(pages: readonly StoredStatusPage[], call: Call): object[] {
  const byPage = new Map<string, VisibleIncident[]>(pages.map(({ id }) => [id, []]));
  for (const incident of call.account.statusPageIncidents) {
    const lists = incident.statusPageIds.map((id) => byPage.get(id)).filter((list) => list !== undefined);
    if (lists.length === 0) continue;
    const visible = visibleIncident(call, incident);
    for (const list of lists) list.push(visible);
  }
  return pages.map((page) => ({ ...page, incidents: byPage.get(page.id) }));
}

const { least, most, usual } = pageSize;
const limit = z
  .string()
  .refine((text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most, {
    error: `must be a whole number from ${least} to ${most}`,
  })
  .transform(Number);
const listQuery = z.strictObject({ limit: limit.default(usual), nextId: z.string().optional() });
const numberedListQuery = z.strictObject({
  limit: limit.default(numberedPageSize),
  page: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: "must be a whole number of 1 or more" })
    .transform(Number)
    .default(1),
});

function queryValues(query: URLSearchParams): Record<string, string> {
  const names = [...query.keys()];
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined)
    throw new HttpError(400, `${duplicate}: is given more than once`, {
      validation: { source: "query", keys: [duplicate] },
    });
  return Object.fromEntries(query);
}
