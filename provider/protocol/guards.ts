/** The policy: what must hold before a post. The first guard that speaks decides; when none does, the update is posted. */
import { type StatusPageIncidentUpdate } from "../api";
import { type Facts } from "./facts";
import { codeOfPost } from "./question";
import { type NotedPost, type Refusal } from "./task";

export type GuardVerdict =
  | { readonly do: "refuse"; readonly refusal: Refusal }
  | { readonly do: "adopt"; readonly update: StatusPageIncidentUpdate }
  /** Read one update by its id, then decide again. */
  | { readonly do: "lookUp"; readonly id: string }
  /** Wait for these posts to appear, then decide again. */
  | { readonly do: "wait"; readonly posts: readonly NotedPost[] };

type Guard = (facts: Facts) => GuardVerdict | undefined;

const refuse = (refusal: Refusal): GuardVerdict => ({ do: "refuse", refusal });

export const guards = {
  twin: ({ twin }) => twin && refuse({ why: "twin", ...twin }),

  changedBack: ({ changedBack }) => changedBack && refuse({ why: "changedBack", ...changedBack }),

  adopt: ({ adoptable: update }) => update && { do: "adopt", update },

  unsettledTwin: ({ unsettledTwin: by }) =>
    by === undefined ? undefined : refuse({ why: "unsettledTwin", by }),

  occurrence: ({ isComplete, count, occurrence }) =>
    isComplete && count < occurrence - 1 ? refuse({ why: "occurrence", count }) : undefined,

  laterEntry: ({ laterEntry: id }) => (id === undefined ? undefined : refuse({ why: "later", id })),

  earlierEntry: ({ isEarlierMissing }) => (isEarlierMissing ? refuse({ why: "earlier" }) : undefined),

  unreadId: ({ unreadId: id }) => (id === undefined ? undefined : { do: "lookUp", id }),

  liveNote: ({ live: posts }) => (posts.length > 0 ? { do: "wait", posts } : undefined),

  noted: ({ doubts: posts, isLater }) =>
    posts.length > 0 ? refuse({ why: "noted", posts, isLater, codes: posts.map(codeOfPost) }) : undefined,

  idOfAnother: ({ twinById }) => twinById && refuse({ why: "twin", ...twinById }),

  unreadOwnId: ({ cut, unreadOwnId: id }) => (cut && id !== undefined ? { do: "lookUp", id } : undefined),

  undecided: ({ undecided: fields }) =>
    fields && refuse(fields.length > 0 ? { why: "changed", fields } : { why: "repeat" }),

  full: ({ cut }) => cut && refuse({ why: "full", count: cut.shown, codes: [cut.code] }),
} satisfies Record<string, Guard>;
