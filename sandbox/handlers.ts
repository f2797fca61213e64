/** Implements the operations of the API on the sandbox's data. */
import { randomUUID } from "node:crypto";
import {
  validateChannelId,
  editedComponentPageIncident,
  type EditedComponentPageIncident,
  historyLimit,
  type NewComponentImpact,
  newComponentPageIncident,
  newComponentPageUpdate,
  type NewComponentPageUpdate,
  newIncidentUpdate,
  type NewComponentPageIncident,
  type NewIncidentUpdate,
  numberedPageSize,
  operations,
  pageSize,
} from "../provider/api";
import { type Faults, type MatchedFaults } from "./faults";
import { HttpError, type HttpResponse, createInvalidInputError, createJsonResponse, validate } from "./http";
import {
  compareByLastChange,
  editedAlertChannel,
  type SandboxAccount,
  type ServedOperation,
  type StoredComponentPage,
  type StoredComponentPageIncident,
  type StoredIncident,
  type StoredIncidentUpdate,
  countSubscribers,
  toApiIncident,
} from "./data";
import { type Store } from "./store";
import { assignId, type UpdateIdOptions } from "./updateIds";

/** An authorized request to an operation. */
interface Call {
  store: Store;
  updateIds: UpdateIdOptions["ids"];
  faults: Faults;
  account: SandboxAccount;
  /** The query parameters by name, with numbers and booleans converted from text. Empty for an operation without parameters. */
  query: Record<string, unknown>;
  /** The parsed JSON of the body. Throws an `HttpError` when it is invalid. */
  body: () => unknown;
  /** If false, the call responds as usual but writes nothing. */
  applied: boolean;
  /** The faults that hide the call's write from reads for a while. */
  late: MatchedFaults["late"];
}

/** Handles a call. `ids` are the IDs in the path, in order. */
type Handler = (call: Call, ...ids: string[]) => HttpResponse;

export const handlers: Readonly<Record<ServedOperation, Handler>> = {
  createIncidentUpdate(call, incidentId) {
    const input = validate(newIncidentUpdate, call.body(), "payload");
    return createUpdate(call, findStatusPageIncident(call.account, incidentId), input);
  },

  getIncidentUpdate: (call, incidentId, updateId) =>
    readUpdate(call, findStatusPageIncident(call.account, incidentId), updateId),

  getStatusPageIncident: (call, incidentId) =>
    createJsonResponse(200, toVisibleIncident(call, findStatusPageIncident(call.account, incidentId))),

  getIncident({ account, query }, incidentId) {
    const { includeAllIncidentUpdates } = validate(operations.getIncident.query, query, "query");
    const incident = findById(account.incidents, "incident", incidentId);
    if (includeAllIncidentUpdates) return createJsonResponse(200, incident);
    // The API's "first update" is the oldest update, and the updates are stored newest first.
    return createJsonResponse(200, { ...incident, incidentUpdates: incident.incidentUpdates.slice(-1) });
  },

  getAlertChannel: ({ account }, channelId) => createJsonResponse(200, findAlertChannel(account, channelId)),

  editAlertChannel({ store, account, body, applied }, channelId) {
    const changes = validate(editedAlertChannel, body(), "payload");
    const updated_at = new Date().toISOString();
    const edited = { ...findAlertChannel(account, channelId), ...changes, updated_at };
    if (applied)
      store.change(({ accounts }) => {
        const changed = findById(accounts, "account", account.id);
        Object.assign(findAlertChannel(changed, channelId), edited);
      });
    return createJsonResponse(200, edited);
  },

  listAlertChannels({ account, query }) {
    const { listAlertChannels } = operations;
    const { limit = numberedPageSize, page = 1 } = validate(listAlertChannels.query, query, "query");
    const all = account.alertChannels;
    const start = (page - 1) * limit;
    const shown = all.slice(start, start + limit);
    const range = shown.length === 0 ? "*" : `${start}-${start + shown.length - 1}`;
    return createJsonResponse(200, shown, { "content-range": `${range}/${all.length}` });
  },

  listStatusPages(call) {
    const { statusPages, statusPageIncidents } = call.account;
    return createListResponse(call, "listStatusPages", statusPages, (pages) => {
      // Each incident is read once, even if several pages show it.
      const incidents = statusPageIncidents
        .filter(({ statusPageIds }) => pages.some((page) => statusPageIds.includes(page.id)))
        .map((incident) => ({ ...incident, shown: toVisibleIncident(call, incident) }));
      return pages.map((page) => ({
        ...page,
        incidents: incidents.flatMap(({ statusPageIds, shown }) =>
          statusPageIds.includes(page.id) ? shown : [],
        ),
      }));
    });
  },

  listComponentPages: (call) =>
    createListResponse(call, "listComponentPages", call.account.componentPages, (pages) => pages.map(toPage)),

  getComponentPage: ({ account }, pageId) =>
    createJsonResponse(200, toPage(findComponentPage(account, pageId))),

  listComponents(call, pageId) {
    const { components } = findComponentPage(call.account, pageId);
    const inOrder = components.toSorted((one, other) => one.displayOrder - other.displayOrder);
    return createListResponse(call, "listComponents", inOrder, (page) => page, pageId);
  },

  listComponentPageIncidents(call, pageId) {
    const incidents = call.faults
      .visibleIncidents(findComponentPage(call.account, pageId).incidents)
      .toSorted(compareByLastChange);
    const omitUpdates = (page: StoredIncident[]) =>
      page.map((each) => toVisibleIncident(call, each)).map(({ incidentUpdates, ...incident }) => incident);
    return createListResponse(call, "listComponentPageIncidents", incidents, omitUpdates, pageId);
  },

  openComponentPageIncident(call, pageId) {
    const input = validate(newComponentPageIncident, call.body(), "payload");
    const page = findComponentPage(call.account, pageId);
    return openIncident(call, page, input);
  },

  editComponentPageIncident(call, pageId, incidentId) {
    const input = validate(editedComponentPageIncident, call.body(), "payload");
    const page = findComponentPage(call.account, pageId);
    const incident = findComponentPageIncident(call.account, pageId, incidentId);
    return editIncident(call, page, incident, input);
  },

  getComponentPageIncident(call, pageId, incidentId) {
    const incident = findComponentPageIncident(call.account, pageId, incidentId);
    findById(call.faults.visibleIncidents([incident]), `incident of the status page ${pageId}`, incidentId);
    return createJsonResponse(200, toVisibleIncident(call, incident));
  },

  getComponentPageIncidentUpdate: (call, pageId, incidentId, updateId) =>
    readUpdate(call, findComponentPageIncident(call.account, pageId, incidentId), updateId),

  createComponentPageIncidentUpdate(call, pageId, incidentId) {
    const input = validate(newComponentPageUpdate, call.body(), "payload");
    const incident = findComponentPageIncident(call.account, pageId, incidentId);
    assertDateNotBefore(incident, input);
    return createUpdate(call, incident, input);
  },

  editComponentPageIncidentUpdate(call, pageId, incidentId, updateId) {
    // An edit accepts the same fields as a post, which are more than the client sends.
    const input = validate(newComponentPageUpdate, call.body(), "payload");
    const incident = findComponentPageIncident(call.account, pageId, incidentId);
    const existing = findById(incident.incidentUpdates, "incident update", updateId);
    assertDateNotBefore(incident, input);
    const now = new Date().toISOString();
    const update = toUpdate(existing, input, now);
    if (call.applied) {
      for (const delay of call.late) call.faults.hide(updateId, delay, existing);
      call.store.replaceUpdate(incident, update, now);
    }
    return createJsonResponse(200, update);
  },
};

/** @throws HttpError if the public date is before the creation of the incident */
function assertDateNotBefore({ created_at }: StoredIncident, input: NewComponentPageUpdate): void {
  const key = "publicIncidentUpdateDate";
  if (Date.parse(input[key] ?? created_at) >= Date.parse(created_at)) return;
  const message = `${key}: must not be before ${created_at}, when the incident was created`;
  throw createInvalidInputError("payload", [key], message);
}

function openIncident(
  { store, faults, account, applied, late }: Call,
  { id: statusPageId, components }: StoredComponentPage,
  { name, incidentUpdates, componentImpacts = [] }: NewComponentPageIncident,
): HttpResponse {
  const now = new Date().toISOString();
  const incident: StoredComponentPageIncident = {
    id: randomUUID(),
    statusPageId,
    name,
    componentImpacts: startImpacts(components, componentImpacts, now),
    incidentUpdates: incidentUpdates.map((input) =>
      toUpdate({ id: randomUUID(), created_at: now }, input, now),
    ),
    created_at: now,
    updated_at: null,
  };
  if (applied) {
    const [first] = incident.incidentUpdates;
    store.addIncident(incident, first?.notifySubscribers ? countSubscribers(incident, account) : 0);
    for (const delay of late) faults.hide(incident.id, delay);
  }
  return createJsonResponse(201, toApiIncident(incident));
}

function editIncident(
  { store, applied }: Call,
  { id: statusPageId, components }: StoredComponentPage,
  incident: StoredComponentPageIncident,
  { name, componentImpacts = [] }: EditedComponentPageIncident,
): HttpResponse {
  const now = new Date().toISOString();
  const isSame = (one: NewComponentImpact, other: NewComponentImpact): boolean =>
    one.componentId === other.componentId && one.status === other.status;
  const wanted = startImpacts(components, componentImpacts, now);
  const before = incident.componentImpacts.map((each) =>
    each.endedAt !== null || wanted.some((other) => isSame(other, each)) ? each : { ...each, endedAt: now },
  );
  const lasts = (impact: NewComponentImpact): boolean =>
    before.some((each) => each.endedAt === null && isSame(each, impact));
  const edited = {
    ...incident,
    name,
    componentImpacts: [...before, ...wanted.filter((each) => !lasts(each))],
    updated_at: now,
  };
  if (applied) store.editIncident(incident.id, edited, statusPageId);
  return createJsonResponse(200, toApiIncident(edited));
}

/** Returns the impacts that start now. @throws HttpError for a component of another page */
function startImpacts(
  components: StoredComponentPage["components"],
  impacts: readonly NewComponentImpact[],
  now: string,
) {
  for (const [index, { componentId }] of impacts.entries())
    if (!components.some(({ id }) => id === componentId)) {
      const key = `componentImpacts[${index}].componentId`;
      throw createInvalidInputError("payload", [key], `${key}: is no component of this status page`);
    }
  return impacts
    .filter(({ status }) => status !== "OPERATIONAL")
    .map((impact) => ({ ...impact, startedAt: now, endedAt: null }));
}

function createUpdate(
  { store, updateIds, faults, account, applied, late }: Call,
  incident: StoredIncident,
  input: NewIncidentUpdate,
): HttpResponse {
  const id = assignId(updateIds, input, incident);
  if (typeof id !== "string") return createJsonResponse(200, id);
  const now = new Date().toISOString();
  const update = toUpdate({ id, created_at: now }, input, now);
  if (applied) {
    store.addUpdate(incident, update, update.notifySubscribers ? countSubscribers(incident, account) : 0);
    for (const delay of late) faults.hide(id, delay);
  }
  return createJsonResponse(201, update);
}

/** Returns an update with the content that was sent. An omitted field has its default, even in an edit. */
function toUpdate(
  { id, created_at }: Pick<StoredIncidentUpdate, "id" | "created_at">,
  { description, status, publicIncidentUpdateDate, notifySubscribers = false }: NewComponentPageUpdate,
  now: string,
): StoredIncidentUpdate {
  const date = new Date(publicIncidentUpdateDate ?? now).toISOString();
  return { id, description, status, publicIncidentUpdateDate: date, created_at, notifySubscribers };
}

function readUpdate({ faults }: Call, { incidentUpdates }: StoredIncident, updateId: string) {
  const update = findById(faults.filterVisible(incidentUpdates), "incident update", updateId);
  return createJsonResponse(200, update);
}

type ListName = Extract<ServedOperation, "listStatusPages" | `listComponent${string}`>;

/** Returns a page of a list, with the rows as `toEntries` returns them. @param ids The IDs in the path of the list. */
function createListResponse<Row>(
  { account, query }: Call,
  name: ListName,
  rows: readonly Row[],
  toEntries: (page: Row[]) => object[],
  ...ids: string[]
): HttpResponse {
  const { limit = pageSize.usual, nextId } = validate(operations[name].query, query, "query");
  // A cursor is opaque to clients, and is only valid for this list of this account.
  const list = [name, account.id, ...ids].join(":");
  const createCursor = (offset: number): string | null =>
    offset < rows.length ? Buffer.from(`${offset}:${list}`).toString("base64url") : null;
  const start = nextId === undefined ? 0 : Number.parseInt(Buffer.from(nextId, "base64url").toString(), 10);
  if (nextId !== undefined && !(start > 0 && createCursor(start) === nextId))
    throw createInvalidInputError("query", ["nextId"], "nextId: must be a cursor from this list");
  const entries = toEntries(rows.slice(start, start + limit));
  return createJsonResponse(200, { length: entries.length, entries, nextId: createCursor(start + limit) });
}

/** Returns the object with this ID. @throws HttpError if it doesn't exist */
function findById<Found extends { id: string | number }>(
  all: readonly Found[],
  kind: string,
  id: string,
): Found {
  const object = all.find((each) => String(each.id) === id);
  if (object !== undefined) return object;
  throw new HttpError(404, `There is no ${kind} ${JSON.stringify(id)} in this account.`);
}

function findAlertChannel({ alertChannels }: SandboxAccount, id: string) {
  const problem = validateChannelId(id);
  if (problem !== undefined) throw createInvalidInputError("params", ["id"], `id: ${problem}`);
  return findById(alertChannels, "alert channel", id);
}

const findStatusPageIncident = ({ statusPageIncidents }: SandboxAccount, id: string) =>
  findById(statusPageIncidents, "status-page incident", id);

const findComponentPage = ({ componentPages }: SandboxAccount, id: string) =>
  findById(componentPages, "status page with components", id);

const findComponentPageIncident = (account: SandboxAccount, pageId: string, id: string) =>
  findById(findComponentPage(account, pageId).incidents, `incident of the status page ${pageId}`, id);

const toPage = ({ components, incidents, ...page }: StoredComponentPage) => page;

/** Returns an incident as reads show it now. */
function toVisibleIncident({ faults }: Call, incident: StoredIncident) {
  const all = faults.filterVisible(incident.incidentUpdates);
  const most = "statusPageId" in incident ? historyLimit : Infinity;
  return toApiIncident(incident, all, all.slice(0, most));
}
