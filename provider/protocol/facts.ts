/** Computes what a read of the incident says about a declaration. Each fact is computed once; the guards of `decide.ts` decide by them. */
import { type StatusPageIncidentUpdate } from "../api";
import { msOf } from "../api/timestamps";
import { digestOf, mayBeShownAs } from "../texts";
import {
  contentKey,
  type Declaration,
  entryKey,
  type Identity,
  isSameDeclaration,
  matches,
  oldestFirst,
  ownId,
} from "./identity";
import { type Ledger, otherOwner, ownersBut, type Resource, type Twin } from "./ledger";
import { declaresPast, differenceOf, pastOf, type PastUpdate, pastWith, type Sent } from "./records";
import { type Alike, type Circumstances, type NotedPost, type Task, type TaskAt } from "./task";

export type Facts = ReturnType<typeof factsOf>;

export function factsOf(ledger: Ledger, task: TaskAt<"decide">, { noted, now }: Circumstances) {
  const { codes, declared, resource, phase } = task;
  const { view } = ledger;
  const unseen = noted.filter((post) => isUnseen(ledger, task, post));
  const isSet = (code: string) => codes.includes(code);
  const answered = unseen.filter((post) => isSet(codeOfPost(post)));
  const open = unseen.filter((post) => !answered.includes(post));
  const live = open.filter((post) => post.mayAppearUntil > now);
  const { identicalCount, ...history } = identicalUpdates(ledger, task, noted);
  const { count, doubts } = doubtsOf(declared, open, identicalCount);
  const isLater = (post: NotedPost) => isLaterEntry(declared, post);
  const again = sentBefore(task);
  const sentIds = again?.ownIds ?? [];
  const nextId = ownId(declared, sentIds.length);
  // The first repetition of a post has the id that was sent, so that one which is killed can't double it either.
  const idToSend = ledger.ids === "off" ? undefined : (sentIds.at(-1) ?? nextId);
  const usedId = ledger.ids === "used" ? idToSend : undefined;
  const owner = otherOwner(ledger, resource, idToSend);
  const alike = alikes(ledger, declared, pastWith(phase.lineage), noted);
  const plan = ledger.plans.get(resource);
  // An answer about the same declaration is one about the update.
  const beyond = view.complete || again ? [] : codesBeyond(ledger, declared, now);
  const denied = [...(phase.denied ? [phase.denied] : []), ...answered];
  return {
    occurrence: declared.occurrence,
    twin: twinOf(ledger, task),
    ...history,
    unsettledTwin: unsettledTwin(ledger, task),
    /** How many identical updates exist before the declared one, shown or not. A noted one may be the declared one itself. */
    count,
    noted: doubts.length > 0 ? { posts: doubts, isLater: doubts.slice(0, 1).some(isLater) } : undefined,
    isComplete: view.complete,
    laterEntry: laterEntry(ledger, task, noted),
    earlierEntry: isEarlierMissing(ledger, task),
    alike: alike.filter(({ code }) => !isSet(code)),
    unreadId: open.find(({ id }) => id !== undefined && !phase.lookedUp.includes(id))?.id,
    liveNote: live.length > 0 ? { posts: live, isLater: live.some(isLater) } : undefined,
    /** The changed fields that may not change, if any. */
    undecided: plan?.kind === "mayBeReplaced" ? plan.changed : undefined,
    /** The id of our own under which it is posted; undefined where ids are turned off. */
    idToSend,
    /** The ids under which it was sent, once it is, and last the one under which it is sent again. */
    ownIds: ledger.ids === "off" ? sentIds : [...sentIds, nextId],
    idOfAnother: owner && ({ by: owner.by, id: owner.id, isPosted: false, differs: "content" } as const),
    unreadOwnId: phase.lookedUp.some((id) => id === usedId) ? undefined : usedId,
    full: beyond.some(isSet) ? undefined : beyond[0],
    /** The codes of the user that count for this declaration. */
    codes: [...denied.map(codeOfPost), ...alike.map(({ code }) => code), ...beyond].filter(isSet),
    denied: denied.map(({ nonce }) => nonce),
    /** The time of an earlier post of the declared update that isn't public, as the user says; in milliseconds since 1970. */
    sentAt: (again ?? answered.find((post) => isIdentical(declared, post)))?.at,
  };
}

function twinOf(ledger: Ledger, { declared, resource, recorded }: Task): Twin | undefined {
  const owner = ownersBut(ledger, resource).find((each) => differenceOf(declared, each) === undefined);
  return owner && { by: owner.by, id: owner.id, isPosted: recorded?.kind === "posted" };
}

/** The state of another resource doesn't say whether its identical update is public. */
function unsettledTwin({ plans, settled }: Ledger, { declared, resource }: Task): Resource | undefined {
  for (const [by, plan] of plans) {
    if (by === resource || plan.kind !== "unsettled" || settled.includes(plan.recorded.nonce)) continue;
    const { declared: sent } = plan.recorded;
    if (sent.incidentId === declared.incidentId && matches(declared, sent)) return by;
  }
  return undefined;
}

/** Identical updates, by the history and by what resources of this run have: how many exist, and which is the declared one. */
function identicalUpdates(ledger: Ledger, task: TaskAt<"decide">, noted: readonly NotedPost[]) {
  const { declared, phase, resource } = task;
  const own = [ownId(declared, 0), ...(sentBefore(task)?.ownIds ?? [])];
  const notedIds = noted.filter((post) => isIdentical(declared, post)).map(({ id }) => id);
  const ids = [...own, ...notedIds];
  const later = noted.filter((post) => isLaterEntry(declared, post)).map(({ id }) => id);
  const identical = oldestFirst(ledger.view.updates).filter(
    (update) => isDeclared(declared, ids, update) && !later.includes(update.id),
  );
  const count = identical.length + declaredElsewhere(ledger, task, identical).length;
  const publishedBefore = phase.lineage.past.filter((past) => declaresPast(declared, past));
  const free = identical.filter(
    ({ id }) => !otherOwner(ledger, resource, id) && publishedBefore.every((past) => past.id !== id),
  );
  // A read may lack identical ones that are older.
  const ownUpdate = free.find(({ id }) => own.includes(id));
  if (!ownUpdate && count < declared.occurrence) return { identicalCount: count };
  const [before] = publishedBefore;
  // A free one is this occurrence only when the others don't suffice: a run that was interrupted posted it.
  if (before && count - free.length >= declared.occurrence) {
    const { id } = before;
    const since = ledger.view.updates.find((update) => update.id === id)?.created_at ?? undefined;
    return { identicalCount: count, changedBack: { id, since, next: count + 1 } };
  }
  const adopt = [ownUpdate, identical[declared.occurrence - 1], ...free].find(
    (update) => update && free.includes(update),
  );
  return { identicalCount: declared.occurrence - 1, adopt };
}

/** True if the update is the declared one. An update with one of these ids is, whatever its text is by now. */
export function isDeclared(
  declared: Identity & Pick<Declaration, "followedBy">,
  ids: readonly (string | undefined)[],
  update: StatusPageIncidentUpdate,
): boolean {
  if (ids.includes(update.id)) return true;
  if (!matches(declared, update)) return false;
  // A later entry of the timeline may have equal words, and a date.
  const { publicIncidentUpdateDate: date } = update;
  return declared.followedBy?.includes(entryKey(contentKey(declared), 1, date)) !== true;
}

/** Identical updates that the history doesn't show as such: it shows them late or no more, or they were edited by hand. */
function declaredElsewhere(
  ledger: Ledger,
  { declared, phase: { lineage }, resource }: TaskAt<"decide">,
  identical: readonly { readonly id: string }[],
): PastUpdate[] {
  const others = [...ownersBut(ledger, resource), ...pastWith(lineage)];
  const isElsewhere = ({ id }: PastUpdate, index: number): boolean =>
    identical.every((update) => update.id !== id) && others.findIndex((other) => other.id === id) === index;
  return others.filter((past, index) => declaresPast(declared, past) && isElsewhere(past, index));
}

function sentBefore({ declared, phase: { denied } }: TaskAt<"decide">): Sent | undefined {
  return denied && isSameDeclaration(declared, denied.declared) ? denied : undefined;
}

function isIdentical(declared: Identity, post: NotedPost): boolean {
  return declaresPast(declared, { ...post, incident: declared.incidentId });
}

/** True if a noted post that the history doesn't show decides about this one: an identical one, or a later entry. */
function isUnseen(ledger: Ledger, { declared, resource, phase }: TaskAt<"decide">, post: NotedPost): boolean {
  const { id, nonce, key } = post;
  if (ledger.settled.includes(nonce)) return false;
  if (ledger.view.updates.some((update) => update.id === id)) return false;
  // If a resource has the update, its own timeline says which entry it is.
  if (isLaterEntry(declared, post)) return !ledger.owners.has(id ?? "");
  if (key !== contentKey(declared)) return false;
  // An update of the resource itself is counted already.
  const isOwn = pastWith(phase.lineage).some((past) => past.id === id);
  return !isOwn && otherOwner(ledger, resource, id) === undefined;
}

/**
 * How many identical updates exist, and the posts that the user is asked about, in the order of the questions. All are asked
 * at once: an answer about one alone would be followed by the next question, and that by the first again.
 */
function doubtsOf(
  declared: Task["declared"],
  unseen: readonly NotedPost[],
  identicalCount: number,
): { readonly count: number; readonly doubts: readonly NotedPost[] } {
  const later = unseen.filter((post) => isLaterEntry(declared, post));
  const same = unseen.filter((post) => !later.includes(post) && isIdentical(declared, post));
  const shownLate = same.filter(({ id }) => id !== undefined);
  const count = identicalCount + shownLate.length;
  const unknown =
    later.find((post) => post.id !== undefined || post.isReported) ??
    same.find((post) => post.isReported && post.occurrence > count);
  const doubt = (count >= declared.occurrence ? shownLate[0] : undefined) ?? unknown;
  if (!doubt) return { count, doubts: [] };
  const rest = unseen.filter((post) => post !== doubt);
  return { count, doubts: [doubt, ...doubtsOf(declared, rest, identicalCount).doubts] };
}

/**
 * The codes that answer the question whether the update exists beyond what the history shows. An answer counts for as long as
 * the service shows what was the newest update then. A question doesn't name an update of the program: its own posts would
 * change the question. Which those are, the run may learn only later.
 */
function codesBeyond({ view, owners }: Ledger, declared: Identity, now: number): string[] {
  const own = ownId(declared, 0);
  const shown = oldestFirst(view.updates).map(({ id }) => id);
  const newestOther = shown.filter((id) => !owners.has(id)).at(-1);
  return codesOfUpdate(own, [...new Set([newestOther, ...shown])], now);
}

export function laterEntry(
  ledger: Ledger,
  { declared, resource }: Task,
  noted?: readonly NotedPost[],
): string | undefined {
  const { followedBy = [] } = declared;
  if (followedBy.length === 0) return undefined;
  const all = entriesOf(ledger, resource);
  const later = all.find(({ entries }) => entries.some((one) => followedBy.includes(one)));
  return later?.id ?? noted?.find((post) => isShownLater(ledger, declared, post))?.id;
}

/** The entry before it has an owner, also if the history is cut, unless the engine was told to leave it out. */
function isEarlierMissing(ledger: Ledger, { declared: { follows }, resource }: Task): boolean {
  if (follows === undefined) return false;
  return entriesOf(ledger, resource).every(({ entries }) => !entries.includes(follows));
}

/**
 * The updates that may be the declared one, because the service may have changed its date or characters, and nothing proves that
 * they were posted as others. @param had The updates that the resource had before.
 */
export function alikes(
  ledger: Ledger,
  declared: Identity,
  had: readonly PastUpdate[],
  noted: readonly NotedPost[] = [],
): Alike[] {
  const { incidentId: incident } = declared;
  const known = [...had, ...knownUpdates(ledger)];
  const posts = [...known, ...noted.map((post) => ({ ...post, incident }))];
  const others = [...had, ...posts.filter((each) => differenceOf(declared, each) !== undefined)];
  const isOther = (id: string) => others.some((each) => each.id === id && !each.isByWords);
  const shown = oldestFirst(ledger.view.updates).filter((update) => mayBeShownFor(declared, update));
  const dates = new Map([
    ...known
      .filter((each) => each.isByWords && hasOtherDate(declared, each))
      .map(({ id, date }) => [id, date] as const),
    ...shown.map(({ id, publicIncidentUpdateDate: date }) => [id, date] as const),
  ]);
  return [...dates]
    .filter(([id]) => !isOther(id))
    .map(([id, date]) => ({ id, date: asDeclared(date), code: codeOfAlike(ownId(declared, 0), id) }));
}

function asDeclared(date: string | null | undefined): string | undefined {
  const ms = msOf(date);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

function hasOtherDate(declared: Identity, past: PastUpdate): boolean {
  const undated = { ...declared, publicIncidentUpdateDate: undefined };
  return declaresPast(undated, past) && !declaresPast(declared, past);
}

function mayBeShownFor(declared: Identity, update: StatusPageIncidentUpdate): boolean {
  if (update.status !== declared.status || matches(declared, update)) return false;
  return mayBeShownAs(declared.description, update.description) && !isPostedAsShown(declared, update);
}

function isPostedAsShown(
  declared: Identity,
  { id, description, publicIncidentUpdateDate: date }: StatusPageIncidentUpdate,
) {
  return id === ownId({ ...declared, description, publicIncidentUpdateDate: date ?? undefined }, 0);
}

function knownUpdates({ plans }: Ledger): PastUpdate[] {
  return [...plans.values()].flatMap((plan) => {
    if (plan.kind === "mayBeReplaced") return [];
    const { recorded } = plan;
    return recorded.kind === "posted"
      ? pastWith({ past: recorded.past, current: pastOf(recorded) })
      : recorded.past;
  });
}

/** The updates, and the entries of a timeline that each may be: as its own timeline declares it, or as the history counts it. */
function entriesOf(
  ledger: Ledger,
  resource: Resource,
): { readonly id: string; readonly entries: readonly string[] }[] {
  const shown = oldestFirst(ledger.view.updates).map((update) => ({
    id: update.id,
    key: contentKey(update),
    date: update.publicIncidentUpdateDate,
  }));
  const counted = shown.map((update, index) => {
    const occurrence = shown.slice(0, index + 1).filter(({ key }) => key === update.key).length;
    return { ...update, occurrence, entry: ledger.owners.get(update.id)?.entry };
  });
  return [...ownersBut(ledger, resource), ...counted].map((update) => ({
    id: update.id,
    entries: update.entry === undefined ? entryKeysOf(update) : [update.entry],
  }));
}

/** The keys that a timeline may give to an entry with these words: with its date, where it repeats them. */
function entryKeysOf({ key, occurrence, date }: Counted): readonly string[] {
  return date == null ? [entryKey(key, occurrence)] : [entryKey(key, occurrence), entryKey(key, 1, date)];
}

interface Counted extends Pick<PastUpdate, "key" | "occurrence"> {
  readonly date?: string | null;
}

/** True if a noted post is a later entry that is public, was edited since, and belongs to no resource. */
function isShownLater({ owners, view }: Ledger, declared: Task["declared"], post: NotedPost): boolean {
  return isLaterEntry(declared, post) && view.updates.some(({ id }) => id === post.id && !owners.has(id));
}

function isLaterEntry({ followedBy }: Task["declared"], post: NotedPost): boolean {
  return followedBy !== undefined && entryKeysOf(post).some((entry) => followedBy.includes(entry));
}

/** The most codes that count: a refusal prints all, and must fit into the response of a provider process. */
export const maxCodes = 100;

/** The code of the question whether the post with this nonce is public: given once, it answers each question about that post. */
export function codeOfPost({ nonce }: { readonly nonce: string }): string {
  return codeOf({ about: "post", nonce });
}

/** The code of the question whether the public update is the one with the own id. */
export function codeOfAlike(ownId: string, id: string): string {
  return codeOf({ about: "alike", ownId, id });
}

const dayMs = 86_400_000;

/**
 * The codes that answer the question about an update; the first is that of now. An answer counts on the day of its question
 * and on the next one, so that a run after midnight accepts it.
 *
 * @param newest The updates that may have been the newest one when the question was asked.
 * @param now In milliseconds since 1970.
 */
function codesOfUpdate(ownId: string, newest: readonly (string | undefined)[], now: number): string[] {
  const today = Math.floor(now / dayMs);
  return [today, today - 1].flatMap((day) =>
    newest.map((newestOther) => codeOf({ about: "update", ownId, newestOther, day })),
  );
}

/** 8 hex digits: a code that is left over answers no other question, short of a collision. */
function codeOf(question: { readonly about: string } & Readonly<Record<string, unknown>>): string {
  return canonicalCode(digestOf(JSON.stringify(question)).slice(0, 8));
}

/**
 * The code in the spelling in which it is printed: readers of YAML take `12345e67`, `01234567` and `e1234567` for numbers, where a user
 * copies them without quotes.
 */
function canonicalCode(code: string): string {
  return code.toLowerCase().replace(/^[\de]/, (first) => "abcdf".charAt(parseInt(first, 16) % 5));
}

/** Reads the codes of a setting, in the spelling in which they are printed. @returns what is wrong, if something is. */
export function codesIn(text: string): readonly string[] | { readonly problem: string } {
  const codes = (text.match(/\S+/g) ?? []).map(canonicalCode);
  if (!codes.every((code) => /^[0-9a-f]{8}$/.test(code)))
    return { problem: "must be codes of 8 hexadecimal digits, separated by spaces, such as cf3a1c20" };
  if (codes.length > maxCodes)
    return { problem: `must be at most ${maxCodes} codes: set those of the last message alone` };
  return codes;
}
