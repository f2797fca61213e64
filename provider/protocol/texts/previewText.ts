/** What a preview says of an `up`. It shows the whole description, which is what a reviewer reviews, unless that is a secret. */
import { type NoticeText, oneLine, quotedLine } from "../../texts/printable";
import { quotation } from "../../texts/quotedLines";
import { type Content, type Declaration } from "../identity";
import { noticeText } from "./noticeText";
import { nameOf } from "./refusalText";
import { isForUpToSettle, type Notice, type Refusal } from "../task";

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
  /** When an earlier run sent the update, which isn't public as the user says: in milliseconds since 1970. */
  readonly resent?: { readonly at: number } | undefined;
  /** Whether the result of an earlier update of the incident is unknown. */
  readonly isBehind?: boolean;
  readonly incidentName?: string | undefined;
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
): { readonly notices: readonly NoticeText[]; readonly failure?: string } {
  const { noResponse, failure } = previewed;
  if (noResponse !== undefined) {
    const problem = `${titleOf(subject)}: the preview could not read the service. ${noResponse}`;
    const text = subject.isUnconfirmed === true ? searchedText(subject) : conditionalText(subject);
    return { notices: noResponse === "" ? [text] : [problem, text] };
  }
  if (failure?.why === "unconfirmed") {
    return { notices: [searchedText(subject, `If it isn't found: ${failure.text}`)] };
  }
  // While an `up` waits, the update may appear.
  if (failure && (isForUpToSettle(failure.why) || previewed.effect === "waits")) {
    const looks = `${titleOf(subject)}: \`pulumi up\` looks again`;
    const fails = `If nothing more is known then, it fails: ${failure.text}`;
    return { notices: [blockOf([looks, fails], declaredText(subject), subject)] };
  }
  if (failure) return { notices: [], failure: failure.text };
  return { notices: [...noticesOf(previewed, subject), ...effectOf(previewed, subject)] };
}

function noticesOf(
  { notices, incidentName }: Previewed,
  subject: PreviewSubject & { readonly declared: Declaration },
): NoticeText[] {
  return notices.flatMap((notice): NoticeText[] => {
    if (notice.tell === "found") return [noticeText(notice, subject.declared)];
    if (notice.tell !== "adopted") return [];
    const { id, created_at: since } = notice.update;
    const where = whereOf(subject, incidentName);
    const adopts = `${titleOf(subject)} adopts ${id} of ${where}, public since ${since ?? "an unknown time"}`;
    const content = { ...subject.declared, emails: "nothing is posted" };
    return [blockOf([adopts], content, subject)];
  });
}

function effectOf(previewed: Previewed, subject: PreviewSubject): NoticeText[] {
  const { effect, replaced } = previewed;
  if (effect === undefined) return [];
  const heads = effect === "posts" ? postsText(previewed, subject) : waitsText(previewed, subject);
  const block = blockOf(heads, declaredText(subject), subject);
  if (replaced === undefined) return [block];
  const stays = `${titleOf(subject)} replaces an update, which stays public`;
  return [block, blockOf([stays], replaced, subject)];
}

function postsText({ isBehind, resent, incidentName }: Previewed, subject: PreviewSubject): Heads {
  const when = isBehind === true ? ", once the result of the earlier update is known" : "";
  const posts = `${titleOf(subject)} posts to ${whereOf(subject, incidentName)}${when}`;
  if (!resent) return [posts];
  const at = new Date(resent.at).toISOString();
  const emails =
    subject.declared.notifySubscribers === false ? "" : ", and subscribers may be emailed a second time";
  return [
    posts,
    `An earlier run sent this update at ${at} and received no response: it may become public twice${emails}.`,
  ];
}

function waitsText({ notices, incidentName }: Previewed, subject: PreviewSubject): Heads {
  // Stryker disable next-line ConditionalExpression: no other notice has such a field
  const isLater = notices.some((notice) => notice.tell === "waits" && notice.isLater);
  const sent = isLater ? "a later entry of the timeline" : "an identical update";
  return [
    `${titleOf(subject)} waits for ${sent} that this machine sent to ${whereOf(subject, incidentName)} moments ago`,
    "The service doesn't show it yet. Only if it doesn't appear, the update is posted.",
  ];
}

/** What an `up` does first with an unconfirmed update. @param otherwise What it does if the update isn't found. */
export function searchedText(subject: PreviewSubject, ...otherwise: readonly string[]): NoticeText {
  const searches = `${titleOf(subject)}: it is unknown whether it was published. \`pulumi up\` searches for it again`;
  return blockOf([searches, ...otherwise], declaredText(subject), subject);
}

/** What an `up` would do, as long as the incident or the declaration isn't known. */
export function conditionalText(subject: PreviewSubject): NoticeText {
  const { incidentId } = subject.declared;
  const where = incidentId === undefined ? "an incident that is not known yet" : `incident ${incidentId}`;
  const posts = `${titleOf(subject)} posts to ${where}, unless an identical update exists there`;
  return blockOf([posts], declaredText(subject), subject);
}

function titleOf({ resource, id }: PreviewSubject): string {
  const name = resource === undefined ? id : nameOf(resource);
  return name === undefined ? "IncidentUpdate" : `IncidentUpdate ${name}`;
}

function whereOf({ declared: { incidentId } }: PreviewSubject, name: string | undefined): string {
  return `${name === undefined ? "incident" : quoted(name, 60)} (${incidentId})`;
}

interface Block extends Partial<Content> {
  readonly emails?: string;
}

function declaredText({ declared: { status, description, notifySubscribers } }: PreviewSubject): Block {
  const who = notifySubscribers === true ? "every" : "no";
  const emails =
    notifySubscribers === undefined
      ? "it is not known yet whether subscribers are emailed"
      : `${who} subscriber is emailed`;
  return { status, description, emails };
}

/** What becomes of it, and what to know of that. */
type Heads = readonly [head: string, ...more: string[]];

/** Who, what and where; then status and emails; then the text. */
function blockOf(
  [head, ...more]: Heads,
  { status = "a status that is not known yet", emails, description }: Block,
  { isTextSecret }: PreviewSubject,
): readonly string[] {
  const content = emails === undefined ? `${status}:` : `${status}, ${emails}:`;
  const [withheld, text]: readonly [string, readonly string[]] =
    description === undefined
      ? [" (text that is not known yet)", []]
      : isTextSecret
        ? [" (secret text)", []]
        : ["", quotation(description)];
  const lines = [...more, content + withheld].map((line) => `  ${oneLine(line)}`);
  return [oneLine(head), ...lines, ...text];
}

/** The text as one line; the middle of a longer one is left out. */
function quoted(text: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return quotedLine(text);
  const cut = Math.ceil((longest * 2) / 3);
  const [start, end] = [characters.slice(0, cut), characters.slice(cut - longest)].map((part) =>
    part.join(""),
  );
  return quotedLine(`${start} \u2026 ${end}`);
}
