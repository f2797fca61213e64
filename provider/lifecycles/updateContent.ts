/** Compares updates of the history with declarations. */
import { createHash } from "node:crypto";
import { type StatusPageIncidentUpdate, type UpdateStatus } from "../client";
import { normalizeText } from "../api/normalizeText";
import { sameSecond, secondOf } from "../api/timestamps";

/** The fields that identify an update. */
export type UpdateContent = Pick<
  StatusPageIncidentUpdate,
  "status" | "description" | "publicIncidentUpdateDate"
>;

/** An update to publish. */
export interface Declaration {
  readonly incidentId: string;
  readonly status: UpdateStatus;
  readonly description: string;
  readonly notifySubscribers: boolean;
  readonly publicIncidentUpdateDate?: string | undefined;
  readonly occurrence: number;
  /** The {@link entryKey} of each later entry of the same timeline. */
  readonly followedBy?: readonly string[] | undefined;
}

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

/** A key that is equal for declarations of the same update of an incident. */
export function publicationKey(declared: Omit<Declaration, "incidentId" | "notifySubscribers">): string {
  return JSON.stringify([sentKey(declared), secondOf(declared.publicIncidentUpdateDate)]);
}

/**
 * Identifies a post across processes. Excludes the date, which the next declaration may omit.
 */
export function sentKey({
  status,
  description,
  occurrence,
}: Omit<Declaration, "incidentId" | "notifySubscribers">): string {
  return JSON.stringify([occurrence, status, normalizeText(description)]);
}

/** Identifies an entry of a timeline among the updates of its incident. */
export function entryKey({ status, description }: Pick<UpdateContent, "status" | "description">): string {
  const content = JSON.stringify([status, normalizeText(description)]);
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

/** Whether two strings look the same to a reader: services change line breaks, white space and character encodings. */
export function sameText(a: string, b: string): boolean {
  return a === b || normalizeText(a) === normalizeText(b);
}
