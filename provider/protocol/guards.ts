/**
 * The policy: what a declaration needs after a read. Each guard asks one question about the situation, and the first one that has a
 * verdict decides. If none has, the update is posted. The page of the protocol defines the words for posts.
 */
import { msOf, notBefore, updateStatuses } from "../api";
import { commonWords, mayBeShownAs, sameText } from "../texts";
import { codeOfAlike, codeOfPost, ifLater } from "./codes";
import {
  type Declaration,
  entryKey,
  type Identity,
  isSameDeclaration,
  keyOf,
  matches,
  oldestFirst,
  says,
  type Seen,
} from "./identity";
import { type Ledger, otherOwner, ownersBut, type Resource } from "./ledger";
import { declaresPast, differenceOf, type NotedPost, pastOf, type PastUpdate, pastWith } from "./records";
import {
  type Alike,
  type Circumstances,
  type Refusal,
  type Task,
  type TaskAt,
  type UnseenPosts,
} from "./task";

export type Verdict = Readonly<
  | { do: "refuse"; refusal: Refusal }
  /** `said`: what a killed run of this resource posted instead. */
  | { do: "adopt"; update: Seen; said?: Identity }
  /** Read one update by its id, then decide again. */
  | { do: "lookUp"; id: string }
  /** Read again until these posts appear or can't any more, then decide again. */
  | ({ do: "wait" } & UnseenPosts)
>;

/** @public The explorer leaves one out at a time. */
export const guards = {
  taken({ ledger, task: { declared, resource } }) {
    const by = ledger.taken.get(declared.words);
    return by === undefined || by === resource ? undefined : refuse({ why: "taken", by });
  },

  twin({ ledger, task: { declared, resource, recorded } }) {
    const owner = ownersBut(ledger, resource).find((each) => differenceOf(declared, each) === undefined);
    const isPosted = recorded?.kind === "posted";
    return owner && refuse({ why: "twin", by: owner.by, id: owner.id, isPosted });
  },

  changedBack({ ledger, task: { declared, phase }, free, count }) {
    const before = phase.lineage.past.find((past) => declaresPast(declared, past));
    // If the others don't suffice, a run that was interrupted has posted a free one as this occurrence.
    if (!before || count - free.length < declared.occurrence) return undefined;
    const { id } = before;
    const since = ledger.view.updates.find((update) => update.id === id)?.created_at ?? undefined;
    return refuse({ why: "changedBack", id, since, next: count + 1 });
  },

  adopt({ task: { declared }, identical, free, count }) {
    const counted = count < declared.occurrence ? [] : [identical[declared.occurrence - 1], ...free];
    const update = counted.find((each) => each && !each.isOver && free.includes(each));
    return update && { do: "adopt", update };
  },

  /** An earlier run edited what said this. In a chain by `dependsOn`, it didn't know of this declaration before. */
  reworded({ task: { declared, phase }, noted }) {
    const mayBePlace = declared.onChange === "edit" && declared.key === undefined && !phase.lineage.current;
    const isTaken = (post: NotedPost) => post.isReworded && !post.isOwn && post.words === declared.words;
    return mayBePlace && noted.some(isTaken) ? refuse({ why: "taken" }) : undefined;
  },

  /** A run that was killed has posted other words for this very resource: they are edited, or their change is refused. */
  killedPost({ ledger, task: { declared, resource, phase }, noted, now }) {
    if (declared.onChange === "post" || phase.lineage.current) return undefined;
    const { updates } = ledger.view;
    // What this run has waited for counts also at the end of the wait.
    const at = Math.min(now, (phase.waitsUntil ?? Infinity) - 1);
    const posts = noted.filter(
      (post) =>
        post.isOwn &&
        post.edits === undefined &&
        // With an id, only the state may be lost.
        (post.id === undefined || post.mayAppearUntil > at) &&
        !isIdentical(declared, post) &&
        !isLaterEntry(declared, post) &&
        !ledger.settled.includes(post.nonce),
    );
    for (const { id, words: noted, date: publicIncidentUpdateDate } of posts) {
      const update = updates.find(
        (each) =>
          each.words === noted && each.id === (id ?? each.id) && !otherOwner(ledger, resource, each.id),
      );
      if (!update) continue;
      const { description, name, text, words } = update;
      const status = updateStatuses.find((each) => each === update.status) ?? declared.status;
      return {
        do: "adopt",
        update,
        said: { ...declared, status, description, name, text, words, publicIncidentUpdateDate },
      };
    }
    const live = posts.filter(
      ({ id, mayAppearUntil }) => mayAppearUntil > now && updates.every((each) => each.id !== id),
    );
    return live.length === 0 ? undefined : { do: "wait", posts: live, isLater: false };
  },

  unsettledTwin({ ledger: { plans, settled }, task: { declared, resource } }) {
    for (const [by, plan] of plans) {
      if (by === resource || plan.kind !== "unsettled" || settled.includes(plan.recorded.nonce)) continue;
      const { declared: sent } = plan.recorded;
      if (sent.containerId === declared.containerId && matches(declared, sent))
        return refuse({ why: "unsettledTwin", by });
    }
    return undefined;
  },

  occurrence(situation) {
    const { ledger, task } = situation;
    const count = situation.count + identicalPosts(situation).filter(hasId).length;
    const isMissing = ledger.view.complete && count < task.declared.occurrence - 1;
    return isMissing ? refuse({ why: "occurrence", count }) : undefined;
  },

  laterEntry({ ledger, task, noted, alike }) {
    const id = laterEntry(ledger, task, noted);
    if (id !== undefined) return refuse({ why: "laterEntry", id, alike });
    const { follows, followedBy = [] } = task.declared;
    const [newer] =
      follows === undefined || followedBy.length === 0 ? [] : newerThanPrevious(ledger, task.declared);
    return newer && refuse({ why: "laterEntry", id: newer.id, isGuess: true, alike });
  },

  earlierEntry({ ledger, task: { declared, resource } }) {
    const { follows } = declared;
    const isMissing =
      follows !== undefined && entriesOf(ledger, resource).every(({ entries }) => !entries.includes(follows));
    return isMissing ? refuse({ why: "earlierEntry" }) : undefined;
  },

  unreadId({ task: { phase }, open }) {
    const id = open
      .map((post) => post.id)
      .find((each) => each !== undefined && !phase.lookedUp.includes(each));
    return id === undefined ? undefined : { do: "lookUp", id };
  },

  alike({ alike: updates }) {
    const codes = updates.map(({ code }) => code);
    return codes.length === 0 ? undefined : refuse({ why: "alike", updates, codes });
  },

  liveNote({ task: { declared }, open, now }) {
    const posts = open.filter((post) => post.mayAppearUntil > now);
    const isLater = posts.some((post) => isLaterEntry(declared, post));
    return posts.length === 0 ? undefined : { do: "wait", posts, isLater };
  },

  noted(situation) {
    const posts = doubted(situation);
    const [first] = posts;
    if (!first) return undefined;
    const isLater = isLaterEntry(situation.task.declared, first);
    const from = ifLater(Math.max(...posts.map((post) => post.answerableFrom)), situation.now);
    return refuse({ why: "noted", posts, isLater, codes: posts.map(codeOfPost), ...from });
  },

  undecided({ ledger, task: { resource } }) {
    const plan = ledger.plans.get(resource);
    if (plan?.kind !== "mayBeReplaced") return undefined;
    const { changed: fields } = plan;
    return refuse(fields.length > 0 ? { why: "changed", fields } : { why: "undecided" });
  },

  /** Where the history is cut, nobody can tell whether the update is public, unless the user denied that its post is. */
  full: ({ ledger, repeated }) => (ledger.view.complete || repeated ? undefined : refuse({ why: "full" })),

  tooEarly({ ledger, task: { declared } }) {
    const refusal = tooEarly(ledger, declared);
    return refusal && refuse(refusal);
  },
} satisfies Record<string, (situation: Situation) => Verdict | undefined>;

function refuse(refusal: Refusal): Verdict {
  return { do: "refuse", refusal };
}

export function tooEarly({ view: { began } }: Ledger, { publicIncidentUpdateDate: date }: Identity) {
  const isEarly = began !== undefined && (msOf(date) ?? began) < began;
  return isEarly ? ({ why: "tooEarly", began } as const) : undefined;
}

export type Situation = ReturnType<typeof situationOf>;

/** What several guards ask about. */
export function situationOf(ledger: Ledger, task: TaskAt<"decide">, { noted, now }: Circumstances) {
  const { codes, declared, resource, phase } = task;
  const unseen = noted
    .filter((post) => isUnseen(ledger, task, post))
    .map((post) => ({ ...post, isAnswered: codes.includes(codeOfPost(post)) }));
  const denied = unseen.filter((post) => post.isAnswered && countsAt(post, now));
  // An answer that was given too early is waited for like the post itself.
  const open = unseen
    .filter((post) => !denied.includes(post))
    .map(({ isAnswered, ...post }) => ({
      ...post,
      ...(isAnswered && { mayAppearUntil: Math.max(post.mayAppearUntil, post.answerableFrom) }),
    }));
  /** The denied post of the state, if its declaration is still the same. */
  const repeated =
    phase.denied && isSameDeclaration(declared, phase.denied.declared) ? phase.denied : undefined;
  const isNoted = (id: string, as: (declared: Declaration, post: NotedPost) => boolean) =>
    noted.some((post) => post.id === id && as(declared, post));
  /** An edit has made it say something else: a read may be late. */
  const saysElse = (_: Declaration, post: NotedPost) =>
    post.edits !== undefined &&
    post.mayAppearUntil > now &&
    !isIdentical(declared, post) &&
    !(post.isOwn && declared.onChange === "edit");
  /** The identical updates that the history shows, the oldest first. */
  const identical = oldestFirst(ledger.view.updates).filter(
    (update) =>
      !isNoted(update.id, isLaterEntry) &&
      !isNoted(update.id, saysElse) &&
      (isNoted(update.id, isIdentical) || isDeclared(declared, update)),
  );
  const had = phase.lineage.past.filter((past) => declaresPast(declared, past));
  /** Those that this resource may take: neither another one's, nor one that it had before its current one. */
  const free = identical.filter(
    ({ id }) => !otherOwner(ledger, resource, id) && had.every((past) => past.id !== id),
  );
  /** How many identical updates are known, shown or not. */
  const count = identical.length + hidden(ledger, task, identical).length;
  /** What may be the declared update, if the service changes dates or characters, unless the user denies it. */
  const alike = alikes(ledger, declared, pastWith(phase.lineage), noted).filter(
    ({ code }) => !codes.includes(code),
  );
  return {
    ledger,
    task,
    now,
    noted,
    denied,
    open,
    repeated,
    identical,
    free,
    count,
    alike,
  };
}

/** True if an answer about the post counts. Before that, the service may still show it. */
function countsAt({ answerableFrom }: NotedPost, now: number): boolean {
  return answerableFrom <= now;
}

/** True if a noted post decides about the declaration, and nothing that this run knows shows its update. */
function isUnseen(ledger: Ledger, { declared, resource, phase }: TaskAt<"decide">, post: NotedPost): boolean {
  const { id, nonce, words, edits } = post;
  if (post.isReworded && !post.isOwn) return false;
  if (ledger.settled.includes(nonce)) return false;
  if (ledger.view.updates.some((update) => update.id === id)) return false;
  // If a resource has the update, its own timeline says which entry it is.
  if (isLaterEntry(declared, post)) return !ledger.owners.has(id ?? "");
  if (words !== declared.words) return false;
  // An update of the resource itself is counted already.
  const isOwn = pastWith(phase.lineage).some((past) => past.id === id);
  return !isOwn && otherOwner(ledger, resource, id ?? edits) === undefined;
}

/** True if the update is the declared one, by its words. */
export function isDeclared(declared: Identity & Pick<Declaration, "followedBy">, update: Seen): boolean {
  if (!matches(declared, update)) return false;
  // A later entry of the timeline may have equal words, and a date.
  const { publicIncidentUpdateDate: date } = update;
  return declared.followedBy?.includes(entryKey(declared.words, 1, date)) !== true;
}

/** Identical updates that resources have or had, and that the history doesn't show as such: it is late or cut, or they were edited. */
function hidden(
  ledger: Ledger,
  { declared, resource, phase: { lineage } }: TaskAt<"decide">,
  identical: readonly { readonly id: string }[],
): PastUpdate[] {
  const others = [...ownersBut(ledger, resource), ...pastWith(lineage)].filter(
    (past) => declaresPast(declared, past) && identical.every((update) => update.id !== past.id),
  );
  return others.filter(({ id }, index) => others.findIndex((other) => other.id === id) === index);
}

export function isIdentical(
  declared: Identity & Pick<Partial<Declaration>, "onChange">,
  post: NotedPost,
): boolean {
  if (post.isReworded && !(post.isOwn && declared.onChange === "edit")) return false;
  return says(declared, post);
}

function identicalPosts({ task: { declared }, open }: Situation): NotedPost[] {
  return open.filter((post) => !isLaterEntry(declared, post) && isIdentical(declared, post));
}

const hasId = ({ id }: NotedPost): boolean => id !== undefined;

/**
 * The open posts about which the user is asked, all at once: an answer about one alone would be followed by the next question, and that
 * by the first again.
 */
function doubted(situation: Situation): NotedPost[] {
  const { task, open, count } = situation;
  const { declared } = task;
  const same = identicalPosts(situation);
  const known = same.filter(hasId);
  // The oldest known posts are the occurrences that are missing before the declared one.
  const missing = Math.max(0, declared.occurrence - 1 - count);
  const later = open.filter((post) => isLaterEntry(declared, post) && (hasId(post) || post.isReported));
  const preceding = Math.min(declared.occurrence - 1, count + known.length);
  const unknown = same.filter((post) => !hasId(post) && post.isReported && post.occurrence > preceding);
  return [...known.slice(missing), ...later, ...unknown];
}

/** The id of a public update that is a later entry of the declared one's timeline. */
export function laterEntry(
  ledger: Ledger,
  { declared, resource }: Task,
  noted: readonly NotedPost[] = [],
): string | undefined {
  const { followedBy } = declared;
  if (!followedBy) return undefined;
  const all = entriesOf(ledger, resource);
  const later = all.find(({ entries }) => entries.some((one) => followedBy.includes(one)));
  const isShown = (id: string | undefined) => ledger.view.updates.some((update) => update.id === id);
  // Only its note says what an update was that was edited since. If a resource has it, its own timeline does.
  const edited = noted.find(
    (post) => isLaterEntry(declared, post) && isShown(post.id) && !ledger.owners.has(post.id ?? ""),
  );
  return later?.id ?? edited?.id;
}

/**
 * What nobody in this run has yet, and is newer than the entry before: perhaps an entry whose words, or whose key, the program changes in
 * this very run. Several new entries in one run are posted where nothing else is newer.
 */
function newerThanPrevious({ owners, view }: Ledger, { key, follows }: Task["declared"]): Seen[] {
  if (key === undefined) return [];
  const previous =
    follows === undefined ? undefined : [...owners.values()].find(({ entry }) => entry === follows);
  if (follows !== undefined && !previous) return [];
  const shown = oldestFirst(view.updates);
  const at = shown.findIndex(({ id }) => id === previous?.id);
  // A read may come too early for the entry before.
  const isAfter = ({ created_at: createdAt }: Seen, index: number): boolean =>
    at < 0 ? notBefore(createdAt, previous?.createdAt) : index > at;
  return shown.filter(isAfter).filter(({ id }) => !owners.has(id));
}

/** The updates, and the entries of a timeline that each may be: as its own timeline declares it, or as the history counts it. */
function entriesOf(ledger: Ledger, resource: Resource) {
  const shown = oldestFirst(ledger.view.updates).map((update) => ({
    id: update.id,
    words: update.words,
    date: update.publicIncidentUpdateDate,
  }));
  const counted = shown.map((update, index) => {
    const occurrence = shown.slice(0, index + 1).filter(({ words }) => words === update.words).length;
    return { ...update, occurrence, entry: ledger.owners.get(update.id)?.entry };
  });
  return [...ownersBut(ledger, resource), ...counted].map((update) => ({
    id: update.id,
    entries: update.entry === undefined ? entryKeysOf(update) : [update.entry],
  }));
}

/** The keys that a timeline may give to an entry with these words: with its date, where it repeats them. */
function entryKeysOf({ words, occurrence, date }: Counted): string[] {
  return date == null
    ? [entryKey(words, occurrence)]
    : [entryKey(words, occurrence), entryKey(words, 1, date)];
}

type Counted = Pick<PastUpdate, "words" | "occurrence"> & { readonly date?: string | null | undefined };

function isLaterEntry({ followedBy }: Task["declared"], post: NotedPost): boolean {
  if (post.isReworded) return false;
  return followedBy !== undefined && entryKeysOf(post).some((entry) => followedBy.includes(entry));
}

/** Leaves out the updates that were certainly posted as others. @param had The updates that the resource had before. */
export function alikes(
  ledger: Ledger,
  declared: Declaration,
  had: readonly PastUpdate[],
  noted: readonly NotedPost[] = [],
): Alike[] {
  const { containerId: container } = declared;
  const known = [...had, ...knownUpdates(ledger)];
  // A note doesn't prove that an incident that is open under the declared name is a different one.
  const recorded = declared.name === undefined ? noted : [];
  const posts = [...known, ...recorded.map((post) => ({ ...post, container }))];
  const others = [...had, ...posts.filter((each) => differenceOf(declared, each) !== undefined)];
  const isOther = (id: string) => others.some((each) => each.id === id && !each.isByWords);
  const shown = oldestFirst(ledger.view.updates).filter((update) => mayBeShownFor(declared, update));
  const dates = new Map([
    ...known
      .filter((each) => each.isByWords && hasOtherDate(declared, each))
      .map(({ id, date }) => [id, date] as const),
    ...shown.map(({ id, publicIncidentUpdateDate: date }) => [id, date] as const),
  ]);
  const isOver = (id: string) => ledger.view.updates.find((update) => update.id === id)?.isOver;
  const alike = [...dates]
    .filter(([id]) => !isOther(id))
    .map(([id, date]) => ({ id, date, ...(declared.name !== undefined && { isOver: isOver(id) }) }));
  const renamed = newerThanPrevious(ledger, declared)
    .filter((update) => !dates.has(update.id) && saysNearly(declared, update))
    .map(({ id, publicIncidentUpdateDate: date }) => ({ id, date, isRenamed: true as const }));
  return [...alike, ...renamed].map((each) => ({
    ...each,
    date: asDeclared(each.date),
    code: codeOfAlike(keyOf(declared), each.id),
  }));
}

function saysNearly(declared: Identity, update: Seen): boolean {
  return !matches(declared, update) && commonWords(declared.text, update.text) >= 0.7;
}

function asDeclared(date: string | null | undefined): string | undefined {
  const ms = msOf(date);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

function hasOtherDate(declared: Identity, past: PastUpdate): boolean {
  const undated = { ...declared, publicIncidentUpdateDate: undefined };
  return declaresPast(undated, past) && !declaresPast(declared, past);
}

/**
 * Whether the update may be the declared one, with characters that the service changed. An incident may be it if it is open under the same
 * name, whatever its first update says by now, or if it is over and says the same.
 */
export function mayBeShownFor(declared: Identity, update: Seen): boolean {
  if (declared.name !== undefined) {
    const { name = "", isOver = false, text } = update;
    const isNamedSo = sameText(name, declared.name) || mayBeShownAs(declared.name, name);
    const isSame = matches(declared, update);
    // A history of more than 100 updates lacks the first one.
    return isNamedSo && (isOver ? isSame || text === "" : !isSame);
  }
  if (update.status !== declared.status || matches(declared, update)) return false;
  return mayBeShownAs(declared.text, update.text);
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
