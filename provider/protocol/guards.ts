/**
 * The policy: what a declaration needs after a read. Each guard asks one question about the situation, and the first one that has a
 * verdict decides. If none has, the update is posted. The page of the protocol defines the words for posts.
 */
import { type StatusPageIncidentUpdate } from "../api";
import { alikes } from "./alikes";
import { codeOfPost, codesOfUpdate, ifLater } from "./codes";
import { entriesOf, isLaterEntry, laterEntry } from "./entries";
import {
  contentKey,
  type Declaration,
  entryKey,
  type Identity,
  isSameDeclaration,
  matches,
  keyOf,
  oldestFirst,
} from "./identity";
import { type Ledger, otherOwner, ownersBut } from "./ledger";
import { declaresPast, differenceOf, type PastUpdate, pastWith } from "./records";
import { type Circumstances, type NotedPost, type Refusal, type TaskAt, type UnseenPosts } from "./task";

export type Verdict = Readonly<
  | { do: "refuse"; refusal: Refusal }
  | { do: "adopt"; update: StatusPageIncidentUpdate }
  /** Read one update by its id, then decide again. */
  | { do: "lookUp"; id: string }
  /** Read again until these posts appear or can't any more, then decide again. */
  | ({ do: "wait" } & UnseenPosts)
>;

/** @public The explorer leaves one out at a time. */
export const guards = {
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
    const update = counted.find((each) => each && free.includes(each));
    return update && { do: "adopt", update };
  },

  unsettledTwin({ ledger: { plans, settled }, task: { declared, resource } }) {
    for (const [by, plan] of plans) {
      if (by === resource || plan.kind !== "unsettled" || settled.includes(plan.recorded.nonce)) continue;
      const { declared: sent } = plan.recorded;
      if (sent.incidentId === declared.incidentId && matches(declared, sent))
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

  laterEntry({ ledger, task, noted, openAlike: alike }) {
    const id = laterEntry(ledger, task, noted);
    return id === undefined ? undefined : refuse({ why: "laterEntry", id, alike });
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

  alike({ openAlike: updates }) {
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

  full(situation) {
    const code = openCodeBeyond(situation);
    return code === undefined ? undefined : refuse({ why: "full", codes: [code] });
  },
} satisfies Record<string, (situation: Situation) => Verdict | undefined>;

function refuse(refusal: Refusal): Verdict {
  return { do: "refuse", refusal };
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
  /** The identical updates that the history shows, the oldest first. */
  const identical = oldestFirst(ledger.view.updates).filter(
    (update) =>
      !isNoted(update.id, isLaterEntry) && (isNoted(update.id, isIdentical) || isDeclared(declared, update)),
  );
  const had = phase.lineage.past.filter((past) => declaresPast(declared, past));
  /** Those that this resource may take: neither another one's, nor one that it had before its current one. */
  const free = identical.filter(
    ({ id }) => !otherOwner(ledger, resource, id) && had.every((past) => past.id !== id),
  );
  /** How many identical updates are known, shown or not. */
  const count = identical.length + hidden(ledger, task, identical).length;
  /** What may be the declared update, if the service changes dates or characters. */
  const alike = alikes(ledger, declared, pastWith(phase.lineage), noted);
  const openAlike = alike.filter(({ code }) => !codes.includes(code));
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
    openAlike,
  };
}

/** True if an answer about the post counts. Before that, the service may still show it. */
function countsAt({ answerableFrom }: NotedPost, now: number): boolean {
  return answerableFrom <= now;
}

/** True if a noted post decides about the declaration, and nothing that this run knows shows its update. */
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

/** True if the update is the declared one, by its words. */
export function isDeclared(
  declared: Identity & Pick<Declaration, "followedBy">,
  update: StatusPageIncidentUpdate,
): boolean {
  if (!matches(declared, update)) return false;
  // A later entry of the timeline may have equal words, and a date.
  const { publicIncidentUpdateDate: date } = update;
  return declared.followedBy?.includes(entryKey(contentKey(declared), 1, date)) !== true;
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

export function isIdentical(declared: Identity, post: NotedPost): boolean {
  return declaresPast(declared, { ...post, incident: declared.incidentId });
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

/**
 * The codes that answer the question whether the update exists beyond what the history shows; the first is that of now. The question
 * names no update of the program: its own posts would change it. Which those are, the run may learn only later.
 */
export function codesBeyond({ ledger, task: { declared }, repeated, now }: Situation): string[] {
  const { view, owners } = ledger;
  // An answer about the same declaration is one about the update.
  if (view.complete || repeated) return [];
  const shown = oldestFirst(view.updates).map(({ id }) => id);
  const newestOther = shown.filter((id) => !owners.has(id)).at(-1);
  return codesOfUpdate(keyOf(declared), [...new Set([newestOther, ...shown])], now);
}

/** Undefined if the history is complete, or the question is answered. */
function openCodeBeyond(situation: Situation): string | undefined {
  const codes = codesBeyond(situation);
  return codes.some((code) => situation.task.codes.includes(code)) ? undefined : codes[0];
}
