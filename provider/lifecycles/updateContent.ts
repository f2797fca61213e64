/** Whether an update of the history matches what a program declares. */
import { createHash } from "node:crypto";
import { type StatusPageIncidentUpdate, type UpdateStatus } from "../client";
import { sameSecond, secondOf } from "../api/timestamps";

/** What makes an update the one that it is. */
export type UpdateContent = Pick<
  StatusPageIncidentUpdate,
  "status" | "description" | "publicIncidentUpdateDate"
>;

/** What is to stand in the history. */
export interface Declaration {
  readonly incidentId: string;
  readonly status: UpdateStatus;
  readonly description: string;
  readonly notifySubscribers: boolean;
  readonly publicIncidentUpdateDate?: string | undefined;
  readonly occurrence: number;
  /** The {@link entryKey} of entries that come later in the same timeline. */
  readonly followedBy?: readonly string[] | undefined;
}

/**
 * Whether it is the declared update. A date that isn't declared may be any. `notifySubscribers` doesn't count: it may
 * change after the post, services may not show it, and a mail that was not sent can be repaired, a second one can't.
 */
export function matches(declared: UpdateContent, update: UpdateContent): boolean {
  return (
    update.status === declared.status &&
    sameText(update.description, declared.description) &&
    (declared.publicIncidentUpdateDate == null ||
      sameSecond(update.publicIncidentUpdateDate, declared.publicIncidentUpdateDate))
  );
}

/** Equal for declarations of one incident that stand for the same update. */
export function publicationKey(declared: Omit<Declaration, "incidentId" | "notifySubscribers">): string {
  return JSON.stringify([sentKey(declared), secondOf(declared.publicIncidentUpdateDate)]);
}

/**
 * By which what was sent is known to the next process. Without the date, which the next declaration may leave out.
 */
export function sentKey({
  status,
  description,
  occurrence,
}: Omit<Declaration, "incidentId" | "notifySubscribers">): string {
  return JSON.stringify([occurrence, status, normalizeText(description)]);
}

/** By which an entry of a timeline is known among the updates of its incident. */
export function entryKey({ status, description }: Pick<UpdateContent, "status" | "description">): string {
  const content = JSON.stringify([status, normalizeText(description)]);
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

/** Whether readers see the same: services change line ends, white space and the way of writing a character. */
export function sameText(a: string, b: string): boolean {
  return a === b || normalizeText(a) === normalizeText(b);
}

/** The text as a reader sees it. Two texts that are read the same become equal. */
export function normalizeText(text: string): string {
  return decodeEntities(text).normalize("NFC").replace(/\s+/gu, " ").trim();
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** An entity, with what it was escaped to when that was done several times: `&amp;amp;lt;` is `<`. */
const entity = /&(?:(?:amp|#0*38|#x0*26);)*(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

/** Until nothing is left to decode: a service may escape what was already escaped. */
function decodeEntities(text: string): string {
  const decoded = text.replace(entity, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return named[name.toLowerCase()] ?? whole;
    const code = decimal !== undefined ? parseInt(decimal, 10) : parseInt(hex ?? "", 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  return decoded === text ? text : decodeEntities(decoded);
}
