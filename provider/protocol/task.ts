/** Describes one declaration on its way to the history of its container, and what the protocol and its driver exchange for it. */
import { type StatusPageIncidentUpdate } from "../api";
import { type Content, type Declaration, type Said, type Seen } from "./identity";
import { type Ledger, type Resource, type Twin } from "./ledger";
import { type Lineage, type NotedPost, type Posted, type Recorded, type Sent } from "./records";

/** What a decision needs besides a response: the posts of all processes that share the lock directory, and the time. */
export interface Circumstances {
  readonly noted: readonly NotedPost[];
  readonly now: number;
}

/** A search for a post, and what it has read so far. */
interface Search {
  readonly sent: Sent;
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
  | (Search & { at: "settle"; isMoved: boolean })
  /** Looks for the update of the state at the new address of its container. Never posts. */
  | { at: "move"; posted: Posted; lookedUp: readonly string[] }
  /** Edits the update of the state. Never posts. `edit`: what was sent, when, and what was shown before. `problem`: why its result is unknown. */
  | {
      at: "edit";
      posted: Posted;
      isLookedUp: boolean;
      edit?: { said: string; at: number; before: Said };
      problem?: string;
    }
  | {
      at: "decide";
      lineage: Lineage;
      /** The post of an earlier run, if the user denies that it is public, or somebody edited it to what is declared. */
      denied?: Sent;
      lookedUp: readonly string[];
      /** When the wait for live posts ends. */
      waitsUntil?: number;
    }
  /** Waits for the result of its post. */
  | { at: "post"; sent: Sent }
  /** Searches for its own post. `problem`: why its result is unknown; undefined if the service responded with another object. */
  | (Search & { at: "search"; problem?: string })
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
  readonly recorded?: Recorded | undefined;
  readonly remarks: readonly Notice[];
  /** The posts whose updates the task has found; their notes say so before a post of the task. */
  readonly applied: readonly Pick<NotedPost, "nonce" | "id" | "isByWords">[];
}

export type TaskAt<At extends Phase["at"]> = Task<Extract<Phase, { readonly at: At }>>;

interface ReadProblem {
  readonly containerMissing: boolean;
  readonly text: string;
}

export type Command = Readonly<
  /** Read the history: at once or, with `again`, after a pause. `until`: when a wait ends. Default: when a search does. */
  | { do: "read"; again: boolean; until?: number }
  | { do: "readUpdate"; id: string }
  /** Read the history after a pause, in which the engine asks about the other resources of the program: one may have what is shown. */
  | { do: "listen" }
  /** Post the declaration with this id, once its note is written. The notes of the denied posts are dropped. */
  | { do: "post"; id: string; denied: readonly string[] }
  /** Edit this update to what is declared, with this public date. */
  | { do: "edit"; id: string; date: string }
  | { do: "finish"; ending: Ending }
>;

export type Event = Readonly<
  /** `began`: see the ledger's view. */
  | ({ on: "history"; shown: readonly Seen[]; began?: number | undefined } & Circumstances)
  /** `update`: undefined if the service doesn't show it. */
  | ({ on: "update"; update: Seen | undefined } & Circumstances)
  | { on: "readFailed"; containerMissing: boolean; text: string; now: number }
  | { on: "posted" | "edited"; update: Seen }
  /** The service did not apply the post or the edit. */
  | { on: "notApplied"; text: string }
  /** `at`: when it was sent last, which may be long after the decision. */
  | { on: "unknown"; text: string; at?: number }
  /** The search took as long as it may, or the run was cancelled. */
  | { on: "timeUp"; text?: string; now: number }
>;

interface Remarked {
  readonly remarks: readonly Notice[];
}

/** What becomes of a declaration. */
export type Ending = Remarked &
  Readonly<
    /** `kept`: only the state changes. */
    | { kind: "posted" | "adopted" | "kept" | "edited"; recorded: Posted }
    /** `unconfirmed`: the result of a post is unknown. `recorded`: the state records it all the same. */
    | { kind: "refused" | "unconfirmed"; refusal: Refusal; recorded?: Recorded | undefined }
  >;

/** What a preview {@link foresee}s. */
export type Foreseen = Remarked &
  Readonly<
    | { kind: "posted" | "unknown"; replaced?: Replaced | undefined }
    /** `was`: what an update that is edited says now, as far as the state knows if that is unverified. */
    | {
        kind: "adopted" | "kept" | "edited";
        recorded: Posted;
        was?: Content | undefined;
        isUnverified?: true;
      }
    | { kind: "refused"; refusal: Refusal }
    /** The refusal, if it searched for the post. */
    | { kind: "unconfirmed"; refusal?: Refusal }
    /** Only the `up` can tell. It fails with the refusal if nothing more is known then. */
    | { kind: "waits"; refusal?: Refusal; replaced?: Replaced | undefined }
  >;

/** The public update that a new one of the same resource replaces. */
interface Replaced extends Content {
  /** True if the declaration differs in its date alone. */
  readonly isRedated?: boolean;
}

export type Notice = Readonly<
  | { tell: "adopted"; update: StatusPageIncidentUpdate }
  | { tell: "several"; count: number; id: string }
  | { tell: "found"; id: string }
  /** The update has this id at the new address of its container. */
  | { tell: "moved"; id: string }
  | { tell: "resent"; at: number }
  | { tell: "altered"; id: string }
  | { tell: "waits"; ms: number; isLater: boolean }
  /** A code permits an edit to overwrite what somebody made of the update. */
  | { tell: "overwrites"; id: string }
  /** The run waits until a post can't appear any more: its code is set too early, or another update shows what is declared now. */
  | { tell: "early"; from: number }
  /** The result of an earlier update of the container is unknown. */
  | { tell: "behind" | "redated" }
  /** The service didn't respond to a preview. `why`: empty if an earlier preview said so. */
  | { tell: "unread"; why: string }
  /** `isRefused`: the public update must not change. */
  | { tell: "notKnown"; fields: readonly string[]; isRefused?: boolean }
  /** Changes of the state alone that look as if they changed the public update with this id. */
  | { tell: "stateOnly"; id: string; fields: readonly string[] }
>;

interface Answer {
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
  | ({ why: "twin" } & Twin)
  | { why: "changedBack"; id: string; since?: string; next: number }
  | { why: "occurrence"; count: number }
  | { why: "unsettledTwin"; by: Resource }
  | { why: "changed"; fields: readonly string[] }
  /** Under the key of a public entry, the program declares what is new. */
  | { why: "keyReused" }
  /** `alike`: updates that may be this entry. `isGuess`: the update is newer than the entry before, and nobody's so far. */
  | { why: "laterEntry"; id: string; isGuess?: true; alike: readonly Alike[] }
  /** The entry before it isn't public, and this run doesn't post it. */
  | { why: "earlierEntry" }
  | ({ why: "noted" } & UnseenPosts & Answer)
  /** The declared update may be one of these. */
  | ({ why: "alike"; updates: readonly Alike[] } & Answer)
  /** The service shows only its latest updates, and not this one. */
  | { why: "full" }
  /** The state has the update, the engine replaces it without `diff`, and the container doesn't show it. */
  | { why: "undecided" }
  /** The update that is to be edited isn't shown. `from`: until then, it may appear. */
  | { why: "gone"; id: string; from?: number }
  /** Its page rejects a date before the container began. */
  | { why: "tooEarly"; began: number }
  /** The update has no date that an edit could keep. */
  | { why: "undated"; id: string }
  /** After an edit, the container would not have the identical updates that are declared: so many others say what this one would say. */
  | { why: "miscounted"; count: number; occurrence: number }
  /**
   * An edit takes away the words that are declared, so that they would be posted and emailed again. `isEdit`: the refused one edits.
   * Without `by`, an earlier run did.
   */
  | { why: "taken"; by: Resource; isEdit?: true }
  | { why: "taken"; by?: undefined; isEdit?: undefined }
  /** Somebody edited the update since: an edit would overwrite that. */
  | ({ why: "editedSince"; id: string; shown: Content } & Answer)
  | { why: "editLost"; text: string }
  /** The state has the update, or sent it, and the container doesn't show it at its new address. `from`: until then, it may appear. */
  | { why: "notThere"; id?: string; from?: number }
  | ({ why: "lost"; problem?: string } & NotFound)
  /** `isCut`: it may be older than what the history shows. */
  | ({ why: "unconfirmed"; isCut?: true | undefined } & NotFound)
  | { why: "moved"; from: string }
  | { why: "failed"; text: string }
>;

/** Posts in notes that the history doesn't show, and whether the first of them is a later entry of the timeline. */
export interface UnseenPosts {
  readonly posts: readonly NotedPost[];
  readonly isLater: boolean;
}

/** An update that may be the declared one, if the service changed its date or characters. */
export interface Alike {
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
interface NotFound extends Answer {
  readonly sent: Sent;
  readonly readProblem?: ReadProblem;
}

export interface Step {
  readonly ledger: Ledger;
  readonly task: Task;
  readonly command: Command;
}
