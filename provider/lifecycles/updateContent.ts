/** Compares updates of the history with declarations. */
import { createHash } from "node:crypto";
import { type StatusPageIncidentUpdate, type UpdateStatus } from "../client";
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

/** The string as a reader sees it. */
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

/** An entity, escaped once or several times: `&amp;amp;lt;` is `<`. */
const entity = /&(?:(?:amp|#0*38|#x0*26);)*(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

/** Decodes repeatedly: a service may escape an already escaped string. */
function decodeEntities(text: string): string {
  const decoded = text.replace(entity, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return named[name.toLowerCase()] ?? whole;
    const code = decimal !== undefined ? parseInt(decimal, 10) : parseInt(hex ?? "", 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  return decoded === text ? text : decodeEntities(decoded);
}
