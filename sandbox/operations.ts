/** The six operations of the contract (part 4) over the store. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { newIncidentUpdate, statusPagesPerPage } from "../provider/api";
import { type Answer, jsonAnswer, Refusal } from "./answers";
import type { StatusPageIncident, StatusPageIncidentUpdate } from "./contract";
import type { SandboxAccount, StoredStatusPageIncident } from "./data";
import type { Delay, LateWrites } from "./lateWrites";
import { cursorAt, offsetOf } from "./paging";
import { accept, valuesOf } from "./request";
import { shownIncident, type Store, subscribersOf } from "./store";

/** A request to one operation, by someone who may make it. */
interface Call {
  store: Store;
  account: SandboxAccount;
  query: URLSearchParams;
  /** The JSON of the body, or a `Refusal`. */
  body(): unknown;
  /** False: answer as ever, but write nothing. */
  applied: boolean;
  lateWrites: LateWrites;
  /** How long readers don't see what this call writes. */
  late: Delay | undefined;
}

export interface Operation {
  name: string;
  method: "GET" | "POST";
  path: string;
  /** `ids` are those of the path, in its order. */
  run(call: Call, ...ids: string[]): Answer;
}

const noQuery = z.strictObject({});

const incidentQuery = z.strictObject({
  includeAllIncidentUpdates: z.enum(["true", "false"], { error: "must be true or false" }).optional(),
});

const { least, most, usual } = statusPagesPerPage;
const listQuery = z.strictObject({
  limit: z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .transform(Number)
    .default(usual),
  nextId: z.string().optional(),
});

export const operations = [
  {
    name: "createIncidentUpdate",
    method: "POST",
    path: "/v1/status-pages/incidents/{incidentId}/incident-updates",
    run(call, incidentId) {
      accept(noQuery, valuesOf(call.query), "query");
      const wanted = accept(newIncidentUpdate, call.body(), "payload");
      const incident = statusPageIncident(call.account, incidentId);
      const now = new Date().toISOString();
      const update: StatusPageIncidentUpdate = {
        id: randomUUID(),
        description: wanted.description,
        status: wanted.status,
        publicIncidentUpdateDate: new Date(wanted.publicIncidentUpdateDate ?? now).toISOString(),
        created_at: now,
        notifySubscribers: wanted.notifySubscribers ?? false,
      };
      if (call.applied) {
        const mailed = update.notifySubscribers ? subscribersOf(incident, call.account) : 0;
        call.store.addUpdate(incident, update, mailed);
        if (call.late) call.lateWrites.hide(update.id, call.late);
      }
      return jsonAnswer(201, update);
    },
  },

  {
    name: "getIncidentUpdate",
    method: "GET",
    path: "/v1/status-pages/incidents/{incidentId}/incident-updates/{incidentUpdateId}",
    run(call, incidentId, updateId) {
      accept(noQuery, valuesOf(call.query), "query");
      const { incidentUpdates } = statusPageIncident(call.account, incidentId);
      const update = call.lateWrites.visible(incidentUpdates).find(({ id }) => id === updateId);
      return jsonAnswer(200, found(update, "incident update", updateId));
    },
  },

  {
    name: "getStatusPageIncident",
    method: "GET",
    path: "/v1/status-pages/incidents/{incidentId}",
    run(call, incidentId) {
      accept(noQuery, valuesOf(call.query), "query");
      return jsonAnswer(200, shown(call, statusPageIncident(call.account, incidentId)));
    },
  },

  {
    name: "getIncident",
    method: "GET",
    path: "/v1/incidents/{id}",
    run(call, incidentId) {
      const { includeAllIncidentUpdates } = accept(incidentQuery, valuesOf(call.query), "query");
      const incident = found(
        call.account.incidents.find(({ id }) => id === incidentId),
        "incident",
        incidentId,
      );
      if (includeAllIncidentUpdates === "true") return jsonAnswer(200, incident);
      // The contract's "first update" is the first one made: the history is kept newest first.
      return jsonAnswer(200, { ...incident, incidentUpdates: incident.incidentUpdates.slice(-1) });
    },
  },

  {
    name: "getAlertChannel",
    method: "GET",
    path: "/v1/alert-channels/{id}",
    run(call, channelId) {
      accept(noQuery, valuesOf(call.query), "query");
      const channel = call.account.alertChannels.find(({ id }) => String(id) === channelId);
      return jsonAnswer(200, found(channel, "alert channel", channelId));
    },
  },

  {
    name: "listStatusPages",
    method: "GET",
    path: "/v1/status-pages",
    run(call) {
      const { limit, nextId } = accept(listQuery, valuesOf(call.query), "query");
      const { account } = call;
      const start = nextId === undefined ? 0 : offsetOf(nextId, account);
      const end = start + limit;
      const pages = account.statusPages.slice(start, end);
      const incidents = incidentsOn(pages, call);
      const entries = pages.map((page) => ({ ...page, incidents: incidents.get(page.id) ?? [] }));
      return jsonAnswer(200, {
        length: entries.length,
        entries,
        nextId: end < account.statusPages.length ? cursorAt(end, account) : null,
      });
    },
  },
] as const satisfies readonly Operation[];

export type OperationName = (typeof operations)[number]["name"];

function found<Found>(object: Found | undefined, kind: string, id: string): Found {
  if (object !== undefined) return object;
  throw new Refusal(404, `There is no ${kind} ${JSON.stringify(id)} in this account.`);
}

function statusPageIncident({ statusPageIncidents }: SandboxAccount, id: string): StoredStatusPageIncident {
  return found(
    statusPageIncidents.find((incident) => incident.id === id),
    "status-page incident",
    id,
  );
}

function shown({ lateWrites }: Call, incident: StoredStatusPageIncident): StatusPageIncident {
  return shownIncident(incident, lateWrites.visible(incident.incidentUpdates));
}

/** The incidents of some pages, by the page's id. Each incident is read once, on however many pages it is. */
function incidentsOn(pages: { id: string }[], call: Call): Map<string, StatusPageIncident[]> {
  const byPage = new Map<string, StatusPageIncident[]>(pages.map(({ id }) => [id, []]));
  for (const incident of call.account.statusPageIncidents) {
    const lists = incident.statusPageIds.map((id) => byPage.get(id)).filter((list) => list !== undefined);
    if (lists.length === 0) continue;
    const one = shown(call, incident);
    for (const list of lists) list.push(one);
  }
  return byPage;
}
