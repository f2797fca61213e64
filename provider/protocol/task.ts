/** Describes one declaration on its way to the history of its container, and what the protocol and its driver exchange for it. */
import { type StatusPageIncidentUpdate } from "../api";
import { type Content, type Declaration, type NormalizedContent, type ShownUpdate } from "./identity";
import { type Ledger, type Resource, type Twin } from "./ledger";
import {
  type Lineage,
  type NotedPost,
  type PostedUpdate,
  type UpdateRecord,
  type UnconfirmedPost,
} from "./records";

/** What a decision needs besides a response: the posts of all processes that share the lock directory, and the time. */
export interface ReadContext {
  readonly noted: readonly NotedPost[];
  readonly now: number;
}

/** A search for a post, and what it has read so far. */
interface SearchState {
  readonly sent: UnconfirmedPost;
  /** Ids that were looked up since the last read of the history. */
  readonly lookedUp: readonly string[];
  /** When the history was read last. A later read that fails proves nothing. */
  readonly readAt?: number;
  /** When the wait ends until an answer about the post counts. */
  readonly waitsUntil?: number;
  readonly readProblem?: ReadProblem;
  /** The noted posts at the last read. The note of this post may have its update's id. */
  readonly noted: readonly NotedPost[];
}

type Phase = Readonly<
  /** Searches for what an earlier run sent, before it publishes anything else. `isMoved`: at another address than it was sent to. */
  | (SearchState & { kind: "settle"; isMoved: boolean })
  /** Looks for the update of the state at the new address of its container. Never posts. */
  | { kind: "move"; posted: PostedUpdate; lookedUp: readonly string[] }
  /** Edits the update of the state. Never posts. `edit`: what was sent, when, and what was shown before. `problem`: why its result is unknown. */
  | {
      kind: "edit";
      posted: PostedUpdate;
      isLookedUp: boolean;
      edit?: { said: string; at: number; before: NormalizedContent };
      problem?: string;
    }
  | {
      kind: "decide";
      lineage: Lineage;
      /** The post of an earlier run, if the user denies that it is public, or somebody edited it to what is declared. */
      denied?: UnconfirmedPost;
      lookedUp: readonly string[];
      /** When the wait for live posts ends. */
      waitsUntil?: number;
    }
  /** Waits for the result of its post. */
  | { kind: "post"; sent: UnconfirmedPost }
  /** Searches for its own post. `problem`: why its result is unknown; undefined if the service responded with another object. */
  | (SearchState & { kind: "search"; problem?: string })
>;

export interface Task<Of extends Phase = Phase> {
  readonly resource: Resource;
  readonly declared: Declaration;
  readonly nonce: string;
  /** True if the declared text may be a secret. */
  readonly isTextSecret: boolean;
  readonly codes: readonly string[];
  readonly phase: Of;
  /** What the state records if the declaration is refused. */
  readonly recorded?: UpdateRecord | undefined;
  readonly notices: readonly Notice[];
  /** The posts whose updates the task has found; their notes say so before a post of the task. */
  readonly applied: readonly Pick<NotedPost, "nonce" | "id" | "isByWords">[];
}

export type TaskAt<At extends Phase["kind"]> = Task<Extract<Phase, { readonly kind: At }>>;

interface ReadProblem {
  readonly containerMissing: boolean;
  readonly text: string;
}

export type Command = Readonly<
  /** Read the history: at once or, with `again`, after a pause. `until`: when a wait ends. Default: when a search does. */
  | { kind: "read"; again: boolean; until?: number }
  | { kind: "readUpdate"; id: string }
  /** Read the history after a pause, in which the engine asks about the other resources of the program: one may have what is shown. */
  | { kind: "listen" }
  /** Post the declaration with this id, once its note is written. The notes of the denied posts are dropped. */
  | { kind: "post"; id: string; denied: readonly string[] }
  /** Edit this update to what is declared, with this public date. */
  | { kind: "edit"; id: string; date: string }
  | { kind: "finish"; ending: TaskResult }
>;

export type Event = Readonly<
  /** `began`: see the ledger's view. */
  | ({ kind: "history"; shown: readonly ShownUpdate[]; began?: number | undefined } & ReadContext)
  /** `update`: undefined if the service doesn't show it. */
  | ({ kind: "update"; update: ShownUpdate | undefined } & ReadContext)
  | { kind: "readFailed"; containerMissing: boolean; text: string; now: number }
  | { kind: "posted" | "edited"; update: ShownUpdate }
  /** The service did not apply the post or the edit. */
  | { kind: "notApplied"; text: string }
  /** `at`: when it was sent last, which may be long after the decision. */
  | { kind: "unknown"; text: string; at?: number }
  /** The search took as long as it may, or the run was cancelled. */
  | { kind: "timeUp"; text?: string; now: number }
>;

interface WithNotices {
  readonly notices: readonly Notice[];
}

/** What becomes of a declaration. */
export type TaskResult = WithNotices &
  Readonly<
    /** `kept`: only the state changes. */
    | { kind: "posted" | "adopted" | "kept" | "edited"; recorded: PostedUpdate }
    /** `unconfirmed`: the result of a post is unknown. `recorded`: the state records it all the same. */
    | { kind: "refused" | "unconfirmed"; refusal: Refusal; recorded?: UpdateRecord | undefined }
  >;

/** What a preview {@link foresee}s. */
export type Prediction = WithNotices &
  Readonly<
    | { kind: "posted" | "unknown"; replaced?: ReplacedUpdate | undefined }
    /** `was`: what an update that is edited says now, as far as the state knows if that is unverified. */
    | {
        kind: "adopted" | "kept" | "edited";
        recorded: PostedUpdate;
        was?: Content | undefined;
        isUnverified?: true;
      }
    | { kind: "refused"; refusal: Refusal }
    /** The refusal, if it searched for the post. */
    | { kind: "unconfirmed"; refusal?: Refusal }
    /** Only the `up` can tell. It fails with the refusal if nothing more is known then. */
    | { kind: "waits"; refusal?: Refusal; replaced?: ReplacedUpdate | undefined }
  >;

/** The public update that a new one of the same resource replaces. */
interface ReplacedUpdate extends Content {
  /** True if the declaration differs in its date alone. */
  readonly isRedated?: boolean;
}

export type Notice = Readonly<
  | { kind: "adopted"; update: StatusPageIncidentUpdate }
  | { kind: "several"; count: number; id: string }
  | { kind: "found"; id: string }
  /** The update has this id at the new address of its container. */
  | { kind: "moved"; id: string }
  | { kind: "resent"; at: number }
  | { kind: "altered"; id: string }
  | { kind: "waits"; ms: number; isLater: boolean }
  /** A code permits an edit to overwrite what somebody made of the update. */
  | { kind: "overwrites"; id: string }
  /** The run waits until a post can't appear any more: its code is set too early, or another update shows what is declared now. */
  | { kind: "early"; from: number }
  /** The result of an earlier update of the container is unknown. */
  | { kind: "behind" | "redated" }
  /** The service didn't respond to a preview. `why`: empty if an earlier preview said so. */
  | { kind: "unread"; why: string }
  /** `isRefused`: the public update must not change. */
  | { kind: "notKnown"; fields: readonly string[]; isRefused?: boolean }
  /** Changes of the state alone that look as if they changed the public update with this id. */
  | { kind: "stateOnly"; id: string; fields: readonly string[] }
>;

interface ResendInstructions {
  /** Empty if no answer helps. */
  readonly codes: readonly string[];
  /** Codes that are set already, and don't answer this question. */
  readonly set?: readonly string[];
  /** The codes count from this time on; undefined if they count now. */
  readonly from?: number;
  /** Identical updates that the container shows. The question is about none of them. */
  readonly others?: readonly { readonly id: string; readonly since?: string | undefined }[];
}

export type Refusal = Readonly<
  | ({ kind: "twin" } & Twin)
  | { kind: "changedBack"; id: string; since?: string; next: number }
  | { kind: "occurrence"; count: number }
  | { kind: "unsettledTwin"; by: Resource }
  | { kind: "changed"; fields: readonly string[] }
  /** Under the key of a public entry, the program declares what is new. */
  | { kind: "keyReused" }
  /** `alike`: updates that may be this entry. `isGuess`: the update is newer than the entry before, and nobody's so far. */
  | { kind: "laterEntry"; id: string; isGuess?: true; alike: readonly SimilarUpdate[] }
  /** The entry before it isn't public, and this run doesn't post it. */
  | { kind: "earlierEntry" }
  | ({ kind: "noted" } & UnseenPosts & ResendInstructions)
  /** The declared update may be one of these. */
  | ({ kind: "alike"; updates: readonly SimilarUpdate[] } & ResendInstructions)
  /** The service shows only its latest updates, and not this one. */
  | { kind: "full" }
  /** The state has the update, the engine replaces it without `diff`, and the container doesn't show it. */
  | { kind: "undecided" }
  /** The update that is to be edited isn't shown. `from`: until then, it may appear. */
  | { kind: "gone"; id: string; from?: number }
  /** Its page rejects a date before the container began. */
  | { kind: "tooEarly"; began: number }
  /** The update has no date that an edit could keep. */
  | { kind: "undated"; id: string }
  /** After an edit, the container would not have the identical updates that are declared: so many others say what this one would say. */
  | { kind: "miscounted"; count: number; occurrence: number }
  /**
   * An edit takes away the words that are declared, so that they would be posted and emailed again. `isEdit`: the refused one edits.
   * Without `by`, an earlier run did.
   */
  | { kind: "taken"; by: Resource; isEdit?: true }
  | { kind: "taken"; by?: undefined; isEdit?: undefined }
  /** Somebody edited the update since: an edit would overwrite that. */
  | ({ kind: "editedSince"; id: string; shown: Content } & ResendInstructions)
  | { kind: "editLost"; text: string }
  /** The state has the update, or sent it, and the container doesn't show it at its new address. `from`: until then, it may appear. */
  | { kind: "notThere"; id?: string; from?: number }
  | ({ kind: "lost"; problem?: string } & PostNotFound)
  /** `isCut`: it may be older than what the history shows. */
  | ({ kind: "unconfirmed"; isCut?: true | undefined } & PostNotFound)
  | { kind: "moved"; from: string }
  | { kind: "failed"; text: string }
>;

/** Posts in notes that the history doesn't show, and whether the first of them is a later entry of the timeline. */
export interface UnseenPosts {
  readonly posts: readonly NotedPost[];
  readonly isLater: boolean;
}

/** An update that may be the declared one, if the service changed its date or characters. */
export interface SimilarUpdate {
  readonly id: string;
  readonly date: string | undefined;
  /** True if it says nearly the same as an entry under a new key. */
  readonly isRenamed?: true;
  /** Of an incident: whether it is over, and says the same; otherwise, it is open under the same name. */
  readonly isOver?: boolean | undefined;
  /** With it, the user denies that the update is the declared one. */
  readonly code: string;
}

/** A post that a search didn't find. */
interface PostNotFound extends ResendInstructions {
  readonly sent: UnconfirmedPost;
  readonly readProblem?: ReadProblem;
}

export interface Step {
  readonly ledger: Ledger;
  readonly task: Task;
  readonly command: Command;
}
