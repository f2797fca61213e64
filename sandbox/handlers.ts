/** What each operation of the API does. */
import { z } from "zod";
import { newIncidentUpdate } from "../provider/api";
import type { OperationName } from "../provider/api/operations";
import type {
  SandboxAccount,
  StoredStatusPage,
  StoredStatusPageIncident,
  StoredIncidentUpdate,
} from "./store/data";
import { HttpError, type HttpResponse, jsonResponse } from "./http/httpResponse";
import type { HistoryFault } from "./faults/faults";
import type { Delay, LateWrites } from "./faults/lateWrites";
import { listHandler } from "./listHandler";
import { queryValues, validate } from "./http/request";
import { type Store, subscribersOf, toStatusPageIncident } from "./store/store";
import type { UpdateIds } from "./updateIds";

/** An authorized request to an operation. */
interface Call {
  store: Store;
  updateIds: UpdateIds;
  account: SandboxAccount;
  query: URLSearchParams;
  /** The parsed JSON of the body. Throws an `HttpError` when it is invalid. */
  body(): unknown;
  /** False: respond as usual, but write nothing. */
  applied: boolean;
  lateWrites: LateWrites;
  /** How long reads don't return what this call writes. */
  delay: Delay | undefined;
  history: HistoryFault;
}

/** `ids` are those in the path, in order. */
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

  listStatusPages: listHandler("listStatusPages", ({ account }) => account.statusPages, withIncidents),
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

/** An incident as a read returns it now. */
function visibleIncident({ lateWrites, history, updateIds }: Call, incident: StoredStatusPageIncident) {
  const [newest, ...older] = lateWrites.visible(incident.incidentUpdates);
  const updates = newest === undefined ? [] : [...(history.repeatsNewest ? [newest] : []), newest, ...older];
  const read = toStatusPageIncident(incident, updates.slice(0, history.latest));
  return { ...read, incidentUpdates: read.incidentUpdates.map((update) => updateIds.returned(update)) };
}

type VisibleIncident = ReturnType<typeof visibleIncident>;

/** Status pages as a read returns them. Each incident is read once, however many pages show it. */
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
