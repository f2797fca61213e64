/**
 * Implements the engine's verbs for an `IncidentUpdate`. The protocol decides whether a run may post. The outputs contain the protocol's
 * record and the origin of the update.
 */
import { z } from "zod";
import { listLastingImpacts, type StatusPageIncidentUpdate, updateStatuses } from "../api";
import { InvalidInputError } from "../client";
import { type AnyIncident, type Connection, ignoreNotFound } from "../connection";
import { createRecord, type Declaration, normalizeContent } from "../protocol";
import { normalizeId, sameText } from "../texts";
import { createEntryLifecycle, type EntryKind, type EntryRequest } from "./entries";
import { describeRemoved, forgetRemoved, formatStoredTitle, toState } from "./entryState";
import { readComponentNames } from "./impacts";
import {
  getConnection,
  findConnectionProblems,
  toDeclaredInputs,
  type DeclaredInputs,
  type Lifecycle,
  type PreviewContext,
  type Properties,
} from "./lifecycle";
import {
  checkUpdate,
  computed,
  defaults,
  toExistingOutputs,
  fields,
  type Ids,
  parseIds,
  findLaterProblems,
  getPlace,
} from "./incidentUpdateFields";
import { type Order, computeOrder } from "./timeline";

const declaration = z.object(fields);

const kind: EntryKind = {
  type: "IncidentUpdate",
  fields,
  computed: Object.keys(computed),
  names: { containerId: "incidentId", id: "incidentUpdateId" },

  check: checkUpdate,
  toDeclaration: parseInputs,
  toKnown: parseKnownInputs,

  readShown: ({ id: incidentUpdateId, declared: { containerId: incidentId, statusPageId } }, connection) =>
    readUpdate(connection, { statusPageId, incidentId, incidentUpdateId }),

  async describe(incident, { statusPageId }, connection) {
    return typeof statusPageId === "string" ? readImpacts(incident, statusPageId, connection) : undefined;
  },

  timeline: {
    findLaterProblems: (declared, old, context) =>
      findLaterProblems(declared, old, context.program, (entry) => [
        ...checkUpdate(entry).problems,
        ...findConnectionProblems(entry, context),
      ]),
    assertLater: assertLaterEntries,
    async readExisting(id, old, connection) {
      const ids = parseIds(id, "IncidentUpdate.get");
      const { uncached } = connection.getIncidents(ids.statusPageId);
      // The state of a new `get` only contains inputs. Later, a missing update doesn't fail a refresh.
      const update = await ("origin" in old
        ? readUpdate(connection, ids)
        : uncached.readUpdate(ids.incidentId, ids.incidentUpdateId));
      if (!update) return { id, outputs: { ...old, missing: true } };
      return { id, outputs: toExistingOutputs(old, ids, update, connection.origin) };
    },
  },
};

export const incidentUpdate: Lifecycle = {
  ...createEntryLifecycle(kind),

  async delete(id, old, context) {
    const isOwned = context.publishing.isOwned(old["incidentId"], old["incidentUpdateId"]);
    const advice = old["missing"] === true ? "" : " To take it off the page, delete it in the dashboard.";
    const removed = isOwned
      ? // Another resource owns the update, because the program has a new name for it.
        "a resource in the state still owns this update. Only an earlier record of it is removed."
      : `removed from the state. The update ${describeRemoved(kind, old)}.${advice}`;
    context.notice(`${formatStoredTitle(kind, id, old, context.label)}: ${removed}`);
    await forgetRemoved(kind, id, old, context);
  },

  async import(id, context) {
    const ids = parseIds(id, "IncidentUpdate import");
    const { statusPageId, incidentId, incidentUpdateId } = ids;
    const connection = getConnection({}, context);
    const incidents = connection.getIncidents(statusPageId);
    const update = await incidents.uncached.readUpdate(incidentId, incidentUpdateId);
    // Omit the public date, because a program without a date would otherwise declare a change.
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
    const recorded = createRecord(
      parseInputs(declared, {}),
      normalizeContent({ ...update, id: normalizeId(update.id) }),
    );
    return { id, inputs, outputs: toState(kind, recorded, connection).outputs };
  },
};

/**
 * Checks later entries before this entry is edited, because the engine checks them only after the edit. Entries that are already public are
 * allowed.
 */
async function assertLaterEntries({ inputs, declared, connection, context }: EntryRequest): Promise<void> {
  const { program, title } = context;
  const listProblemsUnless = (isPublic: (entry: Properties) => boolean) =>
    findLaterProblems(toDeclaredInputs(inputs), {}, program, (entry) =>
      isPublic(entry.known) ? [] : checkUpdate(entry).problems,
    );
  if (listProblemsUnless(() => false).length === 0) return;
  const incident = await connection.getIncidents(declared.statusPageId).find(declared.containerId);
  const shown = incident?.incidentUpdates ?? [];
  const problems = listProblemsUnless(({ status, description }) =>
    shown.some((each) => each.status === status && sameText(each.description, String(description))),
  );
  if (problems.length > 0) throw new InvalidInputError(title, problems);
}

/** Returns the components that an incident affects, for a preview. Uses their IDs if their names can't be read. */
async function readImpacts(incident: AnyIncident | undefined, statusPageId: string, connection: Connection) {
  const lasting = listLastingImpacts(incident?.componentImpacts).filter(
    ({ status }) => status !== "OPERATIONAL",
  );
  if (lasting.length === 0) return [];
  const names = await readComponentNames(connection, statusPageId);
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

const text = z.string().optional().catch(undefined);

/** Reads values by type only, because `check` validates them. A value of another type is treated as missing. */
const checkedDeclaration = z.object({
  incidentId: text,
  statusPageId: text,
  status: z.enum(updateStatuses).optional().catch(undefined),
  description: text,
  notifySubscribers: z.boolean().optional().catch(undefined),
  publicIncidentUpdateDate: text,
});

/** Returns the key of the entry and, as soon as all texts of the timeline are known, the keys of the other entries. */
function getOrder(context: Pick<PreviewContext, "program">): Order {
  const { key } = context.program ?? {};
  const place = getPlace(context);
  return place ? computeOrder(place, key) : { key };
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
