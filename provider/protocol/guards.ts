/**
 * The policy: decides the next step for a declaration after a read. The guards run in order, and the first verdict is carried out. Without
 * a verdict, the update is posted. README.md defines the terms for posts.
 */
import { parseMs, isNotBefore, updateStatuses, sortOldestFirst } from "../api";
import { computeWordOverlap, canBeShownAs, sameText } from "../texts";
import { computeSimilarUpdateCode, computePostCode, serviceLimits, toFutureStart } from "./codes";
import {
  computeEntryKey,
  type Declaration,
  getOccurrence,
  type Identity,
  isSameDeclaration,
  computeDeclarationKey,
  matches,
  matchesRecord,
  pickContent,
  type ShownUpdate,
} from "./identity";
import {
  type Ledger,
  findOtherOwner,
  findTwin,
  findUnsettledTwin,
  listOtherOwners,
  type Resource,
  serviceClockMs,
} from "./ledger";
import { matchesOwned, type NotedPost } from "./records";
import {
  type SimilarUpdate,
  type ReadContext,
  type Rejection,
  type Task,
  type TaskAt,
  type UnseenPosts,
} from "./task";

export type Verdict = Readonly<
  | { kind: "reject"; rejection: Rejection }
  /** `sent`: the content that a killed run of this resource posted, if it differs from the declared content. */
  | { kind: "adopt"; update: ShownUpdate; sent?: Identity }
  /** Read one update by its ID, then decide again. */
  | { kind: "lookUp"; id: string }
  /** Read again until these posts appear or can't appear any more, then decide again. */
  | ({ kind: "wait" } & UnseenPosts)
>;

/** @public The explorer in `test/explore` leaves out one guard at a time, to show that it is needed. */
export const guards = {
  /** Rejects if another resource owns the declared update, or has sent an identical update whose result is unknown. */
  twin({ ledger, task: { declared, resource }, notes }) {
    // The note of a post also identifies its update if the service changed the declared date.
    const isNoted = ({ id }: { readonly id: string }) =>
      declared.publicIncidentUpdateDate !== undefined &&
      notes.some((post) => post.id === id && post.edits === undefined && matchesRecord(declared, post));
    const others = listOtherOwners(ledger, resource);
    const owner = findTwin(ledger, resource, declared) ?? others.find(isNoted);
    if (owner) return reject({ kind: "twin", by: owner.by, id: owner.id });
    const by = findUnsettledTwin(ledger, resource, declared);
    return by === undefined ? undefined : reject({ kind: "twin", by });
  },

  adopt({ task: { declared }, identical, free, count, open }) {
    const occurrence = getOccurrence(declared);
    // If a note contains the ID of the resource's own post, only that update is the declared one, even if a stale read lacks it.
    const isHidden = open.some((post) => post.isOwn && hasId(post) && matchesRecord(declared, post));
    const candidates = isHidden || count < occurrence ? [] : [identical[occurrence - 1], ...free];
    const update = candidates.find((each) => each && !each.isResolved && free.includes(each));
    return update && { kind: "adopt", update };
  },

  /** Adopts and edits an update that a killed run posted for this resource with different content, or rejects the change. */
  killedPost({ ledger, task: { declared, resource, phase }, notes, now }) {
    const { updates } = ledger.view;
    // Keep considering posts whose wait has just ended.
    const at = Math.min(now, (phase.waitsUntil ?? Infinity) - 1);
    const posts = notes.filter(
      (post) =>
        post.isOwn &&
        (post.edits === undefined || post.id !== undefined) &&
        !matchesRecord(declared, post) &&
        !isLaterEntry(declared, post) &&
        !ledger.settled.includes(post.nonce),
    );
    for (const post of posts) {
      const { id, contentKey, date: publicIncidentUpdateDate } = post;
      const isCreated = (each: ShownUpdate): boolean =>
        id === undefined
          ? each.contentKey === contentKey &&
            (post.mayAppearUntil > at || isCreatedBy(post, each)) &&
            notes.every((other) => other.id !== each.id)
          : each.id === id;
      const update = updates.find((each) => isCreated(each) && !findOtherOwner(ledger, resource, each.id));
      if (!update) continue;
      const { description, name, text } = update;
      const status = updateStatuses.find((each) => each === update.status) ?? declared.status;
      const shown = { status, description, name, text, publicIncidentUpdateDate };
      // The update may show a text that someone else wrote, but the note's key is computed from the text that this resource sent.
      return { kind: "adopt", update, sent: { ...declared, ...shown, contentKey } };
    }
    const live = posts.filter(
      ({ id, mayAppearUntil }) => mayAppearUntil > now && updates.every((each) => each.id !== id),
    );
    return live.length === 0 ? undefined : { kind: "wait", posts: live, isLater: false };
  },

  /** Rejects an entry of a timeline that would be posted after a later entry, or before the previous one. */
  order({ ledger, task, notes, alike }) {
    const id = findLaterEntry(ledger, task, notes);
    if (id !== undefined) return reject({ kind: "laterEntry", id, alike });
    const { key, follows, followedBy = [] } = task.declared;
    if (follows === undefined) return undefined;
    const mayPrecede = key !== undefined && followedBy.length > 0;
    const [newer] = mayPrecede ? listNewerThanPrevious(ledger, task.declared) : [];
    if (newer) return reject({ kind: "laterEntry", id: newer.id, unowned: pickContent(newer), alike });
    const isPublic = listEntries(ledger, task.resource).some(({ entries }) => entries.includes(follows));
    return isPublic ? undefined : reject({ kind: "earlierEntry" });
  },

  unreadId({ task: { phase }, open }) {
    const id = open
      .map((post) => post.id)
      .find((each) => each !== undefined && !phase.lookedUp.includes(each));
    return id === undefined ? undefined : { kind: "lookUp", id };
  },

  alike({ alike: updates }) {
    const codes = updates.map(({ code }) => code);
    return codes.length === 0 ? undefined : reject({ kind: "alike", updates, codes });
  },

  liveNote({ task: { declared }, open, now }) {
    const posts = open.filter((post) => post.mayAppearUntil > now);
    const isLater = posts.some((post) => isLaterEntry(declared, post));
    return posts.length === 0 ? undefined : { kind: "wait", posts, isLater };
  },

  doubtedPost(situation) {
    const posts = listDoubtedPosts(situation);
    const [first] = posts;
    if (!first) return undefined;
    const isLater = isLaterEntry(situation.task.declared, first);
    const from = toFutureStart(Math.max(...posts.map((post) => post.codeStart)), situation.now);
    return reject({ kind: "doubtedPost", posts, isLater, codes: posts.map(computePostCode), ...from });
  },

  undecided({ ledger, task: { resource } }) {
    const plan = ledger.plans.get(resource);
    if (plan?.kind !== "mayBeReplaced") return undefined;
    const { changed: fields } = plan;
    return reject(fields.length > 0 ? { kind: "changed", fields } : { kind: "undecided" });
  },

  /** Rejects the post if the history may be cut, because the update may be public, unless the user confirmed that it isn't. */
  full: ({ ledger, repeated }) => (ledger.view.complete || repeated ? undefined : reject({ kind: "full" })),

  tooEarly({ ledger, task: { declared } }) {
    const rejection = checkPublicDate(ledger, declared);
    return rejection && reject(rejection);
  },
} satisfies Record<string, (situation: Situation) => Verdict | undefined>;

/**
 * Returns true if the update was created at about the time at which the post was sent. Somebody may have posted another update with the same
 * content before or after it.
 */
export function isCreatedBy(
  { at }: Pick<NotedPost, "at">,
  { created_at: createdAt }: Pick<ShownUpdate, "created_at">,
): boolean {
  const ms = parseMs(createdAt);
  return ms !== undefined && Math.abs(ms - at) <= serviceLimits.maxPostMs + serviceClockMs;
}

/** Returns true if the noted post created this update, and the note doesn't record yet that this resource owns it. */
export function hasCreated(post: NotedPost, update: ShownUpdate): boolean {
  const { id, isOwn = false, edits, contentKey } = post;
  if (edits !== undefined) return false;
  if (id !== undefined) return id === update.id && !isOwn;
  return contentKey === update.contentKey && (isOwn || isCreatedBy(post, update));
}

function reject(rejection: Rejection): Verdict {
  return { kind: "reject", rejection };
}

export function checkPublicDate({ view: { began } }: Ledger, { publicIncidentUpdateDate: date }: Identity) {
  const isEarly = began !== undefined && (parseMs(date) ?? began) < began;
  return isEarly ? ({ kind: "tooEarly", began } as const) : undefined;
}

export type Situation = ReturnType<typeof buildSituation>;

/** Computes the values that several guards use. */
export function buildSituation(ledger: Ledger, task: TaskAt<"decide">, { notes, now }: ReadContext) {
  const { codes, declared, resource, phase } = task;
  const unseen = notes
    .filter((post) => isUnseen(ledger, task, post))
    .map((post) => ({ ...post, hasCode: codes.includes(computePostCode(post)) }));
  const denied = unseen.filter((post) => post.hasCode && isCodeValid(post, now));
  // A code that was set too early isn't valid yet, so wait, as for the post itself.
  const open = unseen
    .filter((post) => !denied.includes(post))
    .map(({ hasCode, ...post }) => ({
      ...post,
      ...(hasCode && { mayAppearUntil: Math.max(post.mayAppearUntil, post.codeStart) }),
    }));
  /** The denied post from the state, if the declaration is unchanged. */
  const repeated =
    phase.denied && isSameDeclaration(declared, phase.denied.declared) ? phase.denied : undefined;
  const isNoted = (id: string, as: (declared: Declaration, post: NotedPost) => boolean) =>
    notes.some((post) => post.id === id && as(declared, post));
  /** Returns true if an edit has changed the update's content and a stale read may not show that yet. */
  const isBeingEdited = (_: Declaration, post: NotedPost) =>
    post.edits !== undefined && post.mayAppearUntil > now && !post.isOwn && !matchesRecord(declared, post);
  /** Identical updates in the history, oldest first. */
  const identical = sortOldestFirst(ledger.view.updates).filter((update) => {
    if (isNoted(update.id, isLaterEntry) || isNoted(update.id, isBeingEdited)) return false;
    return isNoted(update.id, matchesRecord) || isDeclared(declared, update);
  });
  /** Identical updates that this resource may adopt, because no other resource owns them. */
  const free = identical.filter(({ id }) => !findOtherOwner(ledger, resource, id));
  /** The number of identical updates that are known, including updates that the history doesn't show. */
  const count =
    free.length + listOtherOwners(ledger, resource).filter((owner) => matchesOwned(declared, owner)).length;
  /** Updates that may be the declared one if the service changes dates or characters. Updates with a configured code are excluded. */
  const alike = listSimilarUpdates(ledger, task, notes).filter(({ code }) => !codes.includes(code));
  return {
    ledger,
    task,
    now,
    notes,
    denied,
    open,
    repeated,
    identical,
    free,
    count,
    alike,
  };
}

/** Returns true if a code for the post has taken effect. Before that, the update may still appear. */
function isCodeValid({ codeStart }: NotedPost, now: number): boolean {
  return codeStart <= now;
}

/** Returns true if a noted post is relevant to the declaration, and its update is neither shown nor owned by a resource. */
function isUnseen(ledger: Ledger, { declared, resource }: Task, post: NotedPost): boolean {
  const { id, nonce, contentKey, edits } = post;
  if (ledger.settled.includes(nonce)) return false;
  if (ledger.view.updates.some((update) => update.id === id)) return false;
  // If a resource owns the update, its own timeline identifies the entry.
  if (isLaterEntry(declared, post)) return !ledger.owners.has(id ?? "");
  if (contentKey !== declared.contentKey) return false;
  return findOtherOwner(ledger, resource, id ?? edits) === undefined;
}

/** Returns true if the content of the update identifies it as the declared one. */
export function isDeclared(
  declared: Identity & Pick<Declaration, "followedBy">,
  update: ShownUpdate,
): boolean {
  if (!matches(declared, update)) return false;
  // A later entry of the timeline may have the same content and a declared date.
  const { publicIncidentUpdateDate: date } = update;
  return declared.followedBy?.includes(computeEntryKey(declared.contentKey, 1, date)) !== true;
}

function listIdenticalPosts({ task: { declared }, open }: Situation): NotedPost[] {
  return open.filter((post) => !isLaterEntry(declared, post) && matchesRecord(declared, post));
}

const hasId = ({ id }: NotedPost): boolean => id !== undefined;

/**
 * Returns all posts that need a resend code. They are reported together, because codes for one at a time would make the runs alternate
 * between two errors.
 */
function listDoubtedPosts(situation: Situation): NotedPost[] {
  const { task, open, count } = situation;
  const { declared } = task;
  const same = listIdenticalPosts(situation);
  const known = same.filter(hasId);
  // The oldest known posts fill the occurrences that are missing before the declared one.
  const before = getOccurrence(declared) - 1;
  const missing = Math.max(0, before - count);
  const later = open.filter((post) => isLaterEntry(declared, post) && (hasId(post) || post.isReported));
  const preceding = Math.min(before, count + known.length);
  const unknown = same.filter((post) => !hasId(post) && post.isReported && post.occurrence > preceding);
  return [...known.slice(missing), ...later, ...unknown];
}

/** Returns the ID of a public update that is a later entry of the same timeline. */
export function findLaterEntry(
  ledger: Ledger,
  { declared, resource }: Task,
  notes: readonly NotedPost[] = [],
): string | undefined {
  const { followedBy } = declared;
  if (!followedBy) return undefined;
  const all = listEntries(ledger, resource);
  const later = all.find(({ entries }) => entries.some((entry) => followedBy.includes(entry)));
  const isShown = (id: string | undefined) => ledger.view.updates.some((update) => update.id === id);
  // After an edit, only the note of the post identifies the original entry. If a resource owns the update, its own timeline does.
  const edited = notes.find(
    (post) => isLaterEntry(declared, post) && isShown(post.id) && !ledger.owners.has(post.id ?? ""),
  );
  return later?.id ?? edited?.id;
}

/**
 * Lists updates without an owner that are newer than the previous entry. Such an update may be a later entry whose content or key changes
 * in this run. Updates with an owner aren't listed, so that one run can post several new entries.
 */
function listNewerThanPrevious({ owners, view }: Ledger, { follows }: Task["declared"]): ShownUpdate[] {
  const previous =
    follows === undefined ? undefined : [...owners.values()].find(({ entry }) => entry === follows);
  if (follows !== undefined && !previous) return [];
  const shown = sortOldestFirst(view.updates);
  const at = shown.findIndex(({ id }) => id === previous?.id);
  // A read may not show the previous entry yet.
  const isAfter = ({ created_at: createdAt }: ShownUpdate, index: number): boolean =>
    at < 0 ? isNotBefore(createdAt, previous?.createdAt) : index > at;
  return shown.filter(isAfter).filter(({ id }) => !owners.has(id));
}

/**
 * Lists the updates with the timeline entries that each may be: the entry that its own timeline declares or, without one, the entries that
 * follow from its position in the history.
 */
function listEntries(ledger: Ledger, resource: Resource) {
  const shown = sortOldestFirst(ledger.view.updates).map((update) => ({
    id: update.id,
    contentKey: update.contentKey,
    date: update.publicIncidentUpdateDate,
  }));
  const counted = shown.map((update, index) => {
    const { length: occurrence } = shown
      .slice(0, index + 1)
      .filter(({ contentKey }) => contentKey === update.contentKey);
    return { ...update, occurrence, entry: ledger.owners.get(update.id)?.entry };
  });
  return [...listOtherOwners(ledger, resource), ...counted].map((update) => ({
    id: update.id,
    entries: update.entry === undefined ? computeEntryKeys({ occurrence: 1, ...update }) : [update.entry],
  }));
}

/** Returns the keys that a timeline may use for this entry. The key contains the date if the timeline repeats the content. */
function computeEntryKeys({ contentKey, occurrence, date }: Counted): string[] {
  return date == null
    ? [computeEntryKey(contentKey, occurrence)]
    : [computeEntryKey(contentKey, occurrence), computeEntryKey(contentKey, 1, date)];
}

type Counted = Pick<NotedPost, "contentKey" | "occurrence"> & { readonly date?: string | null | undefined };

function isLaterEntry({ followedBy }: Task["declared"], post: NotedPost): boolean {
  return followedBy !== undefined && computeEntryKeys(post).some((entry) => followedBy.includes(entry));
}

/** Lists updates that may be the declared one in a changed form. Excludes updates of other resources and of posts of other declarations. */
export function listSimilarUpdates(
  ledger: Ledger,
  { declared, resource }: Task,
  notes: readonly NotedPost[] = [],
): SimilarUpdate[] {
  // An open incident with the declared name may be the declared one, even if a note records it for a different declaration.
  const isOfOtherPost = (id: string) =>
    declared.name === undefined && notes.some((post) => post.id === id && !matchesRecord(declared, post));
  const free = ledger.view.updates.filter(({ id }) => !findOtherOwner(ledger, resource, id));
  const alike = free.filter((update) => canBeShownFor(declared, update) && !isOfOtherPost(update.id));
  const newer = declared.followedBy === undefined ? [] : listNewerThanPrevious(ledger, declared);
  const renamed = [
    ...newer.filter((update) => isSimilar(declared, update)),
    ...free.filter((update) => isRenamedIncident(declared, update, notes)),
  ].filter((update) => !alike.includes(update));
  return [...sortOldestFirst(alike), ...renamed].map((update) => ({
    id: update.id,
    date: toIsoDate(update.publicIncidentUpdateDate),
    ...(declared.name !== undefined && { isResolved: update.isResolved }),
    ...(renamed.includes(update) && { isRenamed: true }),
    code: computeSimilarUpdateCode(computeDeclarationKey(declared), update.id),
  }));
}

/** Returns true if a killed run probably opened the incident for this declaration, and somebody renamed it. */
function isRenamedIncident(declared: Identity, update: ShownUpdate, notes: readonly NotedPost[]): boolean {
  const { name = "", isResolved, text, status } = update;
  if (declared.name === undefined || isResolved || sameText(name, declared.name)) return false;
  // The run may have opened several incidents with the same first update.
  if (notes.some(({ id, contentKey }) => id === update.id || contentKey === update.contentKey)) return false;
  const isSent = notes.some(
    (post) => !hasId(post) && matchesRecord(declared, post) && isCreatedBy(post, update),
  );
  return isSent && text === declared.text && status === declared.status;
}

function isSimilar(declared: Identity, update: ShownUpdate): boolean {
  return !matches(declared, update) && computeWordOverlap(declared.text, update.text) >= 0.7;
}

function toIsoDate(date: string | null | undefined): string | undefined {
  const ms = parseMs(date);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** Returns true if the service may show the declared name of an incident as this name. */
export function canBeNamed(declared: string, shown: string): boolean {
  return sameText(shown, declared) || canBeShownAs(declared, shown);
}

/**
 * Returns true if the update may be the declared one with characters that the service changed. An incident may be the declared one if it is
 * open and has the same name, even if its first update was edited, or if it is resolved and has the same content.
 */
function canBeShownFor(declared: Identity, update: ShownUpdate): boolean {
  if (declared.name !== undefined) {
    const { name = "", isResolved = false, text } = update;
    const hasDeclaredName = canBeNamed(declared.name, name);
    const isSame = matches(declared, update);
    // The text is empty if the incident has more than 100 updates, because the history then lacks the first one.
    return hasDeclaredName && (isResolved ? isSame || text === "" : !isSame);
  }
  if (update.status !== declared.status || matches(declared, update)) return false;
  return canBeShownAs(declared.text, update.text);
}
