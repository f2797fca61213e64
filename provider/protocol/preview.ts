/**
 * Tells as data what a preview finds out about a declared update. `monitoring preview` reads these facts, and the lines that a person
 * reads in a terminal are made of them. Only a preview quotes a description, and withholds one that may be a secret.
 */
import { type NoticeText, oneLine, quotation, quotedExcerpt } from "../texts";
import { changedIdentity, type Content, type Declaration, sameText } from "./identity";
import { type Ledger, type Posted, type Recorded } from "./ledger";
import { type Notice, type Refusal, type Task } from "./task";
import { foundText, nameOf, timeOf } from "./texts";

/** The variable by which the command names the file of the facts. Without it, nothing is written. */
export const factsVariable = "MONITORING_PREVIEW_FACTS";

/** What a preview finds out about one declaration. */
export interface PreviewFact {
  readonly format: 1;
  /** Identifies the step of the engine. */
  readonly urn: string;
  /**
   * `replaces`: posts, and an earlier update stays public. `waits`, `unconfirmed`, `unknown`: only an `up` can tell whether it
   * posts. `adopts`, `stateOnly`, `refused`: nothing is posted.
   */
  readonly effect:
    "posts" | "replaces" | "adopts" | "waits" | "refused" | "unconfirmed" | "unknown" | "stateOnly";
  /** Undefined as long as it isn't known. */
  readonly incident?: { readonly id: string; readonly name?: string | undefined } | undefined;
  /** Undefined as long as it isn't known. */
  readonly status?: string | undefined;
  /** Whether every subscriber is emailed; undefined as long as it isn't known. */
  readonly emails?: boolean | undefined;
  /** Undefined for a secret, and as long as it isn't known. */
  readonly text?: string | undefined;
  readonly isTextSecret: boolean;
  /** The place in its timeline, from 1 on. */
  readonly place?: { readonly entry: number; readonly of: number } | undefined;
  /** The public update of the resource that a new one replaces. */
  readonly replaced?:
    { readonly status?: string | undefined; readonly text?: string | undefined } | undefined;
  readonly adopted?: { readonly id: string; readonly since?: string | undefined } | undefined;
  /** What an earlier run sent at this time, whose result is unknown. `text`: undefined if it is or was a secret. */
  readonly sent?:
    { readonly at: string; readonly status: string; readonly text?: string | undefined } | undefined;
  /** False if the service could not be read. */
  readonly isVerified: boolean;
  /** Further sentences for the reader. */
  readonly notices: readonly string[];
  /** Why `up` fails, if the effect is `refused`. */
  readonly failure?: string | undefined;
}

/** The declaration that is previewed. */
export interface PreviewSubject extends Pick<PreviewFact, "urn" | "place" | "isTextSecret"> {
  /** As far as it is known. */
  readonly declared: Partial<Declaration>;
  /** What the state records of the resource. */
  readonly recorded?: Recorded | undefined;
}

/** The result of a preview. */
export interface Previewed {
  /** The names of values that aren't known yet, so that nothing else is known. */
  readonly unknown?: ReadonlySet<string>;
  /** What the task of the declaration told. */
  readonly notices?: readonly Notice[];
  /** What an `up` would do before it has the update. */
  readonly effect?: "posts" | "waits" | undefined;
  /** Whether the result of an earlier update of the incident is unknown. */
  readonly isBehind?: boolean;
  readonly incidentName?: string | undefined;
  /** See {@link replacedBy}. */
  readonly replaced?: Replaced | undefined;
  /** Why the service did not respond; empty when that was said before. */
  readonly noResponse?: string | undefined;
  /** What happens to the state alone. */
  readonly remarks?: readonly string[];
  readonly failure?: { readonly why: Refusal["why"]; readonly text: string } | undefined;
}

interface Replaced extends Content {
  /** Whether the declaration differs in its date alone. */
  readonly isRedated?: boolean;
}

/** The public update of the resource that its declaration replaces. @param before The ledger before the task. */
export function replacedBy(before: Ledger, { resource, kept, declared }: Task): Replaced | undefined {
  const plan = before.plans.get(resource);
  // What an earlier run sent, and this one found.
  const posted = kept?.kind === "posted" ? kept : plan?.kind === "replaces" ? plan.recorded : undefined;
  const content = posted && publicContent(posted);
  if (!content) return undefined;
  const changes = changedIdentity(posted.declared, declared);
  return { ...content, isRedated: changes.join() === "publicIncidentUpdateDate" };
}

/** What the public page shows, as far as the state knows; undefined when a refresh didn't find it. */
function publicContent({ missing, published, declared }: Posted): Content | undefined {
  return missing ? undefined : (published ?? declared);
}

export function previewFact(subject: PreviewSubject, previewed: Previewed): PreviewFact {
  const { urn, place, declared } = subject;
  const sent = sentOf(subject, previewed);
  // A text that was sent as a secret stays one for as long as it may not be public.
  const isTextSecret = subject.isTextSecret || (sent !== undefined && wasSecret(subject));
  const { incidentId: id, status, description, notifySubscribers: emails } = declared;
  return {
    format: 1,
    urn,
    incident: id === undefined ? undefined : { id, name: previewed.incidentName },
    status,
    emails,
    text: isTextSecret ? undefined : description,
    isTextSecret,
    place,
    sent,
    isVerified: previewed.noResponse === undefined,
    notices: [],
    ...outcomeOf(subject, previewed),
  };
}

/** Whether the declared text was sent as a secret. */
function wasSecret({ declared: { description }, recorded }: PreviewSubject): boolean {
  if (recorded?.kind !== "sent" || description === undefined) return false;
  return recorded.isTextSecret && sameText(recorded.declared.description, description);
}

/** Of a post whose result is unknown. */
function sentOf(
  { declared, recorded, isTextSecret }: PreviewSubject,
  { notices }: Previewed,
): PreviewFact["sent"] {
  const resent = notices?.find((notice) => notice.tell === "resent");
  const isFound = notices?.some((notice) => notice.tell === "found");
  if (recorded?.kind === "sent") {
    if (isFound) return undefined;
    const { status, description } = recorded.declared;
    const isSecret = isTextSecret || recorded.isTextSecret;
    return { at: timeOf(recorded.at), status, text: isSecret ? undefined : description };
  }
  const { status, description } = declared;
  if (!resent || status === undefined) return undefined;
  return { at: timeOf(resent.at), status, text: isTextSecret ? undefined : description };
}

type Outcome = Pick<PreviewFact, "effect"> &
  Partial<Pick<PreviewFact, "adopted" | "failure" | "notices" | "replaced">>;

function outcomeOf(subject: PreviewSubject, previewed: Previewed): Outcome {
  const { effect, failure, isBehind, noResponse, replaced, remarks = [] } = previewed;
  const { recorded } = subject;
  if (previewed.unknown) return outcomeOfUnknown(subject, previewed.unknown);
  if (noResponse !== undefined) {
    const problems = noResponse === "" ? [] : [`The preview could not read the service. ${noResponse}`];
    const effects = { sent: "unconfirmed", posted: "stateOnly", new: "unknown" } as const;
    return { effect: effects[recorded?.kind ?? "new"], notices: [...problems, ...remarks] };
  }
  if (failure?.why === "unconfirmed")
    return {
      effect: "unconfirmed",
      notices: [`If it isn't found: ${failure.text}`, ...onlyIfUnpublished(subject)],
    };
  // Which may be the one that it lacks.
  if (isBehind === true && (failure?.why === "earlier" || failure?.why === "occurrence"))
    return { effect: "waits", notices: [behindText] };
  // An `up` searches longer than a preview, and while it waits, the update may appear.
  if (failure && (failure.why === "unsettledTwin" || effect === "waits"))
    return { effect: "waits", notices: [`If nothing more is known then, it fails: ${failure.text}`] };
  if (failure) return { effect: "refused", failure: failure.text };

  const told = previewed.notices?.flatMap((notice) => remarkOf(subject, notice)) ?? [];
  const adopted = previewed.notices?.find((notice) => notice.tell === "adopted");
  if (adopted) {
    const { id, created_at: since } = adopted.update;
    return { effect: "adopts", adopted: { id, since: since ?? undefined }, notices: told };
  }
  if (effect === undefined) return { effect: "stateOnly", notices: [...told, ...remarks] };
  const redated = replaced?.isRedated === true ? [redatedText] : [];
  const notices = [...redated, ...told];
  const shown = replaced && shownOf(subject, replaced);
  if (isBehind === true)
    return {
      effect: "waits",
      replaced: shown,
      notices: [behindText, ...notices],
    };
  return { effect: shown && effect === "posts" ? "replaces" : effect, replaced: shown, notices };
}

const behindText = "It is posted once the result of the earlier update is known.";

const redatedText =
  "It has the words of the update that it replaces: only publicIncidentUpdateDate changes. A date such as new Date() is another one in each run.";

function onlyIfUnpublished({ declared, recorded }: PreviewSubject): string[] {
  if (
    declared.onChange !== "refuse" ||
    !recorded ||
    changedIdentity(recorded.declared, declared).length === 0
  )
    return [];
  return ["Only if it was not published, the change is posted."];
}

/** Nothing was asked, because a value isn't known yet. */
function outcomeOfUnknown(subject: PreviewSubject, unknown: ReadonlySet<string>): Outcome {
  const { declared, recorded } = subject;
  if (recorded?.kind === "sent") return { effect: "unconfirmed" };
  if (recorded === undefined) return { effect: "unknown" };
  const fields = changedIdentity(recorded.declared, declared, unknown).filter((name) => unknown.has(name));
  if (fields.length === 0) return { effect: "stateOnly" };
  const names = fields.join(", ");
  if (declared.onChange === "refuse") {
    const id = `${recorded.declared.incidentId}/${recorded.id}`;
    const text = `IncidentUpdate ${id}: ${names} not known yet. If the value changes, \`pulumi up\` refuses it.`;
    return { effect: "stateOnly", notices: [text] };
  }
  const replaced = publicContent(recorded);
  return {
    effect: "unknown",
    replaced: replaced && shownOf(subject, replaced),
    notices: [`Not known yet: ${names}.`],
  };
}

function shownOf(
  { isTextSecret }: PreviewSubject,
  { status, description }: Content,
): PreviewFact["replaced"] {
  return { status: status ?? undefined, text: isTextSecret ? undefined : description };
}

function remarkOf({ declared, recorded }: PreviewSubject, notice: Notice): string[] {
  switch (notice.tell) {
    case "found":
      return recorded ? [foundText(notice.id, recorded.declared.incidentId)] : [];
    case "resent": {
      const emails =
        declared.notifySubscribers === false ? "" : ", and subscribers may be emailed a second time";
      const sent = `An earlier run sent this update at ${timeOf(notice.at)}, and the incident doesn't show it`;
      return [`${sent}: it may become public twice${emails}.`];
    }
    case "waits": {
      const sent = notice.isLater ? "a later entry of the timeline" : "an identical update";
      return [
        `This machine sent ${sent} moments ago, and the service doesn't show it yet. Only if it doesn't appear, this one is posted.`,
      ];
    }
    default:
      return [];
  }
}

/** What a person reads in a terminal. A failure is the error of the preview. */
export function previewLines(fact: PreviewFact): {
  readonly notices: readonly NoticeText[];
  readonly warnings: readonly string[];
} {
  const warnings = fact.isVerified
    ? []
    : fact.notices.map((notice) => oneLine(`${titleOf(fact)}: not verified. ${notice}`));
  // A failure is an error of its own, and a state that nobody asks about has no line.
  if (fact.effect === "refused") return { warnings, notices: [] };
  if (fact.effect === "stateOnly") return { warnings, notices: fact.isVerified ? fact.notices : [] };
  const blocks = previewBlocks(fact.isVerified ? fact : { ...fact, notices: [] });
  return { warnings, notices: blocks.map(linesOf) };
}

function linesOf({ head, lines, text }: PreviewBlock): NoticeText {
  const quoted = text === undefined ? [] : quotation(text);
  return [oneLine(head), ...lines.map((line) => `  ${oneLine(line)}`), ...quoted];
}

/** What a preview says of an update. A text of somebody else is as it is. */
export interface PreviewBlock {
  readonly head: string;
  readonly lines: readonly string[];
  /** Introduced by the last line. */
  readonly text?: string | undefined;
}

/** In the order of what happens. */
export function previewBlocks(fact: PreviewFact): PreviewBlock[] {
  const title = titleOf(fact);
  const { adopted, notices, sent } = fact;
  const where = whereOf(fact);
  const declared = declaredOf(fact);
  switch (fact.effect) {
    case "refused":
      return [{ head: `${title} is refused: nothing is posted`, lines: fact.failure?.split("\n") ?? [] }];
    case "stateOnly":
      return [{ head: `${title} changes only in the state: nothing is posted`, lines: notices }];
    case "adopts": {
      const { id, since = "an unknown time" } = adopted ?? {};
      const head = `${title} adopts ${id} of ${where}, public since ${since}`;
      return [blockOf([head, ...notices], { ...declared, emails: "nothing is posted" })];
    }
    case "posts":
    case "replaces":
      return [
        blockOf([`${title} posts to ${where}`, ...notices], declared),
        ...(sent && !isDeclared(fact, sent)
          ? [
              blockOf(
                [`${title}: an earlier run sent this at ${sent.at}. It may become public, too`],
                secretOr(sent),
              ),
            ]
          : []),
        ...replacedBlock(fact, `${title} replaces an update, which stays public`),
      ];
    case "waits":
      return [
        blockOf([`${title} may post to ${where}: \`pulumi up\` looks again`, ...notices], declared),
        ...replacedBlock(fact, `${title} then replaces an update, which stays public`),
      ];
    case "unconfirmed": {
      const searches = "`pulumi up` searches for it again";
      if (!sent || isDeclared(fact, sent))
        return [
          blockOf(
            [
              `${title} may post to ${where}: it is unknown whether it was published. ${searches}`,
              ...notices,
            ],
            declared,
          ),
        ];
      const unless = sent.status === fact.status && sent.text === undefined ? ", unless it is the same" : "";
      return [
        blockOf(
          [
            `${title}: it is unknown whether this, sent at ${sent.at}, was published. ${searches}`,
            ...notices,
          ],
          secretOr(sent),
        ),
        blockOf([`${title} posts to ${where} after that${unless}`], declared),
      ];
    }
    case "unknown": {
      const condition = fact.replaced
        ? "if what it declares changes"
        : "unless an identical update exists there";
      return [
        blockOf([`${title} posts to ${where}, ${condition}`, ...notices], declared),
        ...replacedBlock(fact, `${title} then replaces an update, which stays public`),
      ];
    }
  }
}

type Sent = NonNullable<PreviewFact["sent"]>;

/** Whether what was sent is what is declared; false as long as a text isn't shown. */
function isDeclared({ status, text }: PreviewFact, sent: Sent): boolean {
  return sent.status === status && sent.text !== undefined && sent.text === text;
}

/** What isn't shown of an update that was sent is a secret. */
function secretOr({ status, text }: Pick<Sent, "status" | "text">): Block {
  return { status, text, isTextSecret: true };
}

function replacedBlock({ replaced, isTextSecret }: PreviewFact, head: string): PreviewBlock[] {
  return replaced ? [blockOf([head], { ...replaced, isTextSecret })] : [];
}

function titleOf({ urn, place }: PreviewFact): string {
  return `IncidentUpdate ${nameOf(urn)}${place ? ` (${place.entry} of ${place.of})` : ""}`;
}

function whereOf({ incident }: PreviewFact): string {
  if (!incident) return "an incident that is not known yet";
  const { id, name } = incident;
  return name === undefined ? `incident ${id}` : `${quotedExcerpt(name, 60)} (${id})`;
}

interface Block extends Pick<PreviewFact, "status" | "text" | "isTextSecret"> {
  readonly emails?: string;
}

function declaredOf({ status, text, emails, isTextSecret }: PreviewFact): Block {
  const who = emails === true ? "every" : "no";
  const known = emails === undefined ? "it is not known yet whether subscribers are" : `${who} subscriber is`;
  return { status, text, isTextSecret, emails: `${known} emailed` };
}

/** What becomes of the update, and what to know of that; then status and emails; then the text. */
function blockOf(
  [head, ...more]: readonly [head: string, ...more: string[]],
  { status = "a status that is not known yet", emails, text, isTextSecret }: Block,
): PreviewBlock {
  const content = emails === undefined ? `${status}:` : `${status}, ${emails}:`;
  const withheld = isTextSecret ? " (secret text)" : " (text that is not known yet)";
  return { head, lines: [...more, text === undefined ? content + withheld : content], text };
}
