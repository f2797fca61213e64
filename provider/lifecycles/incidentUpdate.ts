/** `IncidentUpdate`: publishes an update in the history of a status-page incident exactly once. */
import {
  InvalidInputError,
  isMonitoringError,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../client";
import { type Connection, nearestIncident, undefinedIfAbsent } from "../connection";
import { canonicalId } from "../texts";
import {
  type Comparison,
  type Difference,
  isShownAsDeclared,
  matches,
  oldestFirst,
  type Posted,
  type Recorded,
  sameText,
  type Sent,
  conditionalText,
  emailEnabledText,
  occurrenceText,
  previewText,
  refusalText,
  refusedChange,
  removedText,
  respelledText,
  searchedText,
  uncertainText,
} from "../protocol";
import {
  existingOutputs,
  incidentUpdateFields as fields,
  type Inputs,
  joinId,
  knownInputs,
  knownOf,
  outputsOf,
  publishedOf,
  readDeclared,
  readInputs,
  recordedIn,
  sentId,
  splitId,
} from "./incidentUpdateState";
import {
  assertOrigin,
  comparedConnection,
  connectionOf,
  type Context,
  type DeclaredInputs,
  type Failure,
  type Lifecycle,
  type Properties,
  type ResourceState,
  storedConnection,
} from "./lifecycle";
import { changedFields, checkFields, outputsThatRepeat, secretFields } from "./fieldFacts";
import { transformedProblem } from "./timeline";

// Reads status-page incidents and their updates. One read of an incident serves all its updates.

/** Reads an update; undefined when it or its incident doesn't exist. */
export async function readUpdate(
  connection: Connection,
  incidentId: string,
  incidentUpdateId: string,
): Promise<StatusPageIncidentUpdate | undefined> {
  const incident = await readIncident(connection, incidentId);
  if (!incident) return undefined;
  const known = canonicalId(incidentUpdateId);
  const found = incident.incidentUpdates?.find(({ id }) => canonicalId(id) === known);
  // A long history may contain only its latest updates.
  return found ?? undefinedIfAbsent(connection.reads.incidentUpdate(incidentId, incidentUpdateId));
}

/** Reads an incident; undefined when it doesn't exist. */
async function readIncident(
  { reads }: Connection,
  incidentId: string,
): Promise<StatusPageIncident | undefined> {
  return undefinedIfAbsent(reads.statusPageIncident(incidentId));
}

/** What a user should know of a text that differs and is the same update: the public one stays as it is. */
function respelledNotices(
  id: string,
  recorded: Recorded | undefined,
  inputs: { readonly description: string },
): string[] {
  if (recorded?.kind !== "posted") return [];
  const { description } = recorded.declared;
  if (inputs.description === description || !sameText(inputs.description, description)) return [];
  return [respelledText(id)];
}

// An existing update: imported, with the inputs that a program has to declare, or only read.

/** @param id `<incidentId>/<incidentUpdateId>` */
const importUpdate: Lifecycle["import"] = async (id, context) => {
  const { incidentId, incidentUpdateId } = idsIn(id, "IncidentUpdate import");
  const connection = connectionOf({}, context);
  const update = await connection.client.getIncidentUpdate(incidentId, incidentUpdateId);
  // Without the public date: a program that omits it would otherwise replace the update, which posts it again.
  const inputs = {
    incidentId,
    status: update.status,
    description: update.description,
    ...(update.notifySubscribers === true && { notifySubscribers: true }),
  };
  const declared = readDeclared(inputs);
  if (!declared) {
    // The engine doesn't say whether it imports the update or only gets it. The check of the inputs refuses an import.
    const outputs = existingOutputs({}, incidentId, update, connection.origin);
    return { id, inputs: { incidentId }, outputs };
  }
  const history = (await readIncident(connection, incidentId))?.incidentUpdates ?? [];
  const matching = oldestFirst(history.filter((one) => matches(declared, one)));
  const index = matching.findIndex((one) => one.id === incidentUpdateId);
  const occurrence = index > 0 && { occurrence: index + 1 };
  return {
    id,
    inputs: { ...inputs, ...occurrence },
    outputs: outputsOf(
      {
        kind: "posted",
        id: update.id,
        declared: { ...declared, ...occurrence },
        published: update,
        createdAt: update.created_at,
        missing: false,
        past: [],
      },
      connection.origin,
    ),
  };
};

/** `IncidentUpdate.get`: reads an update of which only the id is known. */
async function readExisting(
  id: string,
  old: Properties,
  { client, origin }: Connection,
): Promise<ResourceState> {
  const { incidentId, incidentUpdateId } = idsIn(id, "IncidentUpdate.get");
  const update = await client.getIncidentUpdate(incidentId, incidentUpdateId);
  return { id, outputs: existingOutputs(old, incidentId, update, origin) };
}

function idsIn(id: string, operation: string): NonNullable<ReturnType<typeof splitId>> {
  const ids = splitId(id);
  if (ids) return ids;
  throw new InvalidInputError(operation, [
    { property: "id", reason: "must be <incidentId>/<incidentUpdateId>" },
  ]);
}

// What a refresh, or `IncidentUpdate.get`, makes of the state.

const refreshUpdate: Lifecycle["read"] = async (id, old, context) => {
  const connection = storedConnection(old, context);
  // A `get` stores only inputs at first.
  if (!("origin" in old)) return readExisting(id, old, connection);
  assertSameOrigin(id, old, connection);
  const recorded = recordedIn(id, old);
  if (recorded?.kind === "sent") {
    context.notice(`IncidentUpdate ${id}: still unconfirmed. \`pulumi up\` searches for it.`);
    return { id, outputs: old };
  }
  // Not the engine's id: for an update that was found after a lost response, that is still the unconfirmed one. A `get`
  // stores what the service showed, which may be no declaration: its id is the update's.
  const { incidentId = "", incidentUpdateId = "" } = recorded
    ? { incidentId: recorded.declared.incidentId, incidentUpdateId: recorded.id }
    : { ...splitId(id) };
  const known = joinId(incidentId, incidentUpdateId);
  const update = await readUpdate(connection, incidentId, incidentUpdateId);
  // Without these outputs the engine would remove the resource, and the next `up` would post the update again.
  if (!update) {
    context.notice(
      `IncidentUpdate ${known}: not found on the service. It stays in the state and is not posted again.`,
    );
    return { id: known, outputs: { ...old, missing: true } };
  }
  return { id: known, outputs: { ...old, published: publishedOf(update), missing: false } };
};

const assertSameOrigin = (id: string, old: Properties, connection: Connection): void =>
  assertOrigin(`IncidentUpdate ${id}`, old, connection, "the update was posted to");

export const incidentUpdate: Lifecycle = {
  fields: new Set(Object.keys(fields)),
  secrets: secretFields(fields),
  secretOutputs: (secretInputs) => outputsThatRepeat(fields, secretInputs),
  computed: ["incidentUpdateId", "createdAt", "published", "missing"],
  readsOnly: false,

  check(declared) {
    const checked = checkFields(fields, declared);
    return { ...checked, problems: [...checked.problems, ...transformedProblem(checked.inputs)] };
  },

  noteChange(oldInputs, declared, context) {
    const { known, unknown } = declared;
    if (unknown.has("account") || unknown.has("incidentId")) return;
    const was = { kind: "inputs", declared: knownInputs({ known: oldInputs, unknown: new Set() }) } as const;
    context.publishing.diff(connectionOf(known, context), comparisonOf(was, declared, context));
  },

  diff(id, old, declared, context) {
    const recorded = recordedIn(id, old);
    const changes = changedFields(fields, old, declared).length > 0;
    if (!recorded) return { changes, replaces: [] };
    const connection = comparedConnection(declared, old, context);
    if (connection) assertSameOrigin(id, old, connection);
    const learnsFor = context.afterRefresh ? undefined : connection;
    const difference = context.publishing.diff(learnsFor, comparisonOf(recorded, declared, context));
    switch (difference.kind) {
      case "same":
        return { changes: changes || isRespelled(id, recorded, declared), replaces: [] };
      case "settle":
        // A refresh clears the engine's own mark of an unfinished create. A change makes the engine call `update`.
        return { changes: true, replaces: [] };
      case "uncertain":
        // When the engine replaces a resource that this one depends on, it asks with unknown values, and would replace this
        // one, too, without asking again with the values.
        context.notice(uncertainText(id, difference.fields));
        return { changes, replaces: [] };
      case "replace":
        return { changes, replaces: difference.fields };
      case "refuse":
        return { changes, replaces: [], failure: diffRefusedText(id, difference.refusal, declared) };
    }
  },

  async preview(declared, old, context) {
    const recorded = old && recordedIn(old.id, old.outputs);
    if (old && recorded?.kind === "posted") return previewOfPosted(declared, old, recorded, context);
    const sent = recorded?.kind === "sent" ? recorded : undefined;
    const subject = {
      resource: context.resource,
      declared: knownOf(declared),
      isTextSecret: declared.secrets.has("description"),
      id: old?.id,
      isUnconfirmed: sent !== undefined,
    };
    if (declared.unknown.size > 0)
      return { notices: [sent ? searchedText(subject) : conditionalText(subject)] };
    const inputs = readInputs(declared.known);
    const connection = connectionOf(inputs, context);
    const request = { connection, context, declared: inputs, sent };
    const previewed = await context.publishing.preview(request);
    const text = previewText(previewed, { ...subject, declared: inputs });
    if (text.failure === undefined || previewed.isMissing !== true) return text;
    const near = await nearestIncident(connection.client, inputs.incidentId);
    return { ...text, failure: text.failure + near };
  },

  async create(properties, context) {
    const inputs = readInputs(properties);
    return publish(inputs, connectionOf(inputs, context), context);
  },

  read: refreshUpdate,

  import: importUpdate,

  async update(id, old, properties, context) {
    const inputs = readInputs(properties);
    const connection = connectionOf(inputs, context);
    const recorded = recordedIn(id, old);
    if (recorded?.kind === "sent") return publish(inputs, connection, context, { id, recorded });
    if (recorded) for (const notice of unpostedNotices(id, old, recorded, inputs)) context.notice(notice);
    const computed = Object.fromEntries(Object.entries(old).filter(([name]) => !(name in fields)));
    const { followedBy, follows, entry, __resource, ...declared } = inputs;
    if (!recorded || matches(inputs, recorded.declared)) return { id, outputs: { ...computed, ...declared } };
    const published = await readPublished(id, recorded, inputs, connection);
    return { id, outputs: { ...computed, ...declared, published, missing: false } };
  },

  async delete(id, old, context) {
    context.notice(removedText(id, "unconfirmed" in old));
    return Promise.resolve();
  },
};

function comparisonOf(was: Comparison["was"], declared: DeclaredInputs, { resource }: Context) {
  return { resource, was, declared: knownInputs(declared), unknown: declared.unknown };
}

async function publish(
  inputs: Inputs,
  connection: Connection,
  context: Context,
  unsettled?: { readonly id: string; readonly recorded: Sent },
): Promise<ResourceState | Failure> {
  const { incidentId } = inputs;
  const request = { connection, context, declared: inputs, sent: unsettled?.recorded };
  const published = await context.publishing.publish(request);
  const state = (recorded: Recorded): ResourceState => ({
    id:
      recorded.kind === "posted"
        ? joinId(recorded.declared.incidentId, recorded.id)
        : (unsettled?.id ?? sentId(incidentId, recorded.nonce)),
    outputs: outputsOf(recorded, connection.origin),
  });
  if (published.kind === "done") return state(published.posted);
  const { text: failure, keep } = published;
  return { failure, remembered: keep && state(keep) };
}

function isRespelled(id: string, recorded: Recorded, { known: { description } }: DeclaredInputs): boolean {
  return typeof description === "string" && respelledNotices(id, recorded, { description }).length > 0;
}

function diffRefusedText(
  id: string,
  refusal: Extract<Difference, { kind: "refuse" }>["refusal"],
  declared: DeclaredInputs,
): string {
  if (refusal.why === "twin") return refusalText(refusal, readInputs(declared.known));
  const isEntry = declared.known["followedBy"] !== undefined || declared.unknown.has("followedBy");
  return `IncidentUpdate ${id}: ${refusedChange(refusal.fields, isEntry)}.`;
}

/** Words that were edited on the service are recorded, unless they were edited again. */
async function previewOfPosted(
  declared: DeclaredInputs,
  { id, outputs }: ResourceState,
  recorded: Posted,
  context: Context,
): Promise<{ readonly notices: readonly string[]; readonly failure?: string }> {
  const inputs = declared.unknown.size === 0 ? readInputs(declared.known) : undefined;
  if (!inputs) return { notices: [] };
  const notices = unpostedNotices(id, outputs, recorded, inputs);
  if (matches(inputs, recorded.declared) || !isShownAsDeclared(recorded, inputs)) return { notices };
  try {
    await readPublished(id, recorded, inputs, connectionOf(inputs, context));
    return { notices };
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    return { notices: [], failure: error.message };
  }
}

/** What changes only in the state, although it may look as if it changed what is public. */
function unpostedNotices(id: string, old: Properties, recorded: Posted, inputs: Inputs): string[] {
  const enablesEmail = inputs.notifySubscribers && old["notifySubscribers"] !== true;
  return [
    ...respelledNotices(id, recorded, inputs),
    ...(enablesEmail ? [emailEnabledText(id)] : []),
    ...(recorded.declared.occurrence === inputs.occurrence ? [] : [occurrenceText(id, inputs.occurrence)]),
  ];
}

/** @throws InvalidInputError when what the service shows doesn't match the declaration. */
async function readPublished(
  id: string,
  { declared: { incidentId }, id: incidentUpdateId }: Posted,
  inputs: Inputs,
  connection: Connection,
): Promise<Properties> {
  const update = await readUpdate(connection, incidentId, incidentUpdateId);
  if (update && matches(inputs, update)) return publishedOf(update);
  throw new InvalidInputError(`IncidentUpdate ${id}`, [
    {
      property: "description",
      reason:
        "or another declared field no longer matches: the update was changed on the service after the last refresh. " +
        "Nothing was posted. Run `pulumi refresh`, then `pulumi up`",
    },
  ]);
}
