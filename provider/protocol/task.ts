/** Types for the task of publishing one declaration: its phases, the commands to the driver, the events in return, and its result. */
import { type StatusPageIncidentUpdate } from "../api";
import { type Content, type Declaration, type NormalizedContent, type ShownUpdate } from "./identity";
import { type Ledger, type Resource } from "./ledger";
import { type NotedPost, type PostedUpdate, type UpdateRecord, type UnconfirmedPost } from "./records";

/** Inputs of a decision in addition to what the service returned: the posts of all processes that share the lock directory, and the time. */
export interface ReadContext {
  readonly notes: readonly NotedPost[];
  readonly now: number;
}

/** The state of a search for a post. */
interface SearchState {
  readonly sent: UnconfirmedPost;
  /** IDs that were looked up after the last read of the history. */
  readonly lookedUp: readonly string[];
  /** The time of the last successful read of the history. A failed read doesn't prove that the update is missing. */
  readonly readAt?: number;
  /** The end of the wait until a resend code for the post takes effect. */
  readonly waitsUntil?: number;
  readonly readProblem?: ReadProblem;
  /** The noted posts at the last read. The note of this post may contain the ID of its update. */
  readonly notes: readonly NotedPost[];
}

type Phase = Readonly<
  /** Searches for an earlier run's post, before anything else is published. */
  | (SearchState & { kind: "settle" })
  /**
   * Edits the recorded update. Never posts. `edit`: the edit that was sent, with the version of its content (`computeContentVersion`), the
   * time, and the content before. `problem`: why the result of the edit is unknown.
   */
  | {
      kind: "edit";
      posted: PostedUpdate;
      isLookedUp: boolean;
      edit?: { version: string; at: number; before: NormalizedContent };
      problem?: string;
    }
  | {
      kind: "decide";
      /** An earlier run's post whose content isn't public, because a resend code confirms it or the update was edited on the service. */
      denied?: UnconfirmedPost;
      lookedUp: readonly string[];
      /** The end of the wait for live posts. */
      waitsUntil?: number;
    }
  /** Waits for the result of the task's own post. */
  | { kind: "post"; sent: UnconfirmedPost }
  /** Searches for the task's own post. `problem`: why there was no usable response. Undefined if the response was a different object. */
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
  /** The record for the state if the declaration is rejected. */
  readonly recorded?: UpdateRecord | undefined;
  readonly notices: readonly Notice[];
  /** The posts whose updates the task has found. Their notes are updated before the task posts. */
  readonly applied: readonly Pick<NotedPost, "nonce" | "id">[];
}

export type TaskAt<At extends Phase["kind"]> = Task<Extract<Phase, { readonly kind: At }>>;

interface ReadProblem {
  readonly containerMissing: boolean;
  readonly text: string;
}

export type Command = Readonly<
  /** Read the history, immediately or, with `again`, after a pause. `until`: the end of a wait. Default: the end of a search. */
  | { kind: "read"; again: boolean; until?: number }
  | { kind: "readUpdate"; id: string }
  /** Read the history after a pause in which the engine calls `diff` for other resources, because one may own an update that is shown. */
  | { kind: "listen" }
  /** Post the declaration with this ID after its note is written. The notes of the denied posts are dropped. */
  | { kind: "post"; id: string; denied: readonly string[] }
  /** Edit this update to match the declaration, with this public date. */
  | { kind: "edit"; id: string; date: string }
  | { kind: "finish"; result: TaskResult }
>;

export type Event = Readonly<
  /** `began`: the start of the container, if its page rejects earlier dates. */
  | ({ kind: "history"; shown: readonly ShownUpdate[]; began?: number | undefined } & ReadContext)
  /** `update`: undefined if the service doesn't show it. */
  | ({ kind: "update"; update: ShownUpdate | undefined } & ReadContext)
  | { kind: "readFailed"; containerMissing: boolean; text: string; now: number }
  | { kind: "posted" | "edited"; update: ShownUpdate }
  /** The service didn't apply the post or the edit. */
  | { kind: "notApplied"; text: string }
  /** `at`: the time of the last attempt, which may be long after the decision. */
  | { kind: "unknown"; text: string; at?: number }
  /** The search reached its time limit, or the run was canceled. */
  | { kind: "timeUp"; text?: string; now: number }
>;

interface WithNotices {
  readonly notices: readonly Notice[];
}

/** The result of a declaration. */
export type TaskResult = WithNotices &
  Readonly<
    /** `kept`: only the state changes. */
    | { kind: "posted" | "adopted" | "kept" | "edited"; recorded: PostedUpdate }
    /** `unconfirmed`: the result of a post is unknown. `recorded`: the record that the state contains despite the failure. */
    | { kind: "refused" | "unconfirmed"; rejection: Rejection; recorded?: UpdateRecord | undefined }
  >;

/** The predicted result of a declaration in a preview. */
export type Prediction = WithNotices &
  Readonly<
    | { kind: "posted" | "unknown" }
    /** `was`: the current content of an edited update. With `isUnverified`, it is taken from the state. */
    | {
        kind: "adopted" | "kept" | "edited";
        recorded: PostedUpdate;
        was?: Content | undefined;
        isUnverified?: true;
      }
    | { kind: "refused"; rejection: Rejection }
    /** `rejection`: the reason for the failure, if the preview searched for the post. */
    | { kind: "unconfirmed"; rejection?: Rejection }
    /** Only `pulumi up` can decide. It fails with the `rejection` if it finds nothing new. */
    | { kind: "waits"; rejection?: Rejection }
  >;

export type Notice = Readonly<
  | { kind: "adopted"; update: StatusPageIncidentUpdate }
  /** A previous run posted the update, but its response was lost. */
  | { kind: "found"; id: string }
  /** The update is posted again, with a resend code for the post at this time. */
  | { kind: "resent"; at: number }
  /** The service stored a different text than was sent. */
  | { kind: "altered"; id: string }
  /** The run waits for another run's post. `isLater`: true if that post is a later entry of the timeline. */
  | { kind: "waits"; ms: number; isLater: boolean }
  /** An edit replaces nearly the whole text of an update that declares an email, so the new text may be news. */
  | { kind: "rewrites"; id: string }
  /** The run waits until a post can't appear any more, because its code was set too early or another update matches the declaration. */
  | { kind: "early"; from: number }
  /** The result of an earlier update of the container is unknown. */
  | { kind: "behind" }
  /** The service didn't respond to a preview. `why`: empty if an earlier preview reported it. */
  | { kind: "unread"; why: string }
  /** The values of these fields are unknown until `pulumi up`. `isRejected`: `pulumi up` rejects a change of one of them. */
  | { kind: "notKnown"; fields: readonly string[]; isRejected?: boolean }
  /** Changes that only affect the state, although they look as if they changed the public update with this ID. */
  | { kind: "stateOnly"; id: string; fields: readonly string[] }
>;

interface ResendInstructions {
  /** Empty if no code can override the rejection. */
  readonly codes: readonly string[];
  /** Configured codes that don't apply to this rejection. */
  readonly set?: readonly string[];
  /** The time at which the codes take effect. Undefined if they take effect immediately. */
  readonly from?: number;
  /** Identical updates on the container that the rejection isn't about. */
  readonly others?: readonly { readonly id: string; readonly since?: string | undefined }[];
}

export type Rejection = Readonly<
  /** Another resource declares the update. `id`: undefined while the result of its post is unknown. */
  | { kind: "twin"; by: Resource; id?: string }
  /**
   * `shown`: the public content. Undefined if the last refresh didn't find the update. `from`: the container of the public update. `opener`:
   * the resource that opens the declared container in this run.
   */
  | {
      kind: "changed";
      fields: readonly string[];
      shown?: Content | undefined;
      from?: string | undefined;
      opener?: Resource;
    }
  /** The program declares news as a change of a public update. `isResolution`: the edit would set the status to RESOLVED. */
  | { kind: "keyReused"; shown: Content | undefined; isResolution?: true }
  /**
   * `alike`: updates that may be this entry. `unowned`: the content of the update, if it is newer than the previous entry and has no owner so
   * far.
   */
  | { kind: "laterEntry"; id: string; unowned?: Content; alike: readonly SimilarUpdate[] }
  /** The previous entry isn't public, and this run doesn't post it. */
  | { kind: "earlierEntry" }
  | ({ kind: "doubtedPost" } & UnseenPosts & ResendInstructions)
  /** One of these updates may be the declared one. */
  | ({ kind: "alike"; updates: readonly SimilarUpdate[] } & ResendInstructions)
  /** The service shows only the latest updates, and this update isn't among them. */
  | { kind: "full" }
  /** The state contains the update, the engine replaces it without calling `diff`, and the container doesn't show it. */
  | { kind: "undecided" }
  /** The update to edit isn't shown. `from`: the time after which it can't appear any more. */
  | { kind: "gone"; id: string; from?: number }
  /** The page rejects the public date, because it is before the start of the container. */
  | { kind: "tooEarly"; began: number }
  /** The update has no date that an edit could keep. */
  | { kind: "undated"; id: string }
  /** An edit would overwrite content that the resource didn't write, such as a change on the service. */
  | { kind: "editedSince"; id: string; shown: Content }
  /** The result of the task's own edit is unknown. */
  | { kind: "editLost"; text: string }
  /** The result of the task's own post is unknown. */
  | ({ kind: "lost"; problem?: string } & PostNotFound)
  /** The result of an earlier run's post is unknown. `isCut`: the update may be older than the updates in the history. */
  | ({ kind: "unconfirmed"; isCut?: true | undefined } & PostNotFound)
  /** The result of an earlier run's post is unknown, and the program now declares the update in another container. */
  | { kind: "moved"; from: string }
  | { kind: "failed"; text: string }
>;

/** Noted posts whose updates the history doesn't show. `isLater`: true if the message describes them as a later entry. */
export interface UnseenPosts {
  readonly posts: readonly NotedPost[];
  readonly isLater: boolean;
}

/** An update that may be the declared one, if the service changed its date or characters. */
export interface SimilarUpdate {
  readonly id: string;
  readonly date: string | undefined;
  /**
   * True if its text is nearly the same as the text of an entry whose key is new or was removed, or if it is an incident with the declared
   * first update and another name.
   */
  readonly isRenamed?: true;
  /** For an incident: true if it is resolved and has the same content, false if it is open and has the same name. */
  readonly isResolved?: boolean | undefined;
  /** The resend code that confirms that the update isn't the declared one. */
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
