/** What identifies an update: its status, its text and, when declared, its public date. */
import { type StatusPageIncidentUpdate, type UpdateStatus } from "../api";
import { updateStatuses } from "../api/enums";
import { canonicalId, digestOf, isVersion5, uuidOf } from "../api/digest";
import { normalizeText } from "../api/normalizeText";
import { msOf, sameSecond, secondOf } from "../api/timestamps";

export type UpdateContent = Pick<
  StatusPageIncidentUpdate,
  "status" | "description" | "publicIncidentUpdateDate"
>;

/** An update that a program declares. */
export interface Declaration {
  readonly incidentId: string;
  readonly status: UpdateStatus;
  readonly description: string;
  readonly notifySubscribers: boolean;
  readonly publicIncidentUpdateDate?: string | undefined;
  /** 1-based index among identical updates of the incident. */
  readonly occurrence: number;
  readonly onChange: "post" | "refuse";
  readonly onUnconfirmed: "fail" | "resend";
  /** The {@link entryKey} of each later entry of the same timeline; undefined for an update that isn't an entry. */
  readonly followedBy?: readonly string[] | undefined;
}

/** The fields whose change declares another update. */
export type Identity = Omit<Declaration, "notifySubscribers" | "onChange" | "onUnconfirmed" | "followedBy">;

/**
 * Whether the update matches the declaration. Without a declared date, any date matches. `notifySubscribers` is ignored: it
 * may change after the post, services may omit it, and a missing email can be sent later, a second one can't be undone.
 */
export function matches(declared: UpdateContent, update: UpdateContent): boolean {
  return (
    update.status === declared.status &&
    sameText(update.description, declared.description) &&
    (declared.publicIncidentUpdateDate == null ||
      sameSecond(update.publicIncidentUpdateDate, declared.publicIncidentUpdateDate))
  );
}

/** Whether two strings look the same to a reader: services change line breaks, white space and character encodings. */
export function sameText(a: string, b: string): boolean {
  // Stryker disable next-line ConditionalExpression: without it, equal texts only cost time
  return a === b || normalizeText(a) === normalizeText(b);
}

/** Whether both declare the same update. */
export function isSameDeclaration(a: Identity, b: Identity): boolean {
  return changedIdentity(a, b).length === 0;
}

/** The fields in which two declarations differ, so that they declare two updates; one that isn't known may differ. */
export function changedIdentity(
  a: Partial<Identity>,
  b: Partial<Identity>,
  unknown: ReadonlySet<string> = new Set(),
): string[] {
  const [dateA, dateB] = [a.publicIncidentUpdateDate, b.publicIncidentUpdateDate];
  const [textA, textB] = [a.description, b.description];
  const same = {
    incidentId: a.incidentId === b.incidentId,
    status: a.status === b.status,
    description: textA === textB || (textA !== undefined && textB !== undefined && sameText(textA, textB)),
    publicIncidentUpdateDate: dateA === dateB || sameSecond(dateA, dateB),
    occurrence: a.occurrence === b.occurrence,
  };
  return Object.entries(same).flatMap(([name, isSame]) => (isSame && !unknown.has(name) ? [] : [name]));
}

/** Equal for updates with equal status and text. It holds no text: a description may be a secret until it is public. */
export function contentKey({ status, description }: Pick<UpdateContent, "status" | "description">): string {
  return digestOf(JSON.stringify([status, normalizeText(description)]));
}

/** The content keys of the updates that decide about a declaration: its own, and those of later entries of its timeline. */
export function contentKeys({ followedBy = [], ...declared }: Declaration): string[] {
  return [contentKey(declared), ...followedBy.map((entry) => entry.replace(/#.*/, ""))];
}

/** Identifies an entry of a timeline among the updates of its incident. */
export function entryKey(key: string, occurrence: number): string {
  return occurrence === 1 ? key : `${key}#${occurrence}`;
}

/**
 * The id that a declaration gives to its update: equal for equal declarations of every stack and machine, so that a service
 * which honours it has one update.
 *
 * @param attempt 0, or more after a consent to send the update under another id.
 */
export function ownId(declared: Identity, attempt: number): string {
  const { incidentId, occurrence, publicIncidentUpdateDate: date } = declared;
  // Without a date, JSON has null.
  const name = [incidentId, contentKey(declared), secondOf(date), occurrence];
  return uuidOf(JSON.stringify(attempt === 0 ? name : [...name, attempt]));
}

/** The ids of so many attempts. */
export function ownIds(declared: Identity, attempts: number): string[] {
  return Array.from({ length: attempts }, (_, attempt) => ownId(declared, attempt));
}

/** Whether a declaration gives this id to its update, in one of so many attempts. */
export function isOwnId(declared: Identity, attempts: number, id: string): boolean {
  // To compute ids for each update of a history takes a tenth of a second.
  return isVersion5(id) && ownIds(declared, attempts).includes(canonicalId(id));
}

/** Whether the service gave an update the id that a declaration of it would have, with any occurrence. */
export function hasOwnId(incidentId: string, update: StatusPageIncidentUpdate): boolean {
  const { id, description, publicIncidentUpdateDate: date } = update;
  const status = updateStatuses.find((known) => known === update.status);
  // Stryker disable next-line ConditionalExpression: no id is that of another status
  if (status === undefined) return false;
  const dates = [undefined, date ?? undefined];
  return dates.some((publicIncidentUpdateDate) =>
    likelyOccurrences.some((occurrence) => {
      const declared = { incidentId, status, description, publicIncidentUpdateDate, occurrence };
      return isOwnId(declared, likelyAttempts, id);
    }),
  );
}

const likelyOccurrences = [1, 2, 3];
export const likelyAttempts = 3;

/** Sorts by timestamp. The service usually returns the newest first; equal timestamps keep its order, reversed. */
export function oldestFirst(
  history: readonly StatusPageIncidentUpdate[],
): readonly StatusPageIncidentUpdate[] {
  return [...history].reverse().sort((a, b) => (msOf(a.created_at) ?? 0) - (msOf(b.created_at) ?? 0));
}
