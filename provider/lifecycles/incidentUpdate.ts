/** `IncidentUpdate`: publishes an update in the history of a status-page incident exactly once. */
import { InvalidInputError } from "../client";
import { type Connection } from "../connection";
import { noteReplacement, noteUnconfirmed, release, replacedBy, track } from "./claims";
import {
  changedFields,
  checkFields,
  isKnown,
  outputsThatRepeat,
  replacingFields,
  secretFields,
} from "./fields";
import { changeRefused } from "./changeRefused";
import { publishOrRecord, withTurn } from "./incidentUpdateCreation";
import {
  incidentUpdateFields as fields,
  type Inputs,
  readDeclared,
  readInputs,
  readState,
  type State,
} from "./incidentUpdateFields";
import { joinId, splitId } from "./incidentUpdateId";
import { declaredOutputs, existingOutputs, publishedOf } from "./incidentUpdateOutputs";
import { announceSettling, readUnconfirmed, settleLost, emailNotice } from "./incidentUpdateSettling";
import {
  type Declared,
  type Lifecycle,
  type Properties,
  type ResourceState,
  type Context,
} from "./lifecycle";
import { comparedConnection, connectionOf, assertOrigin, storedConnection } from "./origin";
import { importUpdate } from "./incidentUpdateImport";
import { readUpdate } from "./reading";
import { lostPosts, undecidedChanges } from "./resourceMemory";
import { matches } from "./updateContent";

export const incidentUpdate: Lifecycle = {
  fields: new Set(Object.keys(fields)),
  secrets: secretFields(fields),
  secretOutputs: (secretInputs) => outputsThatRepeat(fields, secretInputs),
  computed: ["incidentUpdateId", "createdAt", "published", "missing"],
  readsOnly: false,

  check: (declared) => ({ ...checkFields(fields, declared), announcement: announcementOf(declared) }),

  noteChange(oldInputs, declared, { resource }) {
    if (declared.known["onChange"] !== "refuse") return;
    const changed = replacingFields(fields, changedFields(fields, oldInputs, declared));
    undecidedChanges.set(resource, certainOf(changed, declared));
  },

  diff(id, old, declared, context) {
    undecidedChanges.delete(context.resource);
    const state = readState(old);
    const connection = state && comparedConnection(declared, old, context);
    if (connection) assertSameOrigin(id, old, connection);
    const inputs = isKnown(fields, declared) ? readDeclared(declared.known) : undefined;
    const changed = changedFields(fields, old, declared);
    const replacing = replacingFields(fields, changed);
    const replaces = inputs && isPublic(state, inputs, replacing, isEntry(declared)) ? [] : replacing;
    // With a later entry of the timeline unknown, the engine may only ask, and then call `diff` again.
    if (state && connection && inputs && declared.unknown.size === 0 && !context.afterRefresh) {
      recordPlan({ id, outputs: old, state }, replaces, inputs, connection, context);
    }
    if (state?.unconfirmed) {
      announceSettling(id, replaces.length > 0, declared, context);
      // A refresh clears the engine's own mark of an unfinished create. Reporting a change makes the engine call `update`.
      return { changes: true, replaces: [] };
    }
    const certain = certainOf(replaces, declared);
    if (replaces.length > 0) announceReplacement(id, replaces, certain, declared, context);
    // When the engine replaces a resource that this one depends on, it asks with unknown values, and would replace this
    // one, too, without asking again with the values.
    return { changes: changed.length > 0, replaces: certain.length > 0 ? replaces : [] };
  },

  async create(properties, context) {
    const inputs = readInputs(properties);
    const lost = lostPosts.get(context.resource);
    if (lost) {
      const outputs = await settleLost(lost, inputs, context);
      return { id: joinId(inputs.incidentId, String(outputs["incidentUpdateId"])), outputs };
    }
    const connection = connectionOf(inputs, context);
    return withTurn(connection, inputs.incidentId, context, (sentPosts) =>
      publishOrRecord(inputs, connection, context, sentPosts, replacedBy(connection, inputs)),
    );
  },

  async read(id, old, context) {
    const connection = storedConnection(old, context);
    // A `get` stores only inputs at first.
    if (!("origin" in old)) return readExisting(id, old, connection);
    assertSameOrigin(id, old, connection);
    const state = readState(old);
    if (state?.unconfirmed) return readUnconfirmed(id, old, state, connection, context);
    // Not the engine's id: for an update that was found after a lost response, that is still the unconfirmed one. A `get`
    // stores what the service showed, which may be no declaration: its id is the update's.
    const { incidentId = "", incidentUpdateId = "" } = { ...splitId(id), ...state };
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
  },

  import: importUpdate,

  async update(id, old, properties, context) {
    const inputs = readInputs(properties);
    const state = readState(old);
    const lost = lostPosts.get(context.resource) ?? (state?.unconfirmed && { id, outputs: old });
    if (lost) return settleLost(lost, inputs, context);
    const connection = connectionOf(inputs, context);
    if (inputs.notifySubscribers && state && !state.notifySubscribers) {
      context.notice(`IncidentUpdate ${id}: already posted, so enabling notifySubscribers sends no email.`);
    }
    if (state && state.occurrence !== inputs.occurrence) {
      context.notice(
        `IncidentUpdate ${id}: occurrence is now recorded as ${inputs.occurrence}; nothing is posted.`,
      );
    }
    const computed = Object.fromEntries(Object.entries(old).filter(([name]) => !(name in fields)));
    if (!state || matches(inputs, state)) return { ...computed, ...declaredOutputs(inputs) };
    const published = await readPublished(id, state, inputs, connection);
    return { ...computed, ...declaredOutputs(inputs), published, missing: false };
  },

  async delete(id, old, context) {
    const visibility = readState(old)?.unconfirmed ? "may be public" : "stays public";
    context.notice(
      `IncidentUpdate ${id}: removed from the state. The update ${visibility}: the API has no operation to delete it.`,
    );
    return Promise.resolve();
  },
};

/** The changes that don't depend on a value that is not known yet. */
function certainOf(changed: readonly string[], { unknown }: Declared): string[] {
  return changed.filter((name) => !unknown.has(name));
}

/**
 * Whether this update already matches the declaration, so that nothing has to be posted: a user edited it on the
 * service, and the program now declares the same. In a timeline, also when only the occurrence changed, because the
 * number of identical entries before it changed.
 */
function isPublic(
  state: State | undefined,
  inputs: Inputs,
  replacing: readonly string[],
  countsItself: boolean,
): boolean {
  if (!state?.incidentUpdateId || state.missing || !state.published) return false;
  const declaresAnother = replacing.filter((name) => !countsItself || name !== "occurrence");
  if (declaresAnother.length === 0) return true;
  if (declaresAnother.includes("incidentId") || declaresAnother.includes("occurrence")) return false;
  return matches(inputs, state.published);
}

/** Whether the declaration is an entry of a timeline, which counts its occurrence. */
function isEntry({ known, unknown }: Declared): boolean {
  return known["followedBy"] !== undefined || unknown.has("followedBy");
}

/** Records for the creates of this run what happens to a resource of the stack. */
function recordPlan(
  { id, outputs, state }: ResourceState & { state: State },
  replaces: readonly string[],
  inputs: Inputs,
  connection: Connection,
  { resource }: Context,
): void {
  const { incidentId, incidentUpdateId } = state;
  if (state.unconfirmed) {
    noteUnconfirmed(connection, state);
    lostPosts.set(resource, { id, outputs });
  } else if (incidentUpdateId === undefined) {
    return;
  } else if (replaces.length === 0) {
    track(connection, incidentId, incidentUpdateId, resource);
  } else {
    release(connection, incidentId, incidentUpdateId);
    if (inputs.incidentId === incidentId) noteReplacement(connection, inputs, incidentUpdateId);
  }
}

/** The update as the service shows it. @throws InvalidInputError when it doesn't match the declaration. */
async function readPublished(
  id: string,
  { incidentId, incidentUpdateId = "" }: State,
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

/** `IncidentUpdate.get`: reads an update of which only the id is known. */
async function readExisting(
  id: string,
  old: Properties,
  { client, origin }: Connection,
): Promise<ResourceState> {
  const parts = splitId(id);
  if (!parts) {
    throw new InvalidInputError("IncidentUpdate.get", [
      { property: "id", reason: "must be <incidentId>/<incidentUpdateId>" },
    ]);
  }
  const update = await client.getIncidentUpdate(parts.incidentId, parts.incidentUpdateId);
  return { id, outputs: existingOutputs(old, parts.incidentId, update, origin) };
}

function assertSameOrigin(id: string, old: Properties, connection: Connection): void {
  assertOrigin(`IncidentUpdate ${id}`, old, connection, "the update was posted to");
}

/** The notice of a preview: what is published, and whether subscribers are emailed. */
function announcementOf(declared: Declared): string {
  const { status, incidentId } = declared.known;
  const what = typeof status === "string" ? `an update with status ${status}` : "an update";
  const where =
    typeof incidentId === "string" ? `incident ${incidentId}` : "an incident that is not known yet";
  return `IncidentUpdate: ${what} will be published on ${where}, unless an identical one exists; ${emailNotice(declared)}.`;
}

function announceReplacement(
  id: string,
  replaces: readonly string[],
  certain: readonly string[],
  { known }: Declared,
  context: Context,
): void {
  if (known["onChange"] === "refuse" && certain.length > 0) {
    throw changeRefused(`IncidentUpdate ${id}`, certain);
  }
  if (certain.length === 0) {
    context.notice(
      `IncidentUpdate ${id}: ${replaces.join(", ")} not known yet. If the value changes, a new update replaces this one, ` +
        "which stays public.",
    );
    return;
  }
  context.notice(
    `IncidentUpdate ${id}: ${replaces.join(", ")} changed, so a new update replaces it; the old one stays public. ` +
      "If an older identical update exists, `pulumi up` fails before it posts anything; set `occurrence` to publish it again.",
  );
}
