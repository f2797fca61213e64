/** What a preview says of an `up`. It quotes the description, which is what a reviewer reviews, unless that is a secret. */
import { quotedLine } from "../api/printable";
import { type Declaration, type Content } from "./content";
import { nameOf, noticeText } from "./messages";
import { isForUpToSettle, type Notice, type Refusal } from "./task";

/** What a preview shows of a declaration, as far as it is known. */
type Shown = Partial<Pick<Declaration, "incidentId" | "status" | "description" | "notifySubscribers">>;

/** The declaration that is previewed. */
interface PreviewSubject {
  readonly resource: string | undefined;
  readonly declared: Shown;
  /** Whether the description may be a secret. */
  readonly isTextSecret: boolean;
  /** The engine's id of a resource of the stack. */
  readonly id?: string | undefined;
  /** Whether the state holds an update whose result is unknown. */
  readonly isUnconfirmed?: boolean;
}

/** What a preview found out. */
export interface Previewed {
  readonly notices: readonly Notice[];
  readonly effect?: "posts" | "waits" | undefined;
  /** Whether the result of an earlier update of the incident is unknown. */
  readonly isBehind?: boolean;
  readonly incidentName?: string | undefined;
  /** Whether an earlier run sent the update, and the user says that it isn't public: when, in milliseconds since 1970. */
  readonly resent?: { readonly at: number } | undefined;
  /** The public update of the resource that the declared one replaces. */
  readonly replaced?: Content | undefined;
  /** Why the service did not respond; empty when that was said before. */
  readonly noResponse?: string | undefined;
  readonly failure?: { readonly why: Refusal["why"]; readonly text: string } | undefined;
}

/** A search may find an unconfirmed update, so its failure is not the preview's. */
export function previewText(
  previewed: Previewed,
  subject: PreviewSubject & { readonly declared: Declaration },
): { readonly notices: readonly string[]; readonly failure?: string } {
  const { noResponse, failure } = previewed;
  if (noResponse !== undefined) {
    const problem = `${titleOf(subject)}: the preview could not read the service. ${noResponse}`;
    const text = subject.isUnconfirmed === true ? searchedText(subject) : conditionalText(subject);
    return { notices: noResponse === "" ? [text] : [problem, text] };
  }
  if (failure?.why === "unconfirmed") {
    return { notices: [`${searchedText(subject)} If it isn't found: ${failure.text}`] };
  }
  if (failure && (isForUpToSettle(failure.why) || previewed.effect === "waits")) {
    const looks = `${titleOf(subject)}: \`pulumi up\` looks again, and records what it finds.`;
    return { notices: [`${looks} If nothing more is known then, it fails: ${failure.text}`] };
  }
  if (failure) return { notices: [], failure: failure.text };
  return { notices: [...noticesOf(previewed, subject), ...effectOf(previewed, subject)] };
}

function noticesOf(
  { notices, incidentName }: Previewed,
  subject: PreviewSubject & { readonly declared: Declaration },
): string[] {
  return notices.flatMap((notice) => {
    if (notice.tell === "found") return [noticeText(notice, subject.declared)];
    if (notice.tell !== "adopted") return [];
    const { id, created_at: since } = notice.update;
    const where = whereOf(subject, incidentName);
    return [
      `${titleOf(subject)} adopts ${id} of ${where}, public since ${since ?? "an unknown time"}, ` +
        `${contentOf(subject.declared, subject)} Nothing is posted.`,
    ];
  });
}

function effectOf(
  { notices, effect, isBehind, incidentName, replaced }: Previewed,
  subject: PreviewSubject,
): string[] {
  if (effect === undefined) return [];
  const title = titleOf(subject);
  const where = whereOf(subject, incidentName);
  const content = `${contentOf(subject.declared, subject)} ${emailsText(subject.declared)}`;
  const stays =
    replaced === undefined
      ? []
      : [`${title}: the update that it replaces stays public, ${contentOf(replaced, subject)}`];
  if (effect === "posts") {
    const when = isBehind === true ? ", once the result of the earlier update is known" : "";
    return [`${title} posts to ${where}${when}, ${content}`, ...stays];
  }
  // Stryker disable next-line ConditionalExpression: no other notice has such a field
  const isLater = notices.some((notice) => notice.tell === "waits" && notice.isLater);
  const sent = isLater ? "a later entry of the timeline" : "an identical update";
  return [
    `${title}: this machine sent ${sent} to ${where} moments ago, and the service doesn't show it yet. \`pulumi up\` waits for ` +
      `it. Only if it doesn't appear, the update is posted, ${content}`,
    ...stays,
  ];
}

/** What an `up` does first with an unconfirmed update. */
export function searchedText(subject: PreviewSubject): string {
  return `${titleOf(subject)}: it is unknown whether it was published. \`pulumi up\` searches for it again.`;
}

/** What an `up` would do, as long as the incident or the declaration isn't known. */
export function conditionalText(subject: PreviewSubject): string {
  const { declared } = subject;
  const where =
    declared.incidentId === undefined
      ? "an incident that is not known yet"
      : `incident ${declared.incidentId}`;
  return (
    `${titleOf(subject)} posts to ${where}, unless an identical update exists there, ${contentOf(declared, subject)} ` +
    emailsText(declared)
  );
}

function titleOf({ resource, id }: PreviewSubject): string {
  const name = resource === undefined ? id : nameOf(resource);
  return name === undefined ? "IncidentUpdate" : `IncidentUpdate ${name}`;
}

function whereOf({ declared: { incidentId } }: PreviewSubject, name: string | undefined): string {
  return `${name === undefined ? "incident" : quoted(name, 60)} (${incidentId})`;
}

/** Status and text, as one sentence. */
function contentOf({ status, description }: Partial<Content>, { isTextSecret }: PreviewSubject): string {
  return `${status ?? "a status that is not known yet"}: ${textOf(description, isTextSecret)}`;
}

function textOf(description: string | undefined, isSecret: boolean): string {
  if (description === undefined) return "(text that is not known yet).";
  if (isSecret) return "(secret text).";
  const text = quoted(description, 240);
  // Stryker disable next-line Regex: a quotation mark in the text is escaped
  return /[.!?\u2026]"$/.test(text) ? text : `${text}.`;
}

/** The text as one line; the middle of a longer one is left out. */
function quoted(text: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return quotedLine(text);
  const cut = Math.ceil((longest * 2) / 3);
  const [start, end] = [characters.slice(0, cut), characters.slice(cut - longest)].map((part) =>
    part.join("").trim(),
  );
  return quotedLine(`${start} \u2026 ${end}`);
}

function emailsText({ notifySubscribers }: Shown): string {
  if (notifySubscribers === undefined) return "It is not known yet whether subscribers are emailed.";
  return notifySubscribers ? "Every subscriber is emailed." : "No subscriber is emailed.";
}
