/**
 * Reports what a preview finds out about a declared update: as a line of JSON that `monitoring preview` reads, and as blocks, which
 * are written for a terminal and in Markdown. Only a preview quotes a description. It withholds one that may be a secret.
 */
import { z } from "zod";
import { changedIdentity, type Declaration, type Ending, type Notice, type Recorded } from "../protocol";
import {
  amount,
  inertQuotation,
  inertSentence,
  type NoticeText,
  oneLine,
  quotation,
  quotedExcerpt,
  sameText,
  wrappedSentence,
} from "../texts";
import { nameOf, noticeText, refusalText, timeOf } from "./sentences";

/** The variable by which the command names the file of the reports. Without it, nothing is written. */
export const factsVariable = "MONITORING_PREVIEW_FACTS";

const text = z.string();
const content = z.object({ status: text.optional(), text: text.optional() });

/** A value that isn't known is undefined. */
const factSchema = z.object({
  format: z.literal(1),
  /** Identifies the step of the engine. */
  urn: text,
  /** Type and name of the resource, and its place in its timeline. */
  title: text,
  /**
   * `replaces`: posts, and an earlier update stays public. `waits`, `unconfirmed`, `unknown`: only an `up` can tell whether it
   * posts. `adopts`, `stateOnly`, `refused`: nothing is posted. A later version may have others.
   */
  effect: z
    .enum(["posts", "replaces", "adopts", "waits", "refused", "unconfirmed", "unknown", "stateOnly"])
    .catch("unknown"),
  incident: z.object({ id: text, name: text.optional() }).optional(),
  status: text.optional(),
  /** True if every subscriber is emailed. */
  emails: z.boolean().optional(),
  /** Undefined also for a secret. */
  text: text.optional(),
  isTextSecret: z.boolean(),
  /** The public update of the resource that a new one replaces. Its text is undefined if it is or was a secret. */
  replaced: content.optional(),
  adopted: z.object({ id: text, since: text.optional() }).optional(),
  /** A post of an earlier run whose result is unknown, and its time. Its text is undefined if it is or was a secret. */
  sent: z.object({ at: text, status: text, text: text.optional() }).optional(),
  /** False if the service could not be read. */
  isVerified: z.boolean(),
  /** Further sentences for the reader. */
  notices: z.array(text),
  /** The reason if the `up` fails. */
  failure: text.optional(),
});

/** The report of a preview about one declaration. */
export type PreviewFact = z.output<typeof factSchema>;

/** Reads a line of JSON; undefined if it is none that this version knows. */
export function readFact(json: unknown): PreviewFact | undefined {
  return factSchema.safeParse(json).data;
}

/** The declaration that is previewed. */
interface Subject extends Pick<PreviewFact, "urn" | "isTextSecret"> {
  /** The place in its timeline, from 1 on. */
  readonly place?: { readonly entry: number; readonly of: number } | undefined;
  /** True if the text in the state may be a secret. */
  readonly wasTextSecret?: boolean;
  /** The values that are known. */
  readonly declared: Partial<Declaration>;
  /** The record of the resource in the state. */
  readonly recorded?: Recorded | undefined;
  readonly incidentName?: string | undefined;
  /** True if the arguments of an explicit Provider configure the connection. */
  readonly isOfProvider?: boolean;
}

export function previewFact(subject: Subject, ending: Ending): PreviewFact {
  const { urn, place, declared, incidentName: name } = subject;
  const which = place ? ` (${place.entry} of ${place.of})` : "";
  const { incidentId: id, status, description, notifySubscribers: emails } = declared;
  const sent = sentOf(subject, ending);
  // A text that was sent as a secret stays one for as long as it may not be public.
  const isTextSecret = subject.isTextSecret || (sent !== undefined && wasSecret(subject));
  const replaced = "replaced" in ending ? ending.replaced : undefined;
  return {
    format: 1,
    urn,
    title: `IncidentUpdate ${nameOf(urn)}${which}`,
    effect: effectOf(ending),
    incident: id === undefined ? undefined : { id, name },
    status,
    emails,
    text: isTextSecret ? undefined : description,
    isTextSecret,
    replaced: replaced && {
      status: replaced.status ?? undefined,
      text: subject.isTextSecret || subject.wasTextSecret ? undefined : replaced.description,
    },
    adopted: adoptedIn(ending),
    sent,
    isVerified: !ending.remarks.some(({ tell }) => tell === "unread"),
    notices: noticesOf(subject, ending),
    failure: ending.kind === "refused" ? reasonOf(subject, ending.refusal) : undefined,
  };
}

function effectOf(ending: Ending): PreviewFact["effect"] {
  switch (ending.kind) {
    case "posted":
      return ending.replaced ? "replaces" : "posts";
    case "adopted":
      return "adopts";
    case "kept":
      return "stateOnly";
    default:
      return ending.kind;
  }
}

function adoptedIn({ kind, remarks }: Ending): PreviewFact["adopted"] {
  const adopted = remarks.find((notice) => notice.tell === "adopted");
  if (kind !== "adopted" || !adopted) return undefined;
  const { id, created_at: since } = adopted.update;
  return { id, since: since ?? undefined };
}

/** True if the declared text was sent as a secret. */
function wasSecret({ declared: { description }, recorded }: Subject): boolean {
  if (recorded?.kind !== "sent" || description === undefined) return false;
  return recorded.isTextSecret && sameText(recorded.declared.description, description);
}

/** The post whose result is unknown. */
function sentOf({ declared, recorded, isTextSecret }: Subject, { remarks }: Ending): PreviewFact["sent"] {
  const resent = remarks.find((notice) => notice.tell === "resent");
  if (recorded?.kind === "sent") {
    if (remarks.some(({ tell }) => tell === "found")) return undefined;
    const { status, description } = recorded.declared;
    const isSecret = isTextSecret || recorded.isTextSecret;
    return { at: timeOf(recorded.at), status, text: isSecret ? undefined : description };
  }
  const { status, description } = declared;
  if (!resent || status === undefined) return undefined;
  return { at: timeOf(resent.at), status, text: isTextSecret ? undefined : description };
}

function noticesOf(subject: Subject, ending: Ending): string[] {
  if (!("refusal" in ending) || !ending.refusal)
    return ending.remarks.flatMap((notice) => remarkOf(subject, notice));
  const reason = reasonOf(subject, ending.refusal);
  switch (ending.kind) {
    case "waits":
      return [`If nothing more is known then, it fails: ${reason}`];
    case "unconfirmed":
      return [`If it isn't found: ${reason}`, ...onlyIfUnpublished(subject)];
    default:
      return [];
  }
}

type Refusal = NonNullable<Extract<Ending, { kind: "unconfirmed" }>["refusal"]>;

function reasonOf({ declared, isOfProvider = false }: Subject, refusal: Refusal): string {
  return refusalText(refusal, declared, { isOfProvider });
}

function onlyIfUnpublished({ declared, recorded }: Subject): string[] {
  if (declared.onChange !== "refuse" || !recorded) return [];
  if (changedIdentity(recorded.declared, declared).length === 0) return [];
  return ["Only if it was not published, the change is posted."];
}

/** Says in a preview what an `up` says in other words, or not at all. */
function remarkOf({ declared, recorded }: Subject, notice: Notice): string[] {
  switch (notice.tell) {
    case "adopted":
    case "several":
      return [];
    case "found":
      return recorded ? [noticeText(notice, recorded.declared)] : [];
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
      return [noticeText(notice, declared)].filter((sentence) => sentence !== "");
  }
}

/** Lays out a report for a terminal. The error of the preview says why an update is refused. */
export function terminalText(fact: PreviewFact): {
  readonly notices: readonly NoticeText[];
  readonly warnings: readonly string[];
} {
  const warnings = fact.isVerified
    ? []
    : fact.notices.map((notice) => oneLine(`${fact.title}: not verified. ${notice}`));
  if (fact.effect === "refused") return { warnings, notices: [] };
  if (fact.effect === "stateOnly") return { warnings, notices: fact.isVerified ? fact.notices : [] };
  const blocks = blocksOf(fact.isVerified ? fact : { ...fact, notices: [] });
  return { warnings, notices: blocks.map((block) => linesOf(block)) };
}

/** Describes the update in the order of what happens. */
export function blocksOf(fact: PreviewFact): Block[] {
  const { title, adopted, notices, sent } = fact;
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

/** True if the update that was sent is the declared one; false if a text isn't shown. */
function isDeclared({ status, text }: PreviewFact, sent: Sent): boolean {
  return sent.status === status && sent.text !== undefined && sent.text === text;
}

/** A text that isn't shown of an earlier update is a secret. */
function secretOr({ status, text }: Pick<Quoted, "status" | "text">): Quoted {
  return { status, text, isTextSecret: true };
}

function replacedBlock({ replaced }: PreviewFact, head: string): Block[] {
  return replaced ? [blockOf([head], secretOr(replaced))] : [];
}

function whereOf({ incident }: PreviewFact): string {
  if (!incident) return "an incident that is not known yet";
  const { id, name } = incident;
  return name === undefined ? `incident ${id}` : `${quotedExcerpt(name, 60)} (${id})`;
}

interface Quoted extends Pick<PreviewFact, "status" | "text" | "isTextSecret"> {
  readonly emails?: string;
}

function declaredOf({ status, text, emails, isTextSecret }: PreviewFact): Quoted {
  const who = emails === true ? "every" : "no";
  const known = emails === undefined ? "it is not known yet whether subscribers are" : `${who} subscriber is`;
  return { status, text, isTextSecret, emails: `${known} emailed` };
}

/** Lays out one block: outcome and notices first, then status and email, then the text. */
function blockOf(
  [head, ...more]: readonly [head: string, ...more: string[]],
  { status = "a status that is not known yet", emails, text, isTextSecret }: Quoted,
): Block {
  const content = emails === undefined ? `${status}:` : `${status}, ${emails}:`;
  const withheld = isTextSecret ? " (secret text)" : " (text that is not known yet)";
  return { head, lines: [...more, text === undefined ? content + withheld : content], text };
}

/** A paragraph in plain text. */
export interface Block {
  readonly head: string;
  readonly lines?: readonly string[];
  /** The text that the last line introduces, as it will be public. */
  readonly text?: string | undefined;
  /** Default: an update. */
  readonly level?: "error" | "warning" | "note";
}

/** The report of `monitoring preview` about a stack. */
export interface Document {
  /** Two parts of a line, between which the commit is named. */
  readonly heading: readonly [subject: string, predicate: string];
  readonly level?: "error" | "warning" | undefined;
  readonly sections: readonly Section[];
  /** SHA of the commit. */
  readonly commit?: string | undefined;
  /** Address of the job's log. */
  readonly log?: string | undefined;
}

interface Section {
  /** A comment has all blocks of an item or none. The first items are the most important ones. */
  readonly items: readonly (readonly Block[])[];
  /** A noun for an item. Default: a comment always has all items. */
  readonly what?: string;
  /** The number of characters of all items in a comment. Default: what is left. */
  readonly most?: number;
}

/** @param columns The width of a line. Default: the engine breaks lines, and prints the beginning of a long text. */
function linesOf({ head, lines = [], text, level }: Block, columns?: number, color = ""): string[] {
  const fitted = (line: string, indent: string): string[] =>
    columns === undefined ? [oneLine(line)] : wrappedSentence(line, columns - indent.length);
  const start = level === "error" || level === "warning" ? `${level}: ${head}` : head;
  const quoted =
    text === undefined
      ? []
      : quotation(text, columns === undefined ? undefined : { most: Infinity, columns });
  return [
    ...fitted(start, "").map((line) => colored(line, color)),
    ...lines.flatMap((line) => fitted(line, "  ").map((each) => `  ${each}`)),
    ...quoted,
  ];
}

const colored = (line: string, color: string): string =>
  color === "" ? line : `\u001b[${color}m${line}\u001b[0m`;

/** Red, yellow, not changed, and bold. */
const colors = { error: "31", warning: "33", note: "", update: "1" } as const;

/** Writes a document for a terminal, block by block, with all texts in full. */
export function* terminalLines(document: Document, columns: number, hasColor: boolean): Generator<string> {
  const colorOf = (level: keyof typeof colors): string => (hasColor ? colors[level] : "");
  const { level = "update", sections, commit, log } = document;
  const printed = (block: Block, color: string) => `${linesOf(block, columns, color).join("\n")}\n`;
  yield printed({ head: headingOf(document, (text) => text) }, colorOf(level));
  for (const { items } of sections)
    for (const block of items.flat()) yield `\n${printed(block, colorOf(block.level ?? "update"))}`;
  const parts = [
    ...(commit === undefined ? [] : [`commit ${commit}`]),
    ...(log === undefined ? [] : [`log ${log}`]),
  ];
  if (parts.length > 0) yield `\n${parts.join("\n")}\n`;
}

function headingOf({ heading: [subject, predicate], commit }: Document, escaped: (text: string) => string) {
  const of = commit === undefined ? "" : ` of ${commit.slice(0, 7)}`;
  return escaped(subject) + of + escaped(predicate);
}

/** GitHub allows 65,536 characters; the rest is for the mark of whoever posts the comment. */
const maxCharacters = 65_000;
/** Reserves room for the notes on what is left out, and for line breaks. */
const maxNotes = 500;
const omission = "> _The text is left out: it is in the log._";
const signs = { error: "\u{1f534} ", warning: "\u{1f7e1} ", note: "" } as const;

/** Writes a document in Markdown, below the limit of a comment. */
export function markdownOf(document: Document): string {
  const { sections, commit, log } = document;
  const heading = `## ${headingOf(document, inertSentence)}`;
  const parts = [
    ...(commit === undefined ? [] : [`commit ${commit}`]),
    ...(log === undefined ? [] : [`[log](<${log}>)`]),
  ];
  const footer = parts.length === 0 ? [] : [`_${parts.join(", ")}_`];
  const fixed = sections.filter(({ what }) => what === undefined).flatMap(({ items }) => items.flat());
  let left =
    maxCharacters -
    maxNotes -
    [heading, ...fixed.map((block) => paragraphOf(block)), ...footer].join("\n\n").length;
  const missing: string[] = [];
  const paragraphs = sections.flatMap(({ items, what, most = left }) => {
    if (what === undefined) return items.flat().map((block) => paragraphOf(block));
    const { shown, omitted, withoutText } = fitting(items, Math.min(most, left));
    left -= shown.join("\n\n").length;
    if (withoutText > 0) missing.push(`${amount(withoutText, "text")} left out`);
    if (omitted > 0) missing.push(`${amount(omitted, what)} not listed`);
    return shown;
  });
  const isCut = missing.length > 0;
  const cut = paragraphOf({
    level: "warning",
    head: `This comment is full: ${missing.join(", ")}. See the log.`,
  });
  const title = heading + (isCut ? ", not shown in full" : "");
  return `${[title, ...(isCut ? [cut] : []), ...paragraphs, ...footer].join("\n\n")}\n`;
}

/** Takes the items that fit: all their lines before the texts. */
function fitting(items: Section["items"], most: number) {
  let left = most;
  let withoutText = 0;
  const lengthOf = (block: Block): number => paragraphOf(block, () => omission).length + 2;
  const listed = items.findIndex((item) => {
    left -= item.map(lengthOf).reduce((sum, each) => sum + each, 0);
    return left < 0;
  });
  const blocks = (listed < 0 ? items : items.slice(0, listed)).flat();
  left = Math.max(left, 0);
  const shown = blocks.map((block) =>
    paragraphOf(block, (text) => {
      // A text far beyond what is left needs no quotation, which takes time.
      const quoted = text.length > 4 * (left + omission.length) ? undefined : inertQuotation(text);
      const isFitting = quoted !== undefined && quoted.length <= left + omission.length;
      if (isFitting) left -= Math.max(0, quoted.length - omission.length);
      else withoutText += 1;
      return isFitting ? quoted : omission;
    }),
  );
  return { shown, withoutText, omitted: listed < 0 ? 0 : items.length - listed };
}

function paragraphOf({ head, lines = [], text, level }: Block, quote = inertQuotation): string {
  const first = level === undefined ? `**${inertSentence(head)}**` : signs[level] + inertSentence(head);
  const paragraph = [first, ...lines.map(inertSentence)].join("\\\n");
  return text === undefined ? paragraph : `${paragraph}\n\n${quote(text)}`;
}
