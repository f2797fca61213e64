/**
 * Implements the engine's verbs for an `IncidentUpdate`. The protocol decides whether a run may post. The outputs contain the protocol's
 * record and the origin of the update.
 */
import { z } from "zod";
import { listLastingImpacts, type StatusPageIncidentUpdate, updateStatuses } from "../api";
import { InvalidInputError, isMonitoringError } from "../client";
import { type AnyIncident, type Connection, ignoreNotFound } from "../connection";
import { type Declaration, encode, createImportedRecord, normalizeContent } from "../protocol";
import { normalizeId, sameText } from "../texts";
import { createEntryLifecycle, describeRemoved, type EntryKind, findRecord, forgetRemoved } from "./entries";
import {
  getConnection,
  findConnectionProblems,
  type Context,
  toDeclaredInputs,
  type DeclaredInputs,
  type Lifecycle,
  type PreviewContext,
  type Properties,
  type ResourceState,
  getStoredConnection,
} from "./lifecycle";
import {
  checkUpdate,
  computed,
  defaults,
  toExistingOutputs,
  fields,
  createResourceId,
  type Ids,
  parseIds,
  getIds,
  findLaterProblems,
  formatStoredTitle,
  onChangeValues,
  getPlace,
  toPublished,
} from "./incidentUpdateFields";
import { type Order, computeOrder } from "./timeline";

const declaration = z.object(fields);

const kind: EntryKind = {
  type: "IncidentUpdate",
  fields,
  computed: Object.keys(computed),

  check: checkUpdate,
  findLaterProblems: (declared, old, context) =>
    findLaterProblems(declared, old, context.program, (entry) => [
      ...checkUpdate(entry).problems,
      ...findConnectionProblems(entry, context),
    ]),

  toDeclaration: parseInputs,
  toKnown: parseKnownInputs,

  toStoredRecord: ({ origin, ...state }) => state,
  idOf: createResourceId,
  outputsOf: (recorded, _, { origin }) => ({ ...encode(recorded), origin }),
  nameInState: formatStoredTitle,
  storedAt: (id, old) => ({ old, title: formatStoredTitle(id, old), relation: "the update was posted to" }),
  complete: (declared) => Promise.resolve(declared),

  async describe(incident, { statusPageId }, _, connection) {
    const impacts = statusPageId && (await readImpacts(incident, statusPageId, connection));
    return { statusPageId, impacts: impacts || undefined };
  },

  readShown: (recorded, inputs, connection) => readUpdate(connection, getIds(recorded, inputs)),

  assertLater: assertLaterEntries,
  read: readState,
};

export const incidentUpdate: Lifecycle = {
  ...createEntryLifecycle(kind),

  async delete(id, old, context) {
    const isOwned = context.publishing.isOwned(old["incidentId"], old["incidentUpdateId"]);
    const advice = old["missing"] === true ? "" : " To take it off the page, delete it in the dashboard.";
    const removed = isOwned
      ? // Another resource owns the update, such as the replacement after an edit in the dashboard.
        "a resource in the state still owns this update. Only an earlier record of it is removed."
      : `removed from the state. The update ${describeRemoved(old)}.${advice}`;
    context.notice(`${formatStoredTitle(id, old, context.label)}: ${removed}`);
    await forgetRemoved(kind, id, old, context);
  },

  async import(id, context) {
    const ids = parseIds(id, "IncidentUpdate import");
    const { statusPageId, incidentId, incidentUpdateId } = ids;
    const connection = getConnection({}, context);
    const incidents = connection.getIncidents(statusPageId);
    const update = await incidents.uncached.readUpdate(incidentId, incidentUpdateId);
    // Omit the public date. Otherwise, a program without a date would replace the update and post it again.
    const address = { ...(statusPageId !== undefined && { statusPageId }), incidentId };
    const inputs = {
      ...address,
      status: update.status,
      description: update.description,
      ...(update.notifySubscribers === true && { notifySubscribers: true }),
    };
    const declared = declaration.safeParse(inputs).data;
    if (!declared) {
      // The engine doesn't pass whether it imports or only gets the update. In an import, `check` rejects these inputs.
      const outputs = toExistingOutputs({}, ids, update, connection.origin);
      return { id, inputs: address, outputs };
    }
    const history = (await incidents.find(incidentId))?.incidentUpdates ?? [];
    const recorded = createImportedRecord(parseInputs(declared, {}), update, history);
    const { occurrence } = recorded.declared;
    return {
      id,
      inputs: { ...inputs, ...(occurrence > 1 && { occurrence }) },
      outputs: kind.outputsOf(recorded, inputs, connection),
    };
  },
};

async function readState(id: string, old: Properties, context: Context): Promise<ResourceState> {
  const connection = getStoredConnection(kind.storedAt(id, old), context);
  const { origin } = connection;
  // The state of a new `get` only contains inputs.
  if (!("origin" in old)) {
    const ids = parseIds(id, "IncidentUpdate.get");
    const update = await connection
      .getIncidents(ids.statusPageId)
      .uncached.readUpdate(ids.incidentId, ids.incidentUpdateId);
    return { id, outputs: toExistingOutputs(old, ids, update, origin) };
  }
  const recorded = findRecord(kind, id, old);
  if (recorded?.kind === "sent") {
    context.notice(
      `${formatStoredTitle(id, old, context.label)}: still unconfirmed. \`pulumi up\` searches for the update.`,
    );
    return { id, outputs: old };
  }
  // A refresh replaces the temporary ID of an update that was found after a lost response. The ID of a `get` doesn't change.
  const shownId = recorded ? createResourceId(recorded, old) : id;
  const ids = recorded ? getIds(recorded, old) : parseIds(id, "IncidentUpdate");
  const update = await readUpdate(connection, ids);
  if (update) return { id: shownId, outputs: { ...old, published: toPublished(update), missing: false } };
  // Keep the outputs. Without them, the engine would remove the resource, and the next `up` would post the update again.
  context.notice(
    `${context.label(shownId)}: not found on the service. It stays in the state and is not posted again.`,
  );
  return { id: shownId, outputs: { ...old, missing: true } };
}

/**
 * Checks later entries before this entry is edited, because the engine checks them only after the edit. Entries that are already public are
 * allowed.
 */
async function assertLaterEntries(
  properties: Properties,
  { statusPageId, containerId }: Declaration,
  connection: Connection,
  { program, title }: Context,
): Promise<void> {
  const listProblemsUnless = (isPublic: (entry: Properties) => boolean) =>
    findLaterProblems(toDeclaredInputs(properties), {}, program, (entry) =>
      isPublic(entry.known) ? [] : checkUpdate(entry).problems,
    );
  if (listProblemsUnless(() => false).length === 0) return;
  const incident = await connection.getIncidents(statusPageId).find(containerId);
  const shown = incident?.incidentUpdates ?? [];
  const problems = listProblemsUnless(({ status, description }) =>
    shown.some((each) => each.status === status && sameText(each.description, String(description))),
  );
  if (problems.length > 0) throw new InvalidInputError(title, problems);
}

/** Returns the components that an incident affects, for a preview. Uses their IDs if their names can't be read. */
async function readImpacts(incident: AnyIncident | undefined, statusPageId: string, { reads }: Connection) {
  const lasting = listLastingImpacts(incident?.componentImpacts).filter(
    ({ status }) => status !== "OPERATIONAL",
  );
  if (lasting.length === 0) return [];
  const components = await reads.getComponents(statusPageId).catch((error: unknown) => {
    if (isMonitoringError(error)) return [];
    throw error;
  });
  const names = new Map(components.map(({ id, name }) => [id, name]));
  return lasting.map(({ componentId: id, status }) => ({
    component: names.get(id) ?? id,
    id,
    state: status ?? "UNKNOWN",
  }));
}

/** Returns undefined if the update or its incident doesn't exist. All updates of an incident share one read. */
async function readUpdate(
  connection: Connection,
  { statusPageId, incidentId, incidentUpdateId }: Ids,
): Promise<StatusPageIncidentUpdate | undefined> {
  const incidents = connection.getIncidents(statusPageId);
  const incident = await incidents.find(incidentId);
  if (!incident) return undefined;
  const wantedId = normalizeId(incidentUpdateId);
  const shown = incident.incidentUpdates?.find(({ id }) => normalizeId(id) === wantedId);
  // A history may contain only the latest updates, so read a missing update by its ID.
  return shown ?? ignoreNotFound(incidents.getUpdate(incidentId, incidentUpdateId));
}

const words = z.string().optional().catch(undefined);

/** Reads values by type only, because `check` validates them. A value of another type is treated as missing. */
const checkedDeclaration = z.object({
  incidentId: words,
  statusPageId: words,
  status: z.enum(updateStatuses).optional().catch(undefined),
  description: words,
  notifySubscribers: z.boolean().optional().catch(undefined),
  publicIncidentUpdateDate: words,
  occurrence: z.number().optional().catch(undefined),
  onChange: z.enum(onChangeValues).optional().catch(undefined),
});

/** Returns the keys of the other entries of the timeline. */
function getOrder(context: Pick<PreviewContext, "program">): Order {
  const place = getPlace(context);
  return place ? computeOrder(place, context.program?.key) : {};
}

/** Parses inputs that `check` has accepted. */
function parseInputs(properties: Properties, context: Pick<PreviewContext, "program">): Declaration {
  const { incidentId: containerId, ...others } = declaration.parse(properties);
  return { ...normalizeContent({ containerId, ...others }), ...getOrder(context) };
}

function parseKnownInputs({ known, unknown }: DeclaredInputs, context: Pick<PreviewContext, "program">) {
  const values = Object.entries({ ...defaults, ...known }).filter(([name]) => !unknown.has(name));
  const { description, incidentId, ...others } = checkedDeclaration.parse(Object.fromEntries(values));
  const located = incidentId === undefined ? others : { ...others, containerId: incidentId };
  const content = description === undefined ? located : normalizeContent({ ...located, description });
  return { ...content, ...getOrder(context) };
}
