/**
 * Implements the engine's verbs for an `IncidentUpdate`. The protocol decides what a run may post; the outputs store the protocol's
 * record and the origin of the update.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { lastingImpacts, type StatusPageIncidentUpdate, updateStatuses } from "../api";
import { InvalidInputError, isMonitoringError, MonitoringError } from "../client";
import { type AnyIncident, type Connection, undefinedIfAbsent } from "../connection";
import {
  type Comparison,
  foresee,
  type Foreseen,
  imported,
  isKept,
  keptAs,
  type Notice,
  type Posted,
  type Recorded,
  worded,
} from "../protocol";
import { fromProgram, plainObject, programInput, signatureKey, titleOf, unknownValue } from "../engine";
import { doubtsIn } from "../proofreading";
import { canonicalId, sameText, visibleText } from "../texts";
import { nameOf, noticeText, type PreviewFact, previewFact, refusedFact, refusalText } from "../wording";
import {
  changesOf,
  comparedConnection,
  connectionOf,
  connectionProblems,
  type Context,
  declaredIn,
  type DeclaredInputs,
  factsIn,
  type Lifecycle,
  PartialFailureError,
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
  recordIn,
  toField,
  toProperty,
} from "./incidentUpdateFields";
import { type Order, orderAt } from "./timeline";

const declaration = z.object(fields);

type Inputs = ReturnType<typeof inputsIn>;

export const incidentUpdate: Lifecycle = {
  facts: factsIn(fields, Object.keys(computed)),
  readsOnly: false,

  check(declared, old, context) {
    const checked = checkUpdate(declared, old, context);
    const problems = [
      ...checked.problems,
      ...connectionProblems(declared, context),
      ...laterProblems(declared, old, context.program, (entry) => [
        ...checkUpdate(entry).problems,
        ...connectionProblems(entry, context),
      ]),
    ];
    if (problems.length === 0 && Object.keys(old).length > 0)
      expectReplace(old, { ...declared, known: checked.inputs }, context);
    return { ...checked, problems };
  },

  diff(id, old, declared, context, isRefresh) {
    const recorded = recordedIn(id, old);
    const { changes } = changesOf(fields, old, declared);
    if (!recorded) return { changes, replaces: [] };
    const connection = comparedConnection(declared, stored(id, old), context, isRefresh);
    const known = isRefresh ? recorded : context.publishing.withOwnNotes(recorded, old, connection, context);
    const comparison = comparisonOf(known, old, declared, context);
    const { difference, newer } = context.publishing.diff(isRefresh ? undefined : connection, comparison);
    // Keys keep the entries apart, so that nothing is posted or edited.
    if (newer !== undefined)
      context.warn(
        `${context.title}: stands after ${nameOf(newer)}, which the page shows as the newer one. The page keeps its order.`,
      );
    switch (difference.kind) {
      case "same":
        return {
          changes: changes || (recorded.kind === "posted" && isSpelledAnew(recorded, declared.known)),
          replaces: [],
        };
      case "move":
        return { changes: true, replaces: [] };
      case "edit":
        if (!isRefresh && context.program?.key !== undefined && old["onChange"] !== "edit")
          throw new MonitoringError(`${context.title}: ${keysFirst}`);
        return { changes: true, mayPost: true, replaces: [] };
      case "settle":
        // A refresh clears the engine's own mark of an unfinished create. A change makes the engine call `update`.
        return { changes: true, mayPost: true, replaces: [] };
      case "replace":
        return { changes, replaces: difference.fields.map(toProperty) };
      case "refuse": {
        const { refusal } = difference;
        const { followedBy = context.program?.place === "later" ? [] : undefined } = comparison.declared;
        // The name of an entry with a key says more than an id: it may be that of a file.
        const isNamed = refusal.why !== "changed" || context.program?.key !== undefined;
        const stored = isNamed ? undefined : nameInState(id, old);
        const { statusPageId, ...inputs } = { ...comparison.declared, followedBy };
        throw new MonitoringError(
          refusalText(refusal, inputs, { title: context.title, stored, statusPageId }),
        );
      }
    }
  },

  async preview(declared, old, context) {
    const stored = old && recordIn(old.id, old.outputs);
    const subject = subjectOf(declared, context, stored);
    const { unknown } = declared;
    if (unknown.size > 0 || context.program?.place === "later")
      return reported(
        subject,
        foresee({
          declared: subject.declared,
          recorded: stored,
          unknown: new Set([...unknown].map(toField)),
        }),
      );
    const inputs = inputsIn(declared.known, context);
    const connection = connectionOf(inputs, context);
    const recorded = stored && context.publishing.withOwnNotes(stored, old.outputs, connection, context);
    const isMoved = old !== undefined && hasMoved(old.outputs, inputs);
    if (recorded && isKept(recorded, inputs, isMoved)) {
      await keptUpdate(recorded, inputs, connection);
      const remarks = stateNotices(old.outputs, recorded, inputs);
      return previewFact(subject, { kind: "kept", recorded, remarks });
    }
    const request = { connection, context, declared: inputs, isTextSecret: subject.isTextSecret };
    const previewing = context.publishing.preview({ ...request, was: recorded, isMoved });
    const { container: incident, doubts, ...foreseen } = await previewing;
    const isOfProvider = connection.source === "provider";
    const { statusPageId } = inputs;
    const impacts = statusPageId && (await impactsOf(incident, statusPageId, connection));
    const read = { incident, statusPageId, impacts: impacts || undefined };
    return reported({ ...subject, ...read, isOfProvider, ...(doubts && { doubts }) }, foreseen);
  },

  async apply(properties, old, context) {
    const inputs = inputsIn(properties, context);
    const connection = connectionOf(inputs, context);
    if (!old) return publish(inputs, connection, context);
    const { id } = old;
    const { publishing } = context;
    const recorded = publishing.withOwnNotes(recordIn(id, old.outputs), old.outputs, connection, context);
    const isMoved = hasMoved(old.outputs, inputs);
    const notices = recorded.kind === "posted" ? stateNotices(old.outputs, recorded, inputs) : [];
    for (const notice of notices) context.notice(noticeText(notice, inputs));
    if (!isKept(recorded, inputs, isMoved)) {
      await assertLaterEntries(properties, inputs, connection, context);
      return publish(inputs, connection, context, recorded, isMoved);
    }
    return { id, outputs: outputsOf(await keptUpdate(recorded, inputs, connection), connection.origin) };
  },

  async read(id, old, context) {
    const read = await readState(id, old, context);
    return { ...read, isDrifted: !isDeepStrictEqual(plainObject(read.outputs), old) };
  },

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
  { statusPageId, containerId }: Inputs,
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

/** The engine may replace what exists without calling `diff`. */
function expectReplace(oldInputs: Properties, declared: DeclaredInputs, context: Context): void {
  const { known, unknown } = declared;
  if (unknown.has("account")) return;
  const was = {
    kind: "inputs",
    declared: knownInputs({ known: oldInputs, unknown: new Set() }, {}),
  } as const;
  const comparison = comparisonOf(was, oldInputs, declared, context);
  context.publishing.diff(connectionOf(known, context), comparison);
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
  return reported(subjectOf(declared, context), { kind: "unknown", remarks });
}

/** @param old The properties of the state, or the old inputs. */
function comparisonOf(
  was: Comparison["was"],
  old: Properties,
  { known, unknown }: DeclaredInputs,
  context: Context,
) {
  const { resource } = context;
  // Where the incident is isn't known without its page.
  const isKnown = !unknown.has("statusPageId");
  const isLater = context.program?.place === "later";
  const all = new Set([...unknown, ...(isKnown ? [] : ["incidentId"]), ...(isLater ? ["followedBy"] : [])]);
  const declared = knownInputs({ known, unknown: all }, context);
  const fields = new Set([...all].map(toField));
  return { resource, was, declared, unknown: fields, isMoved: isKnown && hasMoved(old, declared) };
}

/** Whether the address of the incident has changed, and not the incident: its page was migrated to one with components. */
function hasMoved({ statusPageId: before }: Properties, { statusPageId: after }: Properties): boolean {
  return (before ?? undefined) !== after;
}

async function publish(
  inputs: Inputs,
  connection: Connection,
  context: Context,
  was?: Recorded,
  isMoved = false,
): Promise<ResourceState> {
  const request = {
    connection,
    context,
    declared: inputs,
    isTextSecret: isTextSecret(context),
    was,
    isMoved,
  };
  const ending = await context.publishing.publish(request);
  // The engine takes the id of a create alone.
  const stateOf = (recorded: Recorded) => ({
    id: idInState(recorded, inputs),
    outputs: outputsOf(recorded, connection.origin),
  });
  if (!("refusal" in ending)) return stateOf(ending.recorded);
  const text = refusalText(ending.refusal, inputs, {
    isOfProvider: connection.source === "provider",
    isTextSecret: request.isTextSecret,
    title: context.title,
  });
  throw ending.recorded ? new PartialFailureError(text, stateOf(ending.recorded)) : new MonitoringError(text);
}

function subjectOf(declared: DeclaredInputs, context: PreviewContext, recorded?: Recorded) {
  return {
    urn: context.resource,
    declared: knownInputs(declared, context),
    place: placeIn(context),
    order: context.program?.order,
    isTextSecret: isTextSecret(context),
    wasTextSecret: context.oldSecrets?.has("description") ?? false,
    recorded,
  };
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

/** @throws MonitoringError when the `up` would fail. */
function reported(subject: Parameters<typeof previewFact>[0], foreseen: Foreseen): PreviewFact {
  const isEdit = foreseen.kind === "edited";
  const { declared, doubts = doubtsIn({ declared, now: Date.now(), isEdit }) } = subject;
  if (foreseen.kind === "refused") {
    const title = titleOf(subject.urn, subject.place);
    const text = refusalText(foreseen.refusal, declared, { ...subject, title });
    throw new MonitoringError(text);
  }
  return previewFact({ ...subject, doubts }, foreseen);
}

const isTextSecret = ({ secrets }: PreviewContext): boolean => secrets?.has("description") ?? true;

/** Returns a notice of changes that reach the state alone, although they look like changes of the public update. */
function stateNotices(old: Properties, recorded: Posted, inputs: Inputs): Notice[] {
  const { notifySubscribers, occurrence } = inputs;
  const changed = {
    description: isSpelledAnew(recorded, inputs),
    notifySubscribers: notifySubscribers && old["notifySubscribers"] !== true,
    occurrence: occurrence !== recorded.declared.occurrence,
  };
  const fields = Object.entries(changed).flatMap(([name, isChanged]) => (isChanged ? [name] : []));
  return fields.length === 0 ? [] : [{ tell: "stateOnly", id: idInState(recorded, old), fields }];
}

/**
 * Returns the record of an update whose change isn't posted, because it reaches the state alone or is what the service already shows.
 *
 * @throws InvalidInputError if that text was edited again.
 */
async function keptUpdate(recorded: Posted, inputs: Inputs, connection: Connection): Promise<Posted> {
  const ids = idsOf(recorded, inputs);
  const kept = keptAs(recorded, inputs) ?? keptAs(recorded, inputs, await readUpdate(connection, ids));
  if (kept) return kept;
  throw new InvalidInputError(`IncidentUpdate ${idInState(recorded, inputs)}`, [
    {
      property: "description",
      reason:
        "or another declared field no longer matches: the update was changed on the service after the last refresh. " +
        "Nothing was posted. Run `pulumi refresh`, then `pulumi up`",
    },
  ]);
}

const stored = (id: string, old: Properties) => ({
  old,
  title: nameInState(id, old),
  relation: "the update was posted to",
});

/** Whether the texts only differ in escapes or encoding, so that the public update stays as it is. */
function isSpelledAnew(
  { declared: { description } }: Posted,
  { description: text, onChange }: Properties,
): boolean {
  if (typeof text !== "string" || onChange === "edit") return false;
  return visibleText(text) !== visibleText(description) && sameText(text, description);
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
function inputsIn(properties: Properties, context: Pick<PreviewContext, "program">) {
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
