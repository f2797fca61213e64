/**
 * Identifies an entry of a container. An incident's update is identified by its status, its text and, if declared, its public date. A
 * page's incident is identified by its name and its first update.
 */
import { type NewComponentImpact, type StatusPageIncidentUpdate, type UpdateStatus } from "../api";
import { isNotBefore, sameSecond, parseSecond } from "../api/timestamps";
import { normalizeId, computeDigest, normalizeText, sameText, computeUuid } from "../texts";

/** The fields that distinguish an update from the other updates of its container. */
export interface Content extends Pick<
  StatusPageIncidentUpdate,
  "status" | "description" | "publicIncidentUpdateDate"
> {
  /** The name of an incident. Its status and description are then taken from its first update. */
  readonly name?: string | undefined;
}

/** Content with its normalized text and its digest, which are computed once, when the content enters the protocol. */
export interface NormalizedContent extends Content {
  /** The description as readers see it. */
  readonly text: string;
  /**
   * Equal for updates with equal status and text. It is a digest, because a description may be a secret until it is public. States and
   * notes store it, so a change of this formula, or of a function that it calls, makes their updates unrecognizable. Such a change requires
   * a major version and a release note, and breaks the tables in identity.test.ts.
   */
  readonly contentKey: string;
}

/** An update as a read returned it. */
export interface ShownUpdate
  extends StatusPageIncidentUpdate, Pick<NormalizedContent, "text" | "contentKey" | "name"> {
  /** The states of the components that an open incident affects. The protocol only passes them on. */
  readonly componentImpacts?: readonly NewComponentImpact[] | undefined;
  /** True for a resolved incident. It isn't adopted, because an identical declaration may be a new incident, or its state may be lost. */
  readonly isResolved?: boolean | undefined;
}

/** The fields that identify a declared update. Only an entry with a key can change its content. */
export interface Identity extends NormalizedContent {
  readonly containerId: string;
  /** The ID of the container's page, if it is a page with components. */
  readonly statusPageId?: string | undefined;
  readonly status: UpdateStatus;
  readonly publicIncidentUpdateDate?: string;
}

export interface Declaration extends Identity {
  readonly notifySubscribers: boolean;
  /** The key that the program gives to an entry of a timeline, which also names its resource. */
  readonly key?: string | undefined;
  /** The {@link computeEntryKey} of the entry, of the previous entry, and of each later entry of the same timeline. */
  readonly entry?: string | undefined;
  readonly follows?: string | undefined;
  readonly followedBy?: readonly string[];
}

/**
 * Returns true if the update matches the declaration. Without a declared date, any date matches. `notifySubscribers` is ignored, because it
 * may change after the post and services may omit it. A missing email can be sent later, but a second email can't be undone.
 */
export function matches(
  declared: NormalizedContent,
  { contentKey, publicIncidentUpdateDate: date }: NormalizedContent,
): boolean {
  return matchesRecord(declared, { contentKey, date });
}

/** Like {@link matches}, with the content key and date that a record or note contains. */
export function matchesRecord(
  { contentKey: declared, publicIncidentUpdateDate: declaredDate }: NormalizedContent,
  { contentKey, date }: { readonly contentKey: string; readonly date?: string | null | undefined },
): boolean {
  return contentKey === declared && (declaredDate == null || sameSecond(date, declaredDate));
}

export function isSameDeclaration(a: Identity, b: Identity): boolean {
  return listChangedFields(a, b).length === 0;
}

/**
 * Lists the fields in which two declarations differ, so that they declare different updates. Includes unknown fields, because they may
 * differ. For an entry that can be edited, differences in line breaks, white space and entities are included, because an edit also corrects
 * these.
 */
export function listChangedFields(
  a: Partial<Declaration>,
  b: Partial<Declaration>,
  unknown: ReadonlySet<string> = new Set(),
): string[] {
  const isExact = isEditable(a) || isEditable(b);
  const same = {
    containerId: a.containerId === b.containerId,
    // The container of an incident is its page.
    statusPageId: a.name !== undefined || (a.statusPageId ?? undefined) === (b.statusPageId ?? undefined),
    status: a.status === b.status,
    description: a.description === b.description || (!isExact && a.text !== undefined && a.text === b.text),
    name: a.name === b.name || sameText(a.name ?? "", b.name ?? ""),
    publicIncidentUpdateDate: hasSameDate(a, b),
  };
  return Object.entries(same).flatMap(([name, isSame]) => (isSame && !unknown.has(name) ? [] : [name]));
}

/**
 * Returns true if a change of the content edits the update: only a key identifies it then, and only pages with components allow edits.
 * While the page is unknown, it may be one with components.
 */
export function isEditable(
  { key, statusPageId }: Partial<Declaration>,
  unknown: ReadonlySet<string> = new Set(),
): boolean {
  return key !== undefined && (statusPageId !== undefined || unknown.has("statusPageId"));
}

/** Returns true if a change of these fields edits the entry. */
export function canEdit(
  declared: Partial<Declaration>,
  fields: readonly string[],
  unknown?: ReadonlySet<string>,
): boolean {
  return isEditable(declared, unknown) && fields.length > 0 && !isOfLocation(fields);
}

/** Returns true if these changes declare an update at a different location, which is a different update. */
export function isOfLocation(fields: readonly string[]): boolean {
  return fields.some((name) => name === "containerId" || name === "statusPageId");
}

/** Returns true if both have the same public date, to the second, or none. */
export function hasSameDate(a: Partial<Content> | undefined, b: Partial<Content> | undefined): boolean {
  const [before, after] = [a, b].map((each) => each?.publicIncidentUpdateDate ?? undefined);
  return before === after || sameSecond(before, after);
}

/** Computes a key for everything that an update shows: its content key and its date. */
export function computeContentVersion({
  contentKey,
  publicIncidentUpdateDate: date,
}: Pick<NormalizedContent, "contentKey" | "publicIncidentUpdateDate">): string {
  return computeEntryKey(contentKey, 1, date);
}

/** Content that hasn't been digested yet. */
export interface RawContent extends Content {
  readonly contentKey?: undefined;
}

/** Normalizes and digests the content. @param known Digested content, to reuse the result for equal content. */
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

/** Returns only the content, without other fields of a declaration or an update. */
export function pickContent<Of extends NormalizedContent>(content: Of): Pick<Of, keyof NormalizedContent> {
  const { status, description, name, text, contentKey, publicIncidentUpdateDate } = content;
  return { status, description, name, text, contentKey, publicIncidentUpdateDate };
}

/** Normalizes an update that was read. @param known See {@link normalizeContent}. */
export function normalizeUpdate(
  update: StatusPageIncidentUpdate & RawContent,
  known?: readonly NormalizedContent[],
): ShownUpdate {
  return normalizeContent({ ...update, id: normalizeId(update.id) }, known);
}

/**
 * Identifies an entry of a timeline among the updates of its container.
 *
 * @param occurrence The 1-based index of the entry among entries with the same content.
 * @param date The public date of an entry whose content the timeline repeats. Other entries are identified by their content only, so that
 *   their order is recognized even if the service changes dates.
 */
export function computeEntryKey(contentKey: string, occurrence: number, date?: string | null): string {
  if (date != null) return `${contentKey}#@${parseSecond(date)}`;
  return occurrence === 1 ? contentKey : `${contentKey}#${occurrence}`;
}

export function parseContentKey(entry: string): string {
  const [contentKey = ""] = entry.split("#", 1);
  return contentKey;
}

/** Returns the 1-based index of an update among identical updates. Only a timeline declares more than one. */
export function getOccurrence({ entry = "" }: { readonly entry?: string | undefined }): number {
  const [, occurrence] = /#(\d+)$/.exec(entry) ?? [];
  return Number(occurrence ?? 1);
}

/** Returns a key that is equal for equal declarations in all stacks and on all machines. Resend codes are computed from it. */
export function computeDeclarationKey(declared: Declaration): string {
  const { containerId, contentKey, publicIncidentUpdateDate: date } = declared;
  return JSON.stringify([containerId, contentKey, parseSecond(date), getOccurrence(declared)]);
}

/** Returns true if a preview gave the ID to an entry that `pulumi up` will publish. No ID of the service begins like a declaration's key. */
export function isPredictedId(id: string): boolean {
  return id.startsWith("[");
}

/**
 * Returns the ID that a post sends. A service that stores IDs has one update for equal declarations of all stacks and machines. The
 * protocol draws no other conclusion from the ID. The first repetition that a user permits has the same ID, so that it can't create a
 * duplicate if it is killed. Later repetitions have different IDs, because the service may remember the ID of a deleted update. A change of
 * this formula, or of a function that it calls, repeats posts that another version has just made on another machine.
 */
export function computeUpdateId(declared: Declaration, attempt: number): string {
  return computeUuid(
    attempt === 0 ? computeDeclarationKey(declared) : `${computeDeclarationKey(declared)} ${attempt}`,
  );
}

/** Tolerance for the difference between the clocks of this machine and of the service. */
const machineClockMs = 300_000;

/**
 * Returns true if the note is about an earlier container with the same ID, which exists if a sandbox or test service was set up again. The
 * current container was then created after the post, but not in the future. Other times of an incident aren't compared, because teams
 * correct its start and reschedule maintenance.
 *
 * @param note `containerCreatedAt` is the creation time of the container that the service showed for the post, and `at` is the post's time.
 * @param createdAt The creation time of the container that the service shows now.
 * @param now In milliseconds since 1970.
 */
export function isFromEarlierContainer(
  { containerCreatedAt, at }: { readonly containerCreatedAt: string | null; readonly at: number },
  createdAt: string | null,
  now: number,
): boolean {
  if (isNotBefore(containerCreatedAt, createdAt, 1_000)) return false;
  // Compare with this machine's clock. If the service's clock is ahead, the note is kept, which is the safe choice.
  if (!isNotBefore(new Date(now).toISOString(), createdAt)) return false;
  return !isNotBefore(new Date(at).toISOString(), createdAt, machineClockMs);
}
