/**
 * Formats the result of a preview for a declared update as blocks. A provider prints the blocks or passes them to `monitoring preview`.
 * Only a preview quotes a description, and it omits a description that may be secret.
 */
import { parseMs, type StatusPageIncident } from "../api";
import { type PlaceInTimeline, formatTitle, getTimelineName, parseUrn } from "../engine";
import { factFormat } from "../previewFacts";
import { findNewest } from "../proofreading";
import {
  isEditable,
  listChangedFields,
  type Declaration,
  type Prediction,
  type Notice,
  type UpdateRecord,
} from "../protocol";
import { quoteExcerpt, sameText, collapseSpaces, type NoticeText } from "../texts";
import {
  type EditPrediction,
  formatChangedWords,
  formatChanges,
  formatComponentState,
  formatImpactChange,
  type ImpactChange,
  isVerification,
} from "./editChanges";
import {
  type Block,
  formatBlockLines,
  type PreviewedUpdate,
  type PreviewFact,
  type ShownImpact,
} from "./previewFacts";
import { formatResourceName, formatTime, formatUtc, getNouns, type Nouns } from "./labels";
import { formatEarlierPost, formatNotice } from "./notices";
import { formatRejection, omitOutcome } from "./rejections";

export interface PreviewSubject {
  readonly urn: string;
  readonly isTextSecret: boolean;
  readonly isNameSecret?: boolean;
  readonly place?: PlaceInTimeline | undefined;
  readonly wasTextSecret?: boolean;
  readonly declared: Partial<Declaration>;
  readonly recorded?: UpdateRecord;
  readonly incident?: StatusPageIncident | undefined;
  /** The resource that opens the incident of the update in this run. */
  readonly opener?: string | undefined;
  /** The page of the incident, if it is a page with components, and the affected components. */
  readonly statusPageId?: string | undefined;
  readonly impacts?: readonly ShownImpact[] | undefined;
  /** The changes of the impacts of an incident that is public as declared. */
  readonly impactChanges?: readonly ImpactChange[] | undefined;
  /** Possible errors in the declaration. */
  readonly warnings?: readonly string[];
  readonly order?: number | undefined;
  /** True if the arguments of an explicit Provider configure the connection. */
  readonly isOfProvider?: boolean;
}

/** A rejection isn't reported as a fact, because it fails the preview with an error. */
type ReportedPrediction = Exclude<Prediction, { kind: "refused" }>;

export function createPreviewFact(subject: PreviewSubject, prediction: ReportedPrediction): PreviewFact {
  const { urn, declared, warnings = [], place, order, impactChanges = [] } = subject;
  const quotes = buildQuotes(subject, prediction);
  const { text, isSecret } = quotes.declared;
  const write = posts[prediction.kind];
  const unread = prediction.notices.find((notice) => notice.kind === "unread");
  const reason = unread && formatNotice(unread, declared);
  const isVerified = prediction.kind === "edited" && isVerification(subject, prediction);
  return {
    format: factFormat,
    urn,
    posts: write,
    becomes: isVerified ? "verified" : impactChanges.length > 0 ? "edited" : prediction.kind,
    // The existing incidents of a page don't matter for a new incident.
    incident: declared.name === undefined ? toIncidentFact(subject) : undefined,
    ...(declared.name === undefined ? {} : toOpeningFact(subject)),
    newest: write === "no" || declared.name !== undefined ? undefined : toNewestFact(subject),
    status: declared.status,
    text,
    withheld: text !== undefined ? undefined : isSecret ? "secret" : "unknown",
    date: declared.publicIncidentUpdateDate,
    adopts: prediction.kind === "adopted" ? prediction.recorded.id : undefined,
    emails: prediction.kind === "edited" ? false : declared.notifySubscribers,
    warnings: write === "no" && prediction.kind !== "edited" ? [] : [...warnings],
    timeline: place && toPlaceFact(subject, place),
    order,
    blocks: formatBlocks(subject, prediction, quotes),
    unread: reason && `${formatTitle(urn, place)}: not verified. ${reason}`,
  };
}

function toPlaceFact({ urn, declared: { key } }: PreviewSubject, { index, keys }: PlaceInTimeline) {
  return { name: getTimelineName(parseUrn(urn).name, key ?? ""), entry: index + 1, of: keys.length };
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

/** Returns the facts that are reported only for a declared incident. */
function toOpeningFact({ declared, isNameSecret, incident, impacts }: PreviewSubject) {
  const { containerId: id, name } = declared;
  return {
    statusPage: id === undefined ? undefined : { id, name: incident?.name },
    name: name === "" || isNameSecret ? undefined : name,
    impacts: impacts && [...impacts],
  };
}

/** Returns the newest public update. Its text is omitted if it was a secret of the same resource. */
function toNewestFact(subject: PreviewSubject): PreviewFact["newest"] {
  const { declared, incident, isTextSecret, wasTextSecret = false } = subject;
  const newest = findNewest(incident);
  if (!newest) return undefined;
  const isOwnSecret =
    (isTextSecret || wasTextSecret) && sameText(declared.description ?? "", newest.description);
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

/** Returns the first non-blank line, without control characters, because the text is untrusted. */
function getFirstLine(text: string): string {
  const [line = ""] = /[^\p{C}\s].*/u.exec(text) ?? [];
  return truncateText(line, 200);
}

function truncateText(text: string, most: number): string {
  const characters = Array.from(collapseSpaces(text));
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}\u2026` : characters.join("");
}

/** The inputs of the sentences about a result. */
interface ReportContext {
  readonly nouns: Nouns;
  readonly title: string;
  readonly where: string;
  /** The sentences of the notices. */
  readonly lines: string[];
  readonly quotes: ReturnType<typeof buildQuotes>;
  /** True if a resource of this run opens the incident of the update. */
  readonly isOpened: boolean;
  /** True if the declared update equals the one that was sent. False if either text is hidden. */
  readonly isSentAnew: boolean;
}

type Blocks = PreviewFact["blocks"];

function formatBlocks(
  subject: PreviewSubject,
  prediction: ReportedPrediction,
  quotes: ReportContext["quotes"],
): Blocks {
  const { declared, sent } = quotes;
  const context = {
    title: formatTitle(subject.urn, subject.place),
    where: formatLocation(subject),
    lines: [...openedLines(subject), ...formatNotices(subject, prediction)],
    nouns: getNouns(subject.declared),
    quotes,
    isOpened: subject.opener !== undefined,
    isSentAnew: sent?.text !== undefined && sent.text === declared.text && sent.status === declared.status,
  };
  const { title, where, lines, nouns } = context;
  switch (prediction.kind) {
    case "kept": {
      const changes = (subject.impactChanges ?? []).map(formatImpactChange);
      const isUnknown = prediction.notices.some(
        (notice) => notice.kind === "notKnown" && notice.fields.includes("impacts"),
      );
      const mayBeRejected = prediction.notices.some(
        (notice) => notice.kind === "notKnown" && notice.isRejected,
      );
      if (mayBeRejected)
        return [
          { head: `${title} may be rejected by \`pulumi up\`; nothing is ${nouns.posted} or emailed`, lines },
        ];
      const edits = isUnknown ? "may edit" : "edits";
      if (isUnknown || changes.length > 0)
        return [
          {
            head: `${title} ${edits} the impacts of a public incident on ${where}; no subscriber is emailed`,
            lines: [...lines, ...changes],
          },
        ];
      return [{ head: `${title} changes only in the state; nothing is ${nouns.posted} or emailed`, lines }];
    }
    case "edited":
      return formatEditedBlocks(context, subject, prediction);
    case "adopted": {
      const { id, createdAt } = prediction.recorded;
      const head = `${title} adopts ${nouns.entry} ${id} on ${where}, public since ${createdAt ?? "an unknown time"}; nothing is ${nouns.posted}`;
      return [{ head, lines }];
    }
    case "posted":
    case "waits":
    case "unknown":
      return formatPostedBlocks(context, prediction.kind);
    case "unconfirmed":
      return formatUnconfirmedBlocks(context);
  }
}

function formatEditedBlocks(
  { title, where, lines, nouns, quotes: { declared: is, was } }: ReportContext,
  subject: PreviewSubject,
  edit: EditPrediction,
): Blocks {
  const unless = edit.isUnverified ? ", unless it already matches the declaration" : "";
  const changes = formatChanges(subject, edit.was);
  const isVerified = isVerification(subject, edit);
  const words = was?.text === undefined || is.text === undefined ? [] : formatChangedWords(was.text, is.text);
  const after = {
    head: `${title} ${isVerified ? "verifies" : "edits"} a public ${nouns.entry} on ${where}${unless}`,
    lines: [...changes, ...words, ...lines],
    isDeclared: true,
  };
  // The same text isn't repeated, such as after a change of only the impacts.
  if (isVerified || (was && was.text === is.text && was.status === is.status && !was.isSecret))
    return [after];
  const now = edit.isUnverified
    ? "the public text, as recorded in the state"
    : "the public text before the edit";
  return [after, ...(was ? [formatBlock([`${title}: ${now}`], was)] : [])];
}

function formatPostedBlocks(
  { title, where, lines, nouns, quotes: { sent }, isSentAnew, isOpened }: ReportContext,
  kind: "posted" | "waits" | "unknown",
): Blocks {
  const heads = {
    posted: `${nouns.postsTo} ${where}`,
    waits: `may ${nouns.postTo} ${where}, after \`pulumi up\` has searched again`,
    unknown: `${nouns.postsTo} ${where}${isOpened ? "" : `, unless an identical ${nouns.entry} already exists`}`,
  };
  const earlier = `${title}: an earlier run sent the following ${nouns.entry} at ${sent?.at}. It may also become public`;
  return [
    { head: `${title} ${heads[kind]}`, lines, isDeclared: true },
    ...(sent && !isSentAnew ? [formatBlock([earlier], sent)] : []),
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
  const searches = `\`pulumi up\` searches for the ${nouns.entry} again`;
  if (!sent || isSentAnew) {
    const head = `${title} may ${nouns.postTo} ${where}, because the result of an earlier ${nouns.request} is unknown. ${searches}`;
    return [{ head, lines, isDeclared: true }];
  }
  const head = `${title}: the result of the following ${nouns.request}, sent at ${sent.at}, is unknown. ${searches}`;
  const unless =
    sent.text === undefined && sent.status === declared.status ? ", unless the two are identical" : "";
  const then = `${title} ${nouns.postsTo} ${where} after that${unless}`;
  return [formatBlock([head, ...lines], sent), { head: then, lines: [], isDeclared: true }];
}

function buildQuotes(
  { declared, recorded, isTextSecret, wasTextSecret = false }: PreviewSubject,
  prediction: ReportedPrediction,
) {
  const isFound = prediction.notices.some(({ kind }) => kind === "found");
  const sent = recorded?.kind === "sent" && !isFound ? recorded : undefined;
  // A text that was sent as a secret stays secret until it is known to be public.
  const isDeclaredSecret =
    isTextSecret ||
    (sent?.isTextSecret === true && sameText(sent.declared.description, declared.description ?? ""));
  const was = "was" in prediction ? prediction.was : undefined;
  return {
    declared: toQuote(declared, isDeclaredSecret),
    sent: sent && { ...toQuote(sent.declared, isTextSecret || sent.isTextSecret), at: formatTime(sent.at) },
    was: was && toQuote(was, isTextSecret || wasTextSecret),
  };
}

function toQuote(
  { status, description }: { readonly status?: string | null; readonly description?: string },
  isSecret: boolean,
) {
  return { status: status ?? undefined, text: isSecret ? undefined : description, isSecret };
}

/** Creates a block: the result and the notices, then the status, then the text. */
function formatBlock(
  [head, ...notices]: readonly [head: string, ...notices: string[]],
  { status, text }: ReturnType<typeof toQuote>,
): PreviewFact["blocks"][number] {
  const withheld = text === undefined ? withheldText.secret : "";
  return { head, lines: [...notices, `${status ?? unknownStatus}:${withheld}`], text };
}

const unknownStatus = "a status that is not known yet";
/** Placeholders for texts that aren't shown. */
const withheldText = { secret: " (secret text)", unknown: " (text that is not known yet)" };

/** Returns the name of the new incident and its affected components. */
function openedLines({ declared: { name }, isNameSecret, impacts = [] }: PreviewSubject): string[] {
  if (name === undefined) return [];
  const shown = isNameSecret ? "A secret name" : quoteExcerpt(name, 255);
  return [[name === "" ? "A name that is not known yet" : shown, ...formatImpacts(impacts)].join(", ")];
}

function formatLocation({ declared: { containerId: id, name }, incident, opener }: PreviewSubject): string {
  const { container } = getNouns({ name });
  if (opener !== undefined) return `the incident that ${formatResourceName(opener)} opens`;
  if (id === undefined) return `${name === undefined ? "an" : "a"} ${container} that is not known yet`;
  return incident === undefined ? `${container} ${id}` : `${quoteExcerpt(incident.name, 60)} (${id})`;
}

/**
 * Formats the blocks of an update. The incident and its newest update come first.
 *
 * @param before The previous update in the report.
 */
export function formatUpdateBlocks(update: PreviewedUpdate, now: number, before?: PreviewedUpdate): Block[] {
  const { text, warnings } = update;
  const place = formatIncidentState(update, now);
  // Updates of one incident are listed together, so the state of the incident is only printed for the first one.
  const isRepeated =
    before?.incident?.id === update.incident?.id &&
    before &&
    isSameLines(formatIncidentState(before, now), place);
  return update.blocks.map(({ isDeclared = false, head, lines, ...block }) =>
    isDeclared
      ? {
          head: isRepeated ? omitIncidentName(head, update) : head,
          warnings,
          lines: [...lines, ...(isRepeated ? [] : place), formatContent(update, now)],
          text,
        }
      : { ...block, head, lines },
  );
}

/** Replaces the name of the incident by its ID. */
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

/** Returns one phrase for each state, such as `major outage of Checkout and Cart`. */
function formatImpacts(impacts: readonly ShownImpact[]): string[] {
  const states = [...new Set(impacts.map(({ state }) => state))];
  return states.map((state) => {
    const names = impacts
      .filter((each) => each.state === state)
      .map(({ component }) => truncateText(component, 60));
    const shown = names.slice(0, names.length > maxNames ? maxNames - 1 : maxNames);
    const more = names.length - shown.length;
    const list = more > 0 ? [...shown, `${more} more`] : shown;
    return `${formatComponentState(state)} of ${new Intl.ListFormat("en-GB").format(list)}`;
  });
}

const maxNames = 4;

function formatContent(update: PreviewedUpdate, now: number) {
  const { status = unknownStatus, withheld, date, emails } = update;
  const at = formatUtc(date);
  const dated = at === undefined ? "" : `, dated ${at} (${formatDistance(date, now)})`;
  const emailed =
    emails === undefined
      ? "it is not known yet whether subscribers are emailed"
      : `${emails ? "every" : "no"} subscriber is emailed`;
  return `${status}${dated}, ${emailed}:${withheld === undefined ? "" : withheldText[withheld]}`;
}

const units = [
  ["year", 31_556_952],
  ["month", 2_629_746],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Formats the distance of a time, such as `in 36 years` or `2 hours ago`. */
function formatDistance(time: string | undefined, now: number): string {
  const seconds = ((parseMs(time) ?? NaN) - now) / 1000;
  if (Number.isNaN(seconds)) return "at an unknown time";
  const [unit, length] = units.find(([, each]) => Math.abs(seconds) >= each) ?? [];
  if (unit === undefined) return "now";
  return new Intl.RelativeTimeFormat("en").format(Math.round(seconds / length), unit);
}

function formatNotices(subject: PreviewSubject, prediction: ReportedPrediction): string[] {
  if (!("rejection" in prediction) || !prediction.rejection)
    return prediction.notices.flatMap((notice) => formatPreviewNotice(subject, notice));
  const { urn, place, declared, recorded, isOfProvider } = subject;
  const title = formatTitle(urn, place);
  const reason = omitOutcome(formatRejection(prediction.rejection, declared, { isOfProvider, title }));
  if (prediction.kind === "waits")
    return [`If the result is still unknown then, \`pulumi up\` fails: ${reason}`];
  const isChanged = recorded && listChangedFields(recorded.declared, declared).length > 0;
  const { entry, posted } = getNouns(declared);
  const thenChanged = isEditable(declared)
    ? `If the earlier ${entry} is public, it is edited. Otherwise, the change is ${posted}.`
    : `The change is ${posted} only if the earlier ${entry} isn't public.`;
  return [`If the ${entry} isn't found, \`pulumi up\` fails: ${reason}`, ...(isChanged ? [thenChanged] : [])];
}

function formatPreviewNotice({ declared, recorded }: PreviewSubject, notice: Notice): string[] {
  const nouns = getNouns(declared);
  const { entry, container, posted } = nouns;
  switch (notice.kind) {
    case "adopted":
    case "stateOnly":
    case "unread":
      return [];
    case "found":
      return recorded ? [formatNotice(notice, recorded.declared)] : [];
    case "resent": {
      const emails =
        declared.notifySubscribers === false ? "" : ", and subscribers may be emailed a second time";
      const sent = `An earlier run sent this ${entry} at ${formatTime(notice.at)}, and the ${entry} isn't on the ${container}`;
      return [`${sent}. It may become public twice${emails}.`];
    }
    case "waits": {
      const earlier = formatEarlierPost(notice, nouns).replace(/^a/, "A");
      return [`${earlier}. This ${entry} is ${posted} only if the earlier one doesn't appear.`];
    }
    default:
      return [formatNotice(notice, declared)];
  }
}

/** Formats the blocks for a terminal in which the engine wraps lines. A long text is cut. */
export function formatForTerminal(fact: PreviewFact, now: number): readonly NoticeText[] {
  // The provider emits the warnings separately.
  return formatUpdateBlocks(fact, now).map(({ warnings: _, ...block }) => formatBlockLines(block));
}
