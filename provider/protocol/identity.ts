/**
 * Identifies an entry among the entries of its container: an update of an incident by its status, its text and, when declared, its public
 * date; an incident of a status page by its name and its first update.
 */
import { type NewComponentImpact, type StatusPageIncidentUpdate, type UpdateStatus } from "../api";
import { parseMs, isNotBefore, sameSecond, parseSecond } from "../api/timestamps";
import { normalizeId, computeDigest, normalizeText, sameText, computeUuid } from "../texts";

/** The fields that distinguish an update from the others of its container. */
export interface Content extends Pick<
  StatusPageIncidentUpdate,
  "status" | "description" | "publicIncidentUpdateDate"
> {
  /** The name of an incident. The status and the description are then those of its first update. */
  readonly name?: string | undefined;
  /** The states of the components that an open incident affects, which don't identify it. */
  readonly componentImpacts?: readonly NewComponentImpact[] | undefined;
}

/** A content whose text is normalized and digested: once, when it enters the protocol. */
export interface NormalizedContent extends Content {
  /** The description, as a reader sees it. */
  readonly text: string;
  /**
   * Equal for updates with equal status and text. It is a digest, because a description may be a secret until it is public. States and
   * notes have it: a change of this formula, or of what it calls, makes them unrecognizable. So it changes only in a major version, with a
   * note. The tables in identity.test.ts fail then.
   */
  readonly contentKey: string;
}

/** An update as a read has shown it. */
export interface ShownUpdate
  extends
    StatusPageIncidentUpdate,
    Pick<NormalizedContent, "text" | "contentKey" | "name" | "componentImpacts"> {
  /** True for an incident that is resolved: an identical one may be wanted again, or the state may be lost. */
  readonly isOver?: boolean | undefined;
}

/** The fields whose change declares another update. */
export interface Identity extends NormalizedContent {
  readonly containerId: string;
  readonly status: UpdateStatus;
  readonly publicIncidentUpdateDate?: string;
  /** 1-based index among identical updates of the container. */
  readonly occurrence: number;
}

export interface Declaration extends Identity {
  /** The page of the container, if it is one with components. */
  readonly statusPageId?: string | undefined;
  readonly notifySubscribers: boolean;
  /** The impacts of an incident, as the program declares them: by names or IDs of components. */
  readonly impacts?: string | undefined;
  readonly onChange: "post" | "refuse" | "edit";
  /** The {@link computeEntryKey} of each later entry of the same timeline; undefined for an update that isn't an entry. */
  readonly followedBy?: readonly string[];
  /** The {@link computeEntryKey} of the entry before it; undefined for the first one, and for an update that isn't an entry. */
  readonly follows?: string;
  readonly entry?: string;
  /** The key that the program gives to the entry, by which its resource is named. */
  readonly key?: string | undefined;
}

/**
 * Whether the update matches the declaration. Without a declared date, any date matches. `notifySubscribers` is ignored: it
 * may change after the post, services may omit it, and a missing email can be sent later, a second one can't be undone.
 */
export function matches(
  declared: NormalizedContent,
  { contentKey, publicIncidentUpdateDate: date }: NormalizedContent,
): boolean {
  return matchesRecord(declared, { words: contentKey, date });
}

/** The same for what a record or a note has of an update. */
export function matchesRecord(
  { contentKey: declared, publicIncidentUpdateDate: declaredDate }: NormalizedContent,
  { words, date }: { readonly words: string; readonly date?: string | null | undefined },
): boolean {
  return words === declared && (declaredDate == null || sameSecond(date, declaredDate));
}

export function isSameDeclaration(a: Identity, b: Identity): boolean {
  return listChangedFields(a, b).length === 0;
}

/**
 * The fields in which two declarations differ, so that they declare two updates; an unknown one may differ. An edit also corrects what
 * a post doesn't: line breaks, white space and entities.
 */
export function listChangedFields(
  a: Partial<Declaration>,
  b: Partial<Declaration>,
  unknown: ReadonlySet<string> = new Set(),
): string[] {
  const [dateA, dateB] = [a.publicIncidentUpdateDate, b.publicIncidentUpdateDate];
  const isExact = [a, b].some(({ onChange }) => onChange === "edit");
  const same = {
    containerId: a.containerId === b.containerId,
    status: a.status === b.status,
    description: a.description === b.description || (!isExact && a.text !== undefined && a.text === b.text),
    name: a.name === b.name || sameText(a.name ?? "", b.name ?? ""),
    impacts: a.impacts === b.impacts,
    publicIncidentUpdateDate: dateA === dateB || sameSecond(dateA, dateB),
    occurrence: a.occurrence === b.occurrence,
  };
  return Object.entries(same).flatMap(([name, isSame]) => (isSame && !unknown.has(name) ? [] : [name]));
}

/** Whether an edit of the update can make these changes. With the content, its occurrence among identical updates may change. */
export function areEditable(fields: readonly string[]): boolean {
  return !fields.includes("containerId") && fields.some((name) => name !== "occurrence");
}

/** What a change of these fields does. Impacts describe the present, so that a change of only them is always an edit. */
export function onChangeOf<Value>(
  { onChange }: { readonly onChange?: Value },
  fields: readonly string[],
): Value | "edit" | undefined {
  const isOfImpacts = fields.length > 0 && fields.every((name) => name === "impacts");
  return isOfImpacts ? "edit" : onChange;
}

/** Whether a change of these fields edits the entry. */
export function isEditOf(declared: Partial<Declaration>, fields: readonly string[]): boolean {
  return areEditable(fields) && onChangeOf(declared, fields) === "edit";
}

/** Identifies what an update says: its words, its date and its impacts. */
export function computeContentVersion({
  contentKey,
  publicIncidentUpdateDate: date,
  componentImpacts,
}: Pick<NormalizedContent, "contentKey" | keyof Content>): string {
  const impacts = componentImpacts === undefined ? "" : `${impactsMark}${impactsKey(componentImpacts)}`;
  return `${computeEntryKey(contentKey, 1, date)}${impacts}`;
}

const impactsMark = "#impacts ";

function impactsKey(impacts: readonly NewComponentImpact[]): string {
  const lasting = impacts.filter(({ status }) => status !== "OPERATIONAL");
  return lasting
    .map(({ componentId, status }) => `${componentId}=${status}`)
    .sort()
    .join(" ");
}

/** Whether two results of {@link computeContentVersion} are equal. Those of an incident that is over, and of an update, contain no impacts. */
export function isSameSaid(one: string, other: string): boolean {
  const [[a], [b]] = [one.split(impactsMark), other.split(impactsMark)];
  return a === b && hasSameImpacts(one, other);
}

export function hasSameImpacts(one: string, other: string): boolean {
  const [[, a], [, b]] = [one.split(impactsMark), other.split(impactsMark)];
  return a === undefined || b === undefined || a === b;
}

/** Whether an open incident affects other components than declared, or in another way. */
export function hasOtherImpacts(declared: NormalizedContent, update: NormalizedContent): boolean {
  return matches(declared, update) && !matchesWhole(declared, update);
}

/** Whether the update matches the declaration, and its impacts do, as far as both are known. */
export function matchesWhole(declared: NormalizedContent, update: NormalizedContent): boolean {
  const dated = { ...declared, publicIncidentUpdateDate: update.publicIncidentUpdateDate };
  return matches(declared, update) && isSameSaid(computeContentVersion(dated), computeContentVersion(update));
}

/** A content that nobody has digested yet. */
export interface RawContent extends Content {
  readonly contentKey?: undefined;
}

/** @param known What is digested already: it may be the same. */
export function normalizeContent<const Of extends RawContent>(
  content: Of,
  known: readonly NormalizedContent[] = [],
): Of & Pick<NormalizedContent, "text" | "contentKey"> {
  const { status, description, name } = content;
  const same = known.find(
    (each) => each.status === status && each.description === description && each.name === name,
  );
  if (same) return { ...content, text: same.text, contentKey: same.contentKey };
  const text = normalizeText(description);
  const named = name === undefined ? [] : [normalizeText(name)];
  return { ...content, text, contentKey: computeDigest(JSON.stringify([status, text, ...named])) };
}

/** What is said, without what else is declared or shown. */
export function pickContent<Of extends NormalizedContent>(said: Of): Pick<Of, keyof NormalizedContent> {
  const { status, description, name, componentImpacts, text, contentKey, publicIncidentUpdateDate } = said;
  return { status, description, name, componentImpacts, text, contentKey, publicIncidentUpdateDate };
}

/** An update that was read. @param known See {@link normalizeContent}. */
export function normalizeUpdate(
  update: StatusPageIncidentUpdate & RawContent,
  known?: readonly NormalizedContent[],
): ShownUpdate {
  return normalizeContent({ ...update, id: normalizeId(update.id) }, known);
}

/**
 * Identifies an entry of a timeline among the updates of its container.
 *
 * @param date The public date of an entry whose words the timeline repeats. Elsewhere, the words alone identify it, so that a
 *   service which changes dates keeps the order.
 */
export function computeEntryKey(words: string, occurrence: number, date?: string | null): string {
  if (date != null) return `${words}#@${parseSecond(date)}`;
  return occurrence === 1 ? words : `${words}#${occurrence}`;
}

export function parseContentKey(entry: string): string {
  const [contentKey = ""] = entry.split("#", 1);
  return contentKey;
}

/** Equal for equal declarations of every stack and machine. Codes are about it. */
export function computeDeclarationKey(declared: Identity): string {
  const { containerId, contentKey, occurrence, publicIncidentUpdateDate: date } = declared;
  return JSON.stringify([containerId, contentKey, parseSecond(date), occurrence]);
}

/**
 * The id that a post sends. A service that uses it has one update of equal declarations of every stack and machine; nothing else is known
 * by it. The first repetition that the user permits has the same id, so that a killed one can't double it either; the next ones have others,
 * because the service may keep the id of a deleted update. A change of this formula, or of what it calls, posts again what another version has posted just now on another machine.
 */
export function computeUpdateId(declared: Identity, attempt: number): string {
  return computeUuid(
    attempt === 0 ? computeDeclarationKey(declared) : `${computeDeclarationKey(declared)} ${attempt}`,
  );
}

/** Sorts by timestamp. The service usually returns the newest first; equal timestamps keep its order, reversed. */
export function sortOldestFirst<Update extends StatusPageIncidentUpdate>(
  history: readonly Update[],
): readonly Update[] {
  return [...history].reverse().sort((a, b) => (parseMs(a.created_at) ?? 0) - (parseMs(b.created_at) ?? 0));
}

/** Sorts as the page does: by public dates, and by the times of entry where these are equal. */
export function sortByPublicDate(
  history: readonly StatusPageIncidentUpdate[],
): readonly StatusPageIncidentUpdate[] {
  const getDateMs = ({ publicIncidentUpdateDate: date, created_at }: StatusPageIncidentUpdate) =>
    parseMs(date) ?? parseMs(created_at) ?? 0;
  return [...sortOldestFirst(history)].sort((a, b) => getDateMs(a) - getDateMs(b));
}

/** The clocks of this machine and of the service may differ by this. */
const machineClockMs = 300_000;

/**
 * Whether the note is about an earlier container with the same ID, because a sandbox or test service was set up again: this container was
 * created after the post, and doesn't begin in the future. Other times of an incident change: teams correct when it began, and move
 * planned ones.
 *
 * @param note Its `containerCreatedAt` is the creation time of the container that the service showed then, and `at` the time of the post.
 * @param createdAt of the container, as the service shows it now.
 * @param now In milliseconds since 1970.
 */
export function isFromEarlierContainer(
  { containerCreatedAt, at }: { readonly containerCreatedAt: string | null; readonly at: number },
  createdAt: string | null,
  now: number,
): boolean {
  if (isNotBefore(containerCreatedAt, createdAt, 1_000)) return false;
  // Uses this machine's clock: if the service's is ahead, the note counts, which is the safe side.
  if (!isNotBefore(new Date(now).toISOString(), createdAt)) return false;
  return !isNotBefore(new Date(at).toISOString(), createdAt, machineClockMs);
}
