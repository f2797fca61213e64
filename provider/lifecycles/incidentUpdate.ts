/**
 * Implements the engine's verbs for an `IncidentUpdate`. The protocol decides what a run may post; the outputs store the protocol's
 * record and the origin of the update.
 */
import { z } from "zod";
import { lastingImpacts, type StatusPageIncidentUpdate, updateStatuses } from "../api";
import { InvalidInputError, isMonitoringError, MonitoringError } from "../client";
import { type AnyIncident, type Connection, undefinedIfAbsent } from "../connection";
import { type Declaration, imported, worded } from "../protocol";
import { fromProgram, programInput, signatureKey, unknownValue } from "../engine";
import { canonicalId, sameText } from "../texts";
import { type PreviewFact, refusedFact } from "../wording";
import { createEntryLifecycle, type EntryKind, reported, subjectOf } from "./entries";
import {
  connectionOf,
  connectionProblems,
  type Context,
  declaredIn,
  type DeclaredInputs,
  type Lifecycle,
  type PreviewContext,
  type Properties,
  type ResourceState,
  storedConnection,
  withoutValue,
} from "./lifecycle";
import {
  checkUpdate,
  computed,
  defaults,
  existingOutputs,
  fields,
  idInState,
  type Ids,
  idsIn,
  idsOf,
  laterProblems,
  nameInState,
  onChangeValues,
  outputsOf,
  placeIn,
  publishedOf,
  recordedIn,
  toField,
  toProperty,
} from "./incidentUpdateFields";
import { type Order, orderAt } from "./timeline";

const declaration = z.object(fields);

const stored = (id: string, old: Properties) => ({
  old,
  title: nameInState(id, old),
  relation: "the update was posted to",
});

const kind: EntryKind = {
  fields,
  computed: Object.keys(computed),

  check(declared, old, context) {
    const checked = checkUpdate(declared, old, context);
    const later = laterProblems(declared, old, context.program, (entry) => [
      ...checkUpdate(entry).problems,
      ...connectionProblems(entry, context),
    ]);
    return { ...checked, problems: [...checked.problems, ...later] };
  },

  toDeclaration: inputsIn,
  toKnown: knownInputs,
  toField,
  toProperty,

  hasMoved: ({ statusPageId: before }, { statusPageId: after }) =>
    (before ?? undefined) !== (after ?? undefined),

  recordedIn,
  idOf: idInState,
  outputsOf: (recorded, _, { origin }) => outputsOf(recorded, origin),
  nameInState,
  storedAt: stored,
  complete: (declared) => Promise.resolve(declared),

  async describe(incident, { statusPageId }, _, connection) {
    const impacts = statusPageId && (await impactsOf(incident, statusPageId, connection));
    return { statusPageId, impacts: impacts || undefined };
  },

  readShown: (recorded, inputs, connection) => readUpdate(connection, idsOf(recorded, inputs)),

  assertEditable(old, { program, title }) {
    if (program?.key !== undefined && old["onChange"] !== "edit")
      throw new MonitoringError(`${title}: ${keysFirst}`);
  },

  assertLater: assertLaterEntries,
  read: readState,
};

export const incidentUpdate: Lifecycle = {
  ...createEntryLifecycle(kind),

  async delete(id, old, context) {
    const isOwned = context.publishing.isOwned(old["incidentId"], old["incidentUpdateId"]);
    const visibility = "unconfirmed" in old ? "may be public" : "stays public";
    const removed = isOwned
      ? // A resource has the update now, such as the replacement after an edit by hand.
        "stays in the state. Only an earlier record of it is removed."
      : `removed from the state. The update ${visibility}. To take it off the page, delete it in the dashboard.`;
    context.notice(`${nameInState(id, old)}: ${removed}`);
    return Promise.resolve();
  },

  async import(id, context) {
    const ids = idsIn(id, "IncidentUpdate import");
    const { statusPageId, incidentId, incidentUpdateId } = ids;
    const connection = connectionOf({}, context);
    const incidents = connection.incidentsOn(statusPageId);
    const update = await incidents.uncached.readUpdate(incidentId, incidentUpdateId);
    // The public date is left out: a program that omits it would otherwise replace the update, which posts it again.
    const address = { ...(statusPageId !== undefined && { statusPageId }), incidentId };
    const inputs = {
      ...address,
      status: update.status,
      description: update.description,
      ...(update.notifySubscribers === true && { notifySubscribers: true }),
    };
    const declared = declaration.safeParse(inputs).data;
    if (!declared) {
      // The engine doesn't say whether it imports the update or only gets it. The check of the inputs refuses an import.
      const outputs = existingOutputs({}, ids, update, connection.origin);
      return { id, inputs: address, outputs };
    }
    const history = (await incidents.find(incidentId))?.incidentUpdates ?? [];
    const recorded = imported(inputsIn(declared, {}), update, history);
    const { occurrence } = recorded.declared;
    return {
      id,
      inputs: { ...inputs, ...(occurrence > 1 && { occurrence }) },
      outputs: outputsOf(recorded, connection.origin),
    };
  },
};

/** An entry that its place named until now may be another one. */
const keysFirst =
  'must not change in the run that gives it its key or sets onChange to "edit", because until then its place in the timeline ' +
  "may name it. Nothing was edited. Restore the texts and the order of the entries, run `pulumi up`, which posts nothing, then correct the text.";

async function readState(id: string, old: Properties, context: Context): Promise<ResourceState> {
  const connection = storedConnection(stored(id, old), context);
  const { origin } = connection;
  // A `get` stores only inputs at first.
  if (!("origin" in old)) {
    const ids = idsIn(id, "IncidentUpdate.get");
    const update = await connection
      .incidentsOn(ids.statusPageId)
      .uncached.readUpdate(ids.incidentId, ids.incidentUpdateId);
    return { id, outputs: existingOutputs(old, ids, update, origin) };
  }
  const recorded = recordedIn(id, old);
  if (recorded?.kind === "sent") {
    context.notice(`${nameInState(id, old)}: still unconfirmed. \`pulumi up\` searches for it.`);
    return { id, outputs: old };
  }
  // An update that was found after a lost response keeps its unconfirmed id until a refresh. A `get` keeps the id that it was given.
  const shownId = recorded ? idInState(recorded, old) : id;
  const ids = recorded ? idsOf(recorded, old) : idsIn(id, "IncidentUpdate");
  const update = await readUpdate(connection, ids);
  if (update) return { id: shownId, outputs: { ...old, published: publishedOf(update), missing: false } };
  // The engine would remove the resource if these outputs were missing, and the next `up` would post the update again.
  context.notice(
    `IncidentUpdate ${shownId}: not found on the service. It stays in the state and is not posted again.`,
  );
  return { id: shownId, outputs: { ...old, missing: true } };
}

/** The engine checks later entries after the edit of this one. What is public already, as their states say, stays permitted. */
async function assertLaterEntries(
  properties: Properties,
  { statusPageId, containerId }: Declaration,
  connection: Connection,
  { program, title }: Context,
): Promise<void> {
  const problemsUnless = (isPublic: (entry: Properties) => boolean) =>
    laterProblems(declaredIn(properties), {}, program, (entry) =>
      isPublic(entry.known) ? [] : checkUpdate(entry).problems,
    );
  if (problemsUnless(() => false).length === 0) return;
  const incident = await connection.incidentsOn(statusPageId).find(containerId);
  const shown = incident?.incidentUpdates ?? [];
  const problems = problemsUnless(({ status, description }) =>
    shown.some((each) => each.status === status && sameText(each.description, String(description))),
  );
  if (problems.length > 0) throw new InvalidInputError(title, problems);
}

/**
 * Checks and reports a declaration whose provider isn't known yet, so that the engine doesn't call it.
 *
 * @param inputs As a plan has them, in which secrets are marked.
 */
export function unaskedFact(urn: string, inputs: Properties): PreviewFact {
  const isMarked = (value: unknown) => typeof value === "object" && value !== null && signatureKey in value;
  const secrets = new Set(Object.keys(inputs).filter((name) => isMarked(inputs[name])));
  const values = Object.entries(inputs).map(([name, value]): [string, unknown] => [
    name,
    secrets.has(name) ? unknownValue : value,
  ]);
  const { [programInput]: hidden, ...news } = Object.fromEntries(values);
  const [declared, context] = [declaredIn(news), { resource: urn, secrets, program: fromProgram(hidden) }];
  const problems = checkUpdate(declared, {}, context).problems.map(withoutValue);
  if (problems.length > 0)
    return refusedFact(
      urn,
      problems.map(({ reason }) => reason),
    );
  const remarks = [{ tell: "notKnown", fields: ["provider"] } as const];
  return reported(subjectOf(kind, declared, context), { kind: "unknown", remarks });
}

/** What an incident does to components: for a preview, which reads their names once. Their ids say it, too. */
async function impactsOf(incident: AnyIncident | undefined, statusPageId: string, { reads }: Connection) {
  const lasting = lastingImpacts(incident?.componentImpacts).filter(({ status }) => status !== "OPERATIONAL");
  if (lasting.length === 0) return [];
  const components = await reads.components(statusPageId).catch((error: unknown) => {
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

/** Returns undefined if the update or its incident doesn't exist. One read of an incident serves all its updates. */
async function readUpdate(
  connection: Connection,
  { statusPageId, incidentId, incidentUpdateId }: Ids,
): Promise<StatusPageIncidentUpdate | undefined> {
  const incidents = connection.incidentsOn(statusPageId);
  const incident = await incidents.find(incidentId);
  if (!incident) return undefined;
  const wantedId = canonicalId(incidentUpdateId);
  const shown = incident.incidentUpdates?.find(({ id }) => canonicalId(id) === wantedId);
  // A long history may contain only its latest updates.
  return shown ?? undefinedIfAbsent(incidents.update(incidentId, incidentUpdateId));
}

const words = z.string().optional().catch(undefined);

/** Reads values by their types alone, because `check` validates them. A value of another type counts as not given. */
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

/** What the timeline of an entry says of the others. */
function orderIn(context: Pick<PreviewContext, "program">): Order {
  const place = placeIn(context);
  return place ? orderAt(place, context.program?.key) : {};
}

/** The inputs that `check` has accepted. */
function inputsIn(properties: Properties, context: Pick<PreviewContext, "program">): Declaration {
  const { incidentId: containerId, ...others } = declaration.parse(properties);
  return { ...worded({ containerId, ...others }), ...orderIn(context) };
}

function knownInputs({ known, unknown }: DeclaredInputs, context: Pick<PreviewContext, "program">) {
  const values = Object.entries({ ...defaults, ...known }).filter(([name]) => !unknown.has(name));
  const { description, incidentId, ...others } = checkedDeclaration.parse(Object.fromEntries(values));
  const located = incidentId === undefined ? others : { ...others, containerId: incidentId };
  const content = description === undefined ? located : worded({ ...located, description });
  return { ...content, ...orderIn(context) };
}
