/** Whether an update of the history says exactly what a program declares. */
import { type StatusPageIncidentUpdate, type UpdateStatus } from "../client";
import { sameSecond } from "./instant";

/** What an update says. */
export type Words = Pick<
  StatusPageIncidentUpdate,
  "status" | "description" | "notifySubscribers" | "publicIncidentUpdateDate"
>;

/** What is to stand in the history. */
export interface Declaration {
  readonly incidentId: string;
  readonly status: UpdateStatus;
  readonly description: string;
  readonly notifySubscribers: boolean;
  readonly publicIncidentUpdateDate?: string | undefined;
  readonly occurrence: number;
}

/** A date that isn't declared may be any. */
export function saysExactly(
  declared: Omit<Declaration, "incidentId" | "occurrence">,
  update: Words,
): boolean {
  const shown = update.notifySubscribers;
  return (
    update.status === declared.status &&
    sameText(update.description, declared.description) &&
    (typeof shown !== "boolean" || shown === declared.notifySubscribers) &&
    (declared.publicIncidentUpdateDate === undefined ||
      sameSecond(update.publicIncidentUpdateDate, declared.publicIncidentUpdateDate))
  );
}

/** Whether readers see the same: services change line ends, white space and the way of writing a character. */
export function sameText(a: string, b: string): boolean {
  return a === b || asRead(a) === asRead(b);
}

/** The text as a reader sees it. Two texts that are read the same become equal. */
export function asRead(text: string): string {
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
