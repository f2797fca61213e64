/**
 * Identifies an entry among the entries of its container: an update of an incident by its status, its text and, when declared, its public
 * date; an incident of a status page by its name and its first update.
 */
import { type NewComponentImpact, type StatusPageIncidentUpdate, type UpdateStatus } from "../api";
import { msOf, notBefore, sameSecond, secondOf } from "../api/timestamps";
import { canonicalId, digestOf, normalizeText, sameText, uuidOf } from "../texts";

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
export interface Said extends Content {
  /** The description, as a reader sees it. */
  readonly text: string;
  /**
   * Equal for updates with equal status and text. It is a digest, because a description may be a secret until it is public. States and
   * notes have it: a change of this formula, or of what it calls, makes them unrecognizable. So it changes only in a major version, with a
   * note. The tables in identity.test.ts fail then.
   */
  readonly words: string;
}

/** An update as a read has shown it. */
export interface Seen
  extends StatusPageIncidentUpdate, Pick<Said, "text" | "words" | "name" | "componentImpacts"> {
  /** True for an incident that is resolved: an identical one may be wanted again, or the state may be lost. */
  readonly isOver?: boolean | undefined;
}

/** The fields whose change declares another update. */
export interface Identity extends Said {
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
  /** The {@link entryKey} of each later entry of the same timeline; undefined for an update that isn't an entry. */
  readonly followedBy?: readonly string[];
  /** The {@link entryKey} of the entry before it; undefined for the first one, and for an update that isn't an entry. */
  readonly follows?: string;
  readonly entry?: string;
  /** The key that the program gives to the entry, by which its resource is named. */
  readonly key?: string | undefined;
}

/**
 * Whether the update matches the declaration. Without a declared date, any date matches. `notifySubscribers` is ignored: it
 * may change after the post, services may omit it, and a missing email can be sent later, a second one can't be undone.
 */
export function matches(declared: Said, { words, publicIncidentUpdateDate: date }: Said): boolean {
  return says(declared, { words, date });
}

/** The same for what a record or a note has of an update. */
export function says(
  { words: declared, publicIncidentUpdateDate: declaredDate }: Said,
  { words, date }: { readonly words: string; readonly date?: string | null | undefined },
): boolean {
  return words === declared && (declaredDate == null || sameSecond(date, declaredDate));
}

export function isSameDeclaration(a: Identity, b: Identity): boolean {
  return changedIdentity(a, b).length === 0;
}

/**
 * The fields in which two declarations differ, so that they declare two updates; an unknown one may differ. An edit also corrects what
 * a post doesn't: line breaks, white space and entities.
 */
export function changedIdentity(
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
export function saidBy({
  words,
  publicIncidentUpdateDate: date,
  componentImpacts,
}: Pick<Said, "words" | keyof Content>): string {
  const impacts = componentImpacts === undefined ? "" : `${impactsMark}${impactsKey(componentImpacts)}`;
  return `${entryKey(words, 1, date)}${impacts}`;
}

const impactsMark = "#impacts ";

function impactsKey(impacts: readonly NewComponentImpact[]): string {
  const lasting = impacts.filter(({ status }) => status !== "OPERATIONAL");
  return lasting
    .map(({ componentId, status }) => `${componentId}=${status}`)
    .sort()
    .join(" ");
}

/** Whether two results of {@link saidBy} are equal. Those of an incident that is over, and of an update, contain no impacts. */
export function isSameSaid(one: string, other: string): boolean {
  const [[a], [b]] = [one.split(impactsMark), other.split(impactsMark)];
  return a === b && hasSameImpacts(one, other);
}

export function hasSameImpacts(one: string, other: string): boolean {
  const [[, a], [, b]] = [one.split(impactsMark), other.split(impactsMark)];
  return a === undefined || b === undefined || a === b;
}

/** Whether the update matches the declaration, and its impacts do, as far as both are known. */
export function matchesWhole(declared: Said, update: Said): boolean {
  const dated = { ...declared, publicIncidentUpdateDate: update.publicIncidentUpdateDate };
  return matches(declared, update) && isSameSaid(saidBy(dated), saidBy(update));
}

/** A content that nobody has digested yet. */
export interface Raw extends Content {
  readonly words?: undefined;
}

/** @param known What is digested already: it may be the same. */
export function worded<const Of extends Raw>(
  content: Of,
  known: readonly Said[] = [],
): Of & Pick<Said, "text" | "words"> {
  const { status, description, name } = content;
  const same = known.find(
    (each) => each.status === status && each.description === description && each.name === name,
  );
  if (same) return { ...content, text: same.text, words: same.words };
  const text = normalizeText(description);
  const named = name === undefined ? [] : [normalizeText(name)];
  return { ...content, text, words: digestOf(JSON.stringify([status, text, ...named])) };
}

/** What is said, without what else is declared or shown. */
export function contentOf<Of extends Said>(said: Of): Pick<Of, keyof Said> {
  const { status, description, name, componentImpacts, text, words, publicIncidentUpdateDate } = said;
  return { status, description, name, componentImpacts, text, words, publicIncidentUpdateDate };
}

/** An update that was read. @param known See {@link worded}. */
export function seen(update: StatusPageIncidentUpdate & Raw, known?: readonly Said[]): Seen {
  return worded({ ...update, id: canonicalId(update.id) }, known);
}

/**
 * Identifies an entry of a timeline among the updates of its container.
 *
 * @param date The public date of an entry whose words the timeline repeats. Elsewhere, the words alone identify it, so that a
 *   service which changes dates keeps the order.
 */
export function entryKey(words: string, occurrence: number, date?: string | null): string {
  if (date != null) return `${words}#@${secondOf(date)}`;
  return occurrence === 1 ? words : `${words}#${occurrence}`;
}

export function wordsOfEntry(entry: string): string {
  const [words = ""] = entry.split("#", 1);
  return words;
}

/** Equal for equal declarations of every stack and machine. Codes are about it. */
export function keyOf(declared: Identity): string {
  const { containerId, words, occurrence, publicIncidentUpdateDate: date } = declared;
  return JSON.stringify([containerId, words, secondOf(date), occurrence]);
}

/**
 * The id that a post sends. A service that uses it has one update of equal declarations of every stack and machine; nothing else is known
 * by it. The first repetition that the user permits has the same id, so that a killed one can't double it either; the next ones have others,
 * because the service may keep the id of a deleted update. A change of this formula, or of what it calls, posts again what another version has posted just now on another machine.
 */
export function idOf(declared: Identity, attempt: number): string {
  return uuidOf(attempt === 0 ? keyOf(declared) : `${keyOf(declared)} ${attempt}`);
}

/** Sorts by timestamp. The service usually returns the newest first; equal timestamps keep its order, reversed. */
export function oldestFirst<Update extends StatusPageIncidentUpdate>(
  history: readonly Update[],
): readonly Update[] {
  return [...history].reverse().sort((a, b) => (msOf(a.created_at) ?? 0) - (msOf(b.created_at) ?? 0));
}

/** Sorts as the page does: by public dates, and by the times of entry where these are equal. */
export function byPublicDate(
  history: readonly StatusPageIncidentUpdate[],
): readonly StatusPageIncidentUpdate[] {
  const dateOf = ({ publicIncidentUpdateDate: date, created_at }: StatusPageIncidentUpdate) =>
    msOf(date) ?? msOf(created_at) ?? 0;
  return [...oldestFirst(history)].sort((a, b) => dateOf(a) - dateOf(b));
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
export function isOfEarlierContainer(
  { containerCreatedAt, at }: { readonly containerCreatedAt: string | null; readonly at: number },
  createdAt: string | null,
  now: number,
): boolean {
  if (notBefore(containerCreatedAt, createdAt, 1_000)) return false;
  // Uses this machine's clock: if the service's is ahead, the note counts, which is the safe side.
  if (!notBefore(new Date(now).toISOString(), createdAt)) return false;
  return !notBefore(new Date(at).toISOString(), createdAt, machineClockMs);
}
