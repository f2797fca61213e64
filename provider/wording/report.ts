/**
 * Reports what a preview finds out about a declared update: as blocks, which a provider prints or leaves to `monitoring preview`. Only a
 * preview quotes a description. It withholds one that may be a secret.
 */
import { parseMs, sameSecond, type StatusPageIncident } from "../api";
import { type PlaceInTimeline, formatTitle } from "../engine";
import { factFormat } from "../previewFacts";
import { findNewest } from "../proofreading";
import {
  listChangedFields,
  type Content,
  type Declaration,
  type Prediction,
  type Notice,
  type UpdateRecord,
} from "../protocol";
import { quoteExcerpt, sameText, collapseSpaces, type NoticeText } from "../texts";
import { getNouns, type Nouns } from "./nouns";
import {
  type Block,
  formatBlockLines,
  type PreviewedUpdate,
  type PreviewFact,
  type ShownImpact,
} from "./facts";
import { formatNotice, formatRefusal, formatTime } from "./sentences";

export interface PreviewSubject {
  readonly urn: string;
  readonly isTextSecret: boolean;
  readonly place?: PlaceInTimeline | undefined;
  readonly wasTextSecret?: boolean;
  readonly declared: Partial<Declaration>;
  readonly recorded?: UpdateRecord;
  readonly incident?: StatusPageIncident | undefined;
  /** Its page, if that is one with components, and what it does to them. */
  readonly statusPageId?: string | undefined;
  readonly impacts?: readonly ShownImpact[] | undefined;
  /** What may be a mistake in the declaration. */
  readonly doubts?: readonly string[];
  readonly order?: number | undefined;
  /** True if the arguments of an explicit Provider configure the connection. */
  readonly isOfProvider?: boolean;
}

/** A refusal fails the preview, and says why. */
type ReportedPrediction = Exclude<Prediction, { kind: "refused" }>;

export function createPreviewFact(subject: PreviewSubject, ending: ReportedPrediction): PreviewFact {
  const { urn, declared, doubts = [], place, order } = subject;
  const quotes = buildQuotes(subject, ending);
  const { text, isSecret } = quotes.declared;
  const write = posts[ending.kind];
  const unread = ending.notices.find((notice) => notice.kind === "unread");
  const reason = unread && formatNotice(unread, declared);
  return {
    format: factFormat,
    urn,
    posts: write,
    becomes: ending.kind,
    // A new incident follows no other incident of its page.
    incident: declared.name === undefined ? toIncidentFact(subject) : undefined,
    ...(declared.name === undefined ? {} : toOpeningFact(subject)),
    newest: write === "no" || declared.name !== undefined ? undefined : toNewestFact(subject, ending),
    status: declared.status,
    text,
    withheld: text !== undefined ? undefined : isSecret ? "secret" : "unknown",
    date: declared.publicIncidentUpdateDate,
    occurrence: declared.occurrence,
    adopts: ending.kind === "adopted" ? ending.recorded.id : undefined,
    emails: ending.kind === "edited" ? false : declared.notifySubscribers,
    warnings: write === "no" && ending.kind !== "edited" ? [] : [...doubts],
    timeline: place && { entry: place.index + 1, of: place.keys.length },
    order,
    blocks: formatBlocks(subject, ending, quotes),
    unread: reason && `${formatTitle(urn, place)}: not verified. ${reason}`,
  };
}

function toIncidentFact(subject: PreviewSubject): PreviewFact["incident"] {
  const { declared, incident, statusPageId, impacts } = subject;
  const { containerId: id } = declared;
  if (id === undefined) return undefined;
  return {
    id,
    statusPageId,
    name: incident?.name,
    severity: incident?.severity ?? undefined,
    impacts: impacts && [...impacts],
    status: incident?.lastUpdateStatus ?? findNewest(incident)?.status ?? undefined,
    began: incident?.created_at ?? undefined,
  };
}

/** Returns the facts about an incident that its updates don't have. */
function toOpeningFact({ declared, incident, impacts }: PreviewSubject) {
  const { containerId: id, name } = declared;
  return {
    statusPage: id === undefined ? undefined : { id, name: incident?.name },
    name: name === "" ? undefined : name,
    impacts: impacts && [...impacts],
  };
}

/** It is public, but a preview doesn't show what was a secret of the same resource. */
function toNewestFact(subject: PreviewSubject, ending: ReportedPrediction): PreviewFact["newest"] {
  const { declared, incident, isTextSecret, wasTextSecret = false } = subject;
  const newest = findNewest(incident);
  if (!newest) return undefined;
  const replaced = "replaced" in ending ? ending.replaced?.description : undefined;
  const isOwnSecret = [declared.description, replaced].some(
    (own = "") => (isTextSecret || wasTextSecret) && sameText(own, newest.description),
  );
  return {
    id: newest.id,
    status: newest.status ?? undefined,
    at: newest.publicIncidentUpdateDate ?? newest.created_at ?? undefined,
    text: isOwnSecret ? undefined : getFirstLine(newest.description),
  };
}

const posts = {
  posted: "will",
  waits: "may",
  unconfirmed: "may",
  unknown: "may",
  edited: "no",
  adopted: "no",
  kept: "no",
} as const;

/** The first line in which a reader sees something, without what a stranger could do with it. */
function getFirstLine(text: string): string {
  const [line = ""] = /[^\p{C}\s].*/u.exec(text) ?? [];
  return truncateText(line, 200);
}

function truncateText(text: string, most: number): string {
  const characters = Array.from(collapseSpaces(text));
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}\u2026` : characters.join("");
}

/** What the sentences about an outcome need. */
interface ReportContext {
  readonly nouns: Nouns;
  readonly title: string;
  readonly where: string;
  /** The sentences of its notices. */
  readonly lines: string[];
  readonly quotes: ReturnType<typeof buildQuotes>;
  /** True if what an earlier run sent is what is declared. False if a text isn't shown. */
  readonly isSentAnew: boolean;
}

type Blocks = PreviewFact["blocks"];

function formatBlocks(
  subject: PreviewSubject,
  ending: ReportedPrediction,
  quotes: ReportContext["quotes"],
): Blocks {
  const { declared, sent } = quotes;
  const told = {
    title: formatTitle(subject.urn, subject.place),
    where: formatLocation(subject),
    lines: [...openedLines(subject), ...formatNotices(subject, ending)],
    nouns: getNouns(subject.declared),
    quotes,
    isSentAnew: sent?.text !== undefined && sent.text === declared.text && sent.status === declared.status,
  };
  const { title, where, lines, nouns } = told;
  switch (ending.kind) {
    case "kept":
      return [{ head: `${title} changes only in the state: nothing is ${nouns.posted} or emailed`, lines }];
    case "edited":
      return formatEditedBlocks(told, subject.declared, ending);
    case "adopted": {
      const { id, createdAt } = ending.recorded;
      const head = `${title} adopts ${id} of ${where}, public since ${createdAt ?? "an unknown time"}: nothing is ${nouns.posted}`;
      return [{ head, lines }];
    }
    case "posted":
    case "waits":
    case "unknown":
      return formatPostedBlocks(told, ending.kind);
    case "unconfirmed":
      return formatUnconfirmedBlocks(told);
  }
}

function formatEditedBlocks(
  { title, where, lines, nouns, quotes: { declared: is, was } }: ReportContext,
  declared: Partial<Declaration>,
  { isUnverified, was: before }: { readonly isUnverified?: true; readonly was?: Content },
): Blocks {
  const unless = isUnverified ? ", if what it declares differs from what is public by then" : "";
  const changes = formatChanges(declared, before);
  // A read may be late, or an earlier edit may still be on its way.
  const makesSure = !isUnverified && changes.length === 0 && before?.description === declared.description;
  const words = was?.text === undefined || is.text === undefined ? [] : formatChangedWords(was.text, is.text);
  const after = {
    head: `${title} ${makesSure ? "makes sure of" : "edits"} a public ${nouns.entry} of ${where}${unless}`,
    lines: [...changes, ...words, ...lines],
    isDeclared: true,
  };
  if (makesSure) return [after];
  const now = isUnverified ? "public when it was read last" : "public now, until the edit";
  return [after, ...(was ? [formatBlock([`${title}: ${now}`], was)] : [])];
}

function formatPostedBlocks(
  { title, where, lines, nouns, quotes: { sent, replaced }, isSentAnew }: ReportContext,
  kind: "posted" | "waits" | "unknown",
): Blocks {
  const heads = {
    posted: `${nouns.postsTo} ${where}`,
    waits: `may ${nouns.postTo} ${where}: \`pulumi up\` looks again`,
    unknown: `${nouns.postsTo} ${where}, ${replaced ? "if what it declares changes" : `unless an identical ${nouns.entry} exists there`}`,
  };
  const then = kind === "posted" ? "" : "then ";
  const earlier = `${title}: an earlier run sent this at ${sent?.at}. It may become public, too`;
  const stays = `${title} ${then}replaces an update, which stays public`;
  return [
    { head: `${title} ${heads[kind]}`, lines, isDeclared: true },
    ...(sent && !isSentAnew ? [formatBlock([earlier], sent)] : []),
    ...(replaced ? [formatBlock([stays], replaced)] : []),
  ];
}

function formatUnconfirmedBlocks({
  title,
  where,
  lines,
  quotes: { declared, sent },
  isSentAnew,
  nouns,
}: ReportContext): Blocks {
  const searches = "`pulumi up` searches for it again";
  if (!sent || isSentAnew) {
    const head = `${title} may ${nouns.postTo} ${where}: it is unknown whether it was ${nouns.published}. ${searches}`;
    return [{ head, lines, isDeclared: true }];
  }
  const head = `${title}: it is unknown whether this, sent at ${sent.at}, was published. ${searches}`;
  const unless = sent.text === undefined && sent.status === declared.status ? ", unless it is the same" : "";
  const then = `${title} posts to ${where} after that${unless}`;
  return [formatBlock([head, ...lines], sent), { head: then, lines: [], isDeclared: true }];
}

function buildQuotes(
  { declared, recorded, isTextSecret, wasTextSecret = false }: PreviewSubject,
  ending: ReportedPrediction,
) {
  const isFound = ending.notices.some(({ kind }) => kind === "found");
  const sent = recorded?.kind === "sent" && !isFound ? recorded : undefined;
  // A text that was sent as a secret stays one for as long as it may not be public.
  const isDeclaredSecret =
    isTextSecret ||
    (sent?.isTextSecret === true && sameText(sent.declared.description, declared.description ?? ""));
  const replaced = "replaced" in ending ? ending.replaced : undefined;
  const was = "was" in ending ? ending.was : undefined;
  return {
    declared: toQuote(declared, isDeclaredSecret),
    sent: sent && { ...toQuote(sent.declared, isTextSecret || sent.isTextSecret), at: formatTime(sent.at) },
    replaced: replaced && toQuote(replaced, isTextSecret || wasTextSecret),
    was: was && toQuote(was, isTextSecret || wasTextSecret),
  };
}

/** Names the words that an edit changes, if they are few. */
function formatChangedWords(before: string, after: string): string[] {
  const [was = [], is = []] = [before, after].map((text) => collapseSpaces(text).split(" "));
  const most = Math.min(was.length, is.length);
  let [start, end] = [0, 0];
  while (start < most && was[start] === is[start]) start++;
  while (end < most - start && was.at(-1 - end) === is.at(-1 - end)) end++;
  const [old, anew] = [was, is].map((words) => words.slice(start, words.length - end));
  if (!old || !anew || start + end === 0 || old.length + anew.length === 0) return [];
  if (Math.max(old.length, anew.length) > mostChangedWords) return [];
  const quote = (words: readonly string[]): string => quoteExcerpt(words.join(" "), 100);
  if (old.length === 0) return [`In the text, ${quote(anew)} is added.`];
  if (anew.length === 0) return [`In the text, ${quote(old)} is removed.`];
  return [`In the text, ${quote(old)} becomes ${quote(anew)}.`];
}

const mostChangedWords = 8;

/** What an edit changes besides the text. */
function formatChanges(
  { status, publicIncidentUpdateDate: date }: Partial<Declaration>,
  was: Partial<Content> = {},
): string[] {
  const before = was.publicIncidentUpdateDate;
  const isRestated = status !== undefined && was.status !== status;
  const isRedated = date !== undefined && !sameSecond(date, before);
  return [
    ...(isRestated ? [`The status ${was.status ?? "none"} becomes ${status}.`] : []),
    ...(isRedated ? [`The public date was ${formatUtc(before) ?? "none"}.`] : []),
  ];
}

function toQuote(
  { status, description }: { readonly status?: string | null; readonly description?: string },
  isSecret: boolean,
) {
  return { status: status ?? undefined, text: isSecret ? undefined : description, isSecret };
}

/** Lays out one block: outcome and notices first, then the status, then the text. */
function formatBlock(
  [head, ...notices]: readonly [head: string, ...notices: string[]],
  { status, text, isSecret }: ReturnType<typeof toQuote>,
): PreviewFact["blocks"][number] {
  const withheld = text === undefined ? withheldText[isSecret ? "secret" : "unknown"] : "";
  return { head, lines: [...notices, `${status ?? unknownStatus}:${withheld}`], text };
}

const unknownStatus = "a status that is not known yet";
/** Stands for a text that isn't shown. */
const withheldText = { secret: " (secret text)", unknown: " (text that is not known yet)" };

/** The name of an incident that is opened, and what it does to components. */
function openedLines({ declared: { name }, impacts = [] }: PreviewSubject): string[] {
  if (name === undefined) return [];
  return [
    [name === "" ? "A name that is not known yet" : quoteExcerpt(name, 255), ...formatImpacts(impacts)].join(
      ", ",
    ),
  ];
}

function formatLocation({ declared: { containerId: id, name }, incident }: PreviewSubject): string {
  const { container } = getNouns({ name });
  if (id === undefined) return `${name === undefined ? "an" : "a"} ${container} that is not known yet`;
  return incident === undefined ? `${container} ${id}` : `${quoteExcerpt(incident.name, 60)} (${id})`;
}

/**
 * Lays out an update: the incident and its newest update stand above the new one, as on the page.
 *
 * @param before The update above it.
 */
export function formatUpdateBlocks(update: PreviewedUpdate, now: number, before?: PreviewedUpdate): Block[] {
  const { text, warnings } = update;
  const place = formatIncidentState(update, now);
  // Updates of one incident stand together: what is public of it is said above the first.
  const isSaid =
    before?.incident?.id === update.incident?.id &&
    before &&
    isSameLines(formatIncidentState(before, now), place);
  return update.blocks.map(({ isDeclared = false, head, lines, ...block }) =>
    isDeclared
      ? {
          head: isSaid ? omitIncidentName(head, update) : head,
          warnings,
          lines: [...lines, ...(isSaid ? [] : place), formatContent(update, now)],
          text,
        }
      : { ...block, head, lines },
  );
}

/** Names the incident by its id alone. */
function omitIncidentName(head: string, { incident }: PreviewedUpdate): string {
  if (incident?.name === undefined) return head;
  return head.replace(`${quoteExcerpt(incident.name, 60)} (${incident.id})`, () => incident.id);
}

const isSameLines = (one: readonly string[], other: readonly string[]): boolean =>
  one.join("\n") === other.join("\n");

function formatIncidentState(
  { posts, incident = { id: "" }, newest }: PreviewedUpdate,
  now: number,
): string[] {
  const { severity, impacts = [], status, began } = incident;
  if (posts === "no" || incident.name === undefined) return [];
  const since = began && `began ${formatDistance(began, now)}`;
  const state = [severity, ...formatImpacts(impacts), status, since].flatMap((each) => each ?? []);
  const shown = newest
    ? `Newest update, ${formatDistance(newest.at, now)}, ${newest.status}:${
        newest.text === undefined ? withheldText.secret : ` ${quoteExcerpt(newest.text, 100)}`
      }`
    : "No update is public yet.";
  return [...(state.length > 0 ? [state.join(", ")] : []), shown];
}

/** Such as `major outage of Checkout and Cart`: one for each state. */
function formatImpacts(impacts: readonly ShownImpact[]): string[] {
  const states = [...new Set(impacts.map(({ state }) => state))];
  return states.map((state) => {
    const names = impacts
      .filter((each) => each.state === state)
      .map(({ component }) => truncateText(component, 60));
    const shown = names.slice(0, names.length > mostNames ? mostNames - 1 : mostNames);
    const more = names.length - shown.length;
    const list = more > 0 ? [...shown, `${more} more`] : shown;
    const words = state === "UNDER_MAINTENANCE" ? "maintenance" : state.toLowerCase().replaceAll("_", " ");
    return `${words} of ${new Intl.ListFormat("en-GB").format(list)}`;
  });
}

const mostNames = 4;

function formatContent(update: PreviewedUpdate, now: number) {
  const { becomes, status = unknownStatus, withheld, date, emails } = update;
  const at = formatUtc(date);
  const dated = at === undefined ? "" : `, dated ${at} (${formatDistance(date, now)})`;
  const emailed =
    emails === undefined
      ? "it is not known yet whether subscribers are emailed"
      : `${emails ? "every" : "no"} subscriber is emailed`;
  const then = becomes === "edited" ? "nobody is emailed" : emailed;
  return `${status}${dated}, ${then}:${withheld === undefined ? "" : withheldText[withheld]}`;
}

function formatUtc(date: string | null | undefined): string | undefined {
  const at = parseMs(date ?? undefined);
  return at === undefined ? undefined : `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

const units = [
  ["year", 31_556_952],
  ["month", 2_629_746],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Says how far away a time is, such as `in 36 years` or `2 hours ago`. */
function formatDistance(time: string | undefined, now: number): string {
  const seconds = ((parseMs(time) ?? NaN) - now) / 1000;
  if (Number.isNaN(seconds)) return "at an unknown time";
  const [unit, length] = units.find(([, each]) => Math.abs(seconds) >= each) ?? [];
  if (unit === undefined) return "now";
  return new Intl.RelativeTimeFormat("en").format(Math.round(seconds / length), unit);
}

function formatNotices(subject: PreviewSubject, ending: ReportedPrediction): string[] {
  if (!("refusal" in ending) || !ending.refusal)
    return ending.notices.flatMap((notice) => formatPreviewNotice(subject, notice));
  const { urn, place, declared, recorded, isOfProvider } = subject;
  const reason = formatRefusal(ending.refusal, declared, { isOfProvider, title: formatTitle(urn, place) });
  if (ending.kind === "waits") return [`If nothing more is known then, it fails: ${reason}`];
  const isChanged = recorded && listChangedFields(recorded.declared, declared).length > 0;
  const { onChange = "post" } = declared;
  return [`If it isn't found: ${reason}`, ...(isChanged ? thenChanged[onChange] : [])];
}

const thenChanged = {
  post: [],
  refuse: ["Only if it was not published, the change is posted."],
  edit: ["If it was published, it is edited; only otherwise, the change is posted."],
};

function formatPreviewNotice({ declared, recorded }: PreviewSubject, notice: Notice): string[] {
  switch (notice.kind) {
    case "adopted":
    case "moved":
    case "several":
    case "stateOnly":
    case "unread":
      return [];
    case "found":
      return recorded ? [formatNotice(notice, recorded.declared)] : [];
    case "resent": {
      const emails =
        declared.notifySubscribers === false ? "" : ", and subscribers may be emailed a second time";
      const sent = `An earlier run sent this update at ${formatTime(notice.at)}, and the incident doesn't show it`;
      return [`${sent}: it may become public twice${emails}.`];
    }
    case "waits": {
      const sent = notice.isLater ? "a later entry of the timeline" : "an update that may be this one";
      return [
        `This machine sent ${sent} moments ago, and the service doesn't show it yet. Only if it doesn't appear, this one is posted.`,
      ];
    }
    default:
      return [formatNotice(notice, declared)];
  }
}

/** Lays out the blocks for a terminal in which the engine breaks lines, and prints the beginning of a long text. */
export function formatForTerminal(fact: PreviewFact, now: number): readonly NoticeText[] {
  // The provider warns by itself.
  return formatUpdateBlocks(fact, now).map(({ warnings: _, ...block }) => formatBlockLines(block));
}
