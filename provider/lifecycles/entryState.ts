/** Reads and writes the state of an entry: its outputs with the record of the protocol, its ID and its title in messages. */
import { InvalidInputError, isMonitoringError } from "../client";
import { type Connection } from "../connection";
import { decode, encode, type IdNames, type ShownUpdate, type UpdateRecord } from "../protocol";
import { computeDigest } from "../texts";
import { formatTypeLabel, getNounsOfType, type Label } from "../wording";
import { type Context, getStoredConnection, type Properties, type ResourceState } from "./lifecycle";

/** The names of a resource type and of its IDs. */
export interface EntryNames {
  readonly type: "IncidentUpdate" | "Incident";
  /** Names of the properties that contain the IDs of the container and of the entry. */
  readonly names: IdNames;
}

/** An entry as the service shows it. An incident has a name and impacts, an update may have a public date. */
export type ShownEntry = Pick<
  ShownUpdate,
  "status" | "description" | "publicIncidentUpdateDate" | "notifySubscribers" | "name" | "componentImpacts"
>;

/** The engine only uses the ID that `create` returns. */
export function toState(kind: EntryNames, recorded: UpdateRecord, { origin }: Connection): ResourceState {
  return {
    id: formatResourceId(kind, recorded),
    outputs: { ...encode(recorded, kind.names), origin },
  };
}

/**
 * Returns the ID of a resource. The ID of an unconfirmed entry isn't derived from its text, because IDs are visible and the text may be a
 * secret. This ID is kept until a refresh.
 */
export function formatResourceId({ type }: EntryNames, recorded: UpdateRecord): string {
  const { containerId, statusPageId } = recorded.declared;
  const last =
    recorded.kind === "posted"
      ? recorded.id
      : `${getNounsOfType(type).entry}-${computeDigest(recorded.nonce)}`;
  return joinIds(statusPageId === containerId ? undefined : statusPageId, containerId, last);
}

function joinIds(...ids: readonly unknown[]): string {
  return ids.filter((each) => typeof each === "string").join("/");
}

/** Returns the title of an entry in messages. Omits the ID of an unconfirmed entry, because it doesn't exist on the service. */
export function formatStoredTitle(
  { type, names }: EntryNames,
  id: string,
  old: Properties,
  label: Label = (shownId) => formatTypeLabel(type, shownId),
): string {
  const { [names.containerId]: containerId, [names.id]: entryId, statusPageId } = old;
  if (typeof containerId !== "string") return label(id);
  const page = names.containerId === "statusPageId" ? undefined : statusPageId;
  if (typeof entryId === "string") return label(joinIds(page, containerId, entryId));
  return "record" in old ? `${label()} on ${getNounsOfType(type).container} ${containerId}` : label(id);
}

/** Describes the origin of an entry, for an error about a changed connection. */
export function toOrigin(
  kind: EntryNames,
  id: string,
  old: Properties,
): Parameters<typeof getStoredConnection>[0] {
  const { entry, postedTo } = getNounsOfType(kind.type);
  return { old, title: formatStoredTitle(kind, id, old), relation: `the ${entry} was ${postedTo}` };
}

/** Returns an entry as the output `published` shows it. */
export function toPublished({
  name,
  status,
  description,
  publicIncidentUpdateDate,
  notifySubscribers,
  componentImpacts,
}: ShownEntry): Properties {
  return { name, status, description, publicIncidentUpdateDate, notifySubscribers, componentImpacts };
}

/**
 * Returns the record in the state. Undefined for a resource that a program only reads.
 * @throws InvalidInputError if the state can't be read, because a missing value could lead to a second post.
 */
export function findRecord(
  kind: EntryNames,
  id: string,
  { origin, impactWrites, ...old }: Properties,
): UpdateRecord | undefined {
  const decoded = decode(old, kind.names);
  if (decoded?.kind === "unreadable") throw createUnreadableStateError(kind.type, id, decoded.field);
  return decoded;
}

/** Reads the record of a declared entry. @throws InvalidInputError as {@link findRecord} does, and without a record. */
export function readRecord(kind: EntryNames, id: string, state: Properties): UpdateRecord {
  const recorded = findRecord(kind, id, state);
  if (recorded) return recorded;
  throw createUnreadableStateError(kind.type, id, "record");
}

/** Describes the public entry of a resource that is removed from the state, after `The update` or `The incident`. */
export function describeRemoved({ names }: EntryNames, old: Properties): string {
  if (old["missing"] === true) return "was missing at the last refresh";
  return typeof old[names.id] === "string" ? "stays public" : "may be public";
}

/**
 * Lets the name of a removed resource be used for another entry. The entry is removed from the state anyway, so a failure is ignored, such
 * as missing settings.
 */
export async function forgetRemoved(
  kind: EntryNames,
  id: string,
  old: Properties,
  context: Context,
): Promise<void> {
  try {
    const recorded = findRecord(kind, id, old);
    if (!recorded) return;
    const connection = getStoredConnection(toOrigin(kind, id, old), context);
    await context.publishing.forget(connection, recorded.declared, context);
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
  }
}

function createUnreadableStateError(
  type: EntryNames["type"],
  id: string,
  property: string,
): InvalidInputError {
  const { entry, container, posts, posted } = getNounsOfType(type);
  const reason =
    `can't be read from the state. Nothing was ${posted}. If a different version of pulumi-monitoring-service wrote the state, install that ` +
    "version. If the state was edited, restore it with `pulumi stack import`. Otherwise, check the public page, then remove the resource " +
    `from the state with \`pulumi state delete\`. The next \`pulumi up\` adopts the ${entry}, or ${posts} it if it isn't on the ${container}`;
  return new InvalidInputError(formatTypeLabel(type, id), [{ property, reason }]);
}
