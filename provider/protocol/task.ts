/** Describes one declaration on its way to the history of its incident, and what the protocol exchanges with its driver for it. */
import { type StatusPageIncidentUpdate } from "../api";
import { type Content, type Declaration } from "./identity";
import { type Ledger, type Resource, type Twin } from "./ledger";
import { type Lineage, type Posted, type Recorded, type Sent } from "./records";

/** A post that a note of the lock directory holds. */
export interface NotedPost {
  readonly nonce: string;
  readonly key: string;
  readonly occurrence: number;
  readonly date?: string;
  readonly at: number;
  readonly id?: string;
  /** True if only the words of that update say so. */
  readonly isByWords?: boolean;
  readonly isReported?: boolean;
  /** The service may show it as late as this time, in milliseconds since 1970. */
  readonly mayAppearUntil: number;
}

/** The posts of all processes that share the lock directory, and the time: a decision needs both besides a response. */
export interface Circumstances {
  readonly noted: readonly NotedPost[];
  readonly now: number;
}

/** A search for a post, and what it has read so far. */
interface Search {
  readonly sent: Sent;
  /** Ids that were read one by one since the last history. */
  readonly lookedUp: readonly string[];
  /** True if the history was read. A read that fails later proves nothing. */
  readonly wasRead: boolean;
  readonly readProblem?: ReadProblem;
  /** The posts in notes at the last read: one of them may say which update the post created. */
  readonly noted: readonly NotedPost[];
}

type Phase = Readonly<
  /** Searches for what an earlier run sent, before anything else is published. */
  | (Search & { at: "settle" })
  | {
      at: "decide";
      lineage: Lineage;
      /** The post of an earlier run that the user says isn't public. */
      denied?: Sent;
      lookedUp: readonly string[];
      /** The end of a wait for noted posts to appear. */
      waitsUntil?: number;
    }
  /** Waits for the result of its post. `id`: of our own. */
  | { at: "post"; id: string | undefined; sent: Sent }
  /** Searches for its own post. `problem`: why its result is unknown, unless the service responded. */
  | (Search & { at: "search"; problem?: string })
>;

export interface Task<Of extends Phase = Phase> {
  readonly resource: Resource;
  readonly declared: Declaration;
  readonly nonce: string;
  /** True if the declared text may be a secret. */
  readonly isTextSecret: boolean;
  /** The codes with which the user answers questions. */
  readonly codes: readonly string[];
  /** The codes that permitted something. */
  readonly used: readonly string[];
  readonly phase: Of;
  /** The state records it if the declaration is refused. */
  readonly recorded?: Recorded | undefined;
  readonly remarks: readonly Notice[];
  /** The posts whose updates the task has found; their notes say so before a post of the task. */
  readonly applied: readonly Pick<NotedPost, "nonce" | "id" | "isByWords">[];
}

export type TaskAt<At extends Phase["at"]> = Task<Extract<Phase, { readonly at: At }>>;

interface ReadProblem {
  readonly incidentMissing: boolean;
  readonly text: string;
}

export type Command = Readonly<
  /** Read the history: immediately, or after a pause, until that time or, without one, as long as a search may take. */
  | { do: "read"; again: boolean; until?: number }
  | { do: "readUpdate"; id: string }
  /** Post the declaration with this id, once its note is written. The notes of the denied posts go. */
  | { do: "post"; id: string | undefined; denied: readonly string[] }
  | { do: "finish"; ending: Ending }
>;

export type Event = Readonly<
  | ({ on: "history"; shown: readonly StatusPageIncidentUpdate[] } & Circumstances)
  /** `update`: undefined when the service doesn't show it. */
  | ({ on: "update"; update: StatusPageIncidentUpdate | undefined } & Circumstances)
  | { on: "readFailed"; incidentMissing: boolean; text: string; now: number }
  | { on: "posted"; update: StatusPageIncidentUpdate }
  /** A preview goes no further, and takes the update for posted. `at`: its creation time. */
  | { on: "foreseen"; at: string }
  /** The service can't have applied the post. `isInvalid`: it says that the content, or the id, isn't valid. */
  | { on: "notApplied"; text: string; isInvalid: boolean }
  | { on: "unknown"; text: string }
  /** The search took as long as it may, or the run was cancelled. */
  | { on: "timeUp"; text?: string }
>;

interface Outcome {
  readonly remarks: readonly Notice[];
  /** The state records it. */
  readonly recorded?: Recorded;
  readonly refusal?: Refusal;
  readonly replaced?: Replaced;
}

/** Says what becomes of a declaration. An `up` ends in one of the first five; a preview {@link foresee}s any. */
export type Ending = Outcome &
  Readonly<
    /** `kept`: only the state changes. */
    | { kind: "posted" | "adopted" | "kept"; recorded: Posted }
    | { kind: "refused"; refusal: Refusal }
    /**
     * `unconfirmed`: the result of a post is unknown; a preview that can't look for it has no refusal. `waits`: only the `up` can
     * tell, and fails with the refusal if nothing more is known then.
     */
    | { kind: "unconfirmed" | "waits" | "unknown" }
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
  | { tell: "resent"; at: number }
  | { tell: "altered"; id: string }
  | { tell: "waits"; ms: number; isLater: boolean }
  /** The result of an earlier update of the incident is unknown. */
  | { tell: "behind" | "redated" }
  /** The service didn't respond to a preview. `why`: empty if that was said before. */
  | { tell: "unread"; why: string }
  /** `isRefused`: a change of the public update. */
  | { tell: "notKnown"; fields: readonly string[]; isRefused?: boolean }
  /** Changes that look as if they changed the public update with this id. */
  | { tell: "stateOnly"; id: string; fields: readonly string[] }
>;

interface Answer {
  /** Empty if no answer helps. */
  readonly codes: readonly string[];
  /** The codes that are set already, and don't answer this question. */
  readonly set?: readonly string[];
  /** The identical updates that the incident shows: the question is about none of them. */
  readonly others?: readonly { readonly id: string; readonly since?: string | undefined }[];
}

export type Refusal = Readonly<
  | ({ why: "twin" } & Twin)
  | { why: "changedBack"; id: string; since?: string; next: number }
  | { why: "occurrence"; count: number }
  | { why: "unsettledTwin"; by: Resource }
  | { why: "changed"; fields: readonly string[] }
  /** `alike`: what may be this entry. */
  | { why: "laterEntry"; id: string; alike: readonly Alike[] }
  /** The entry before it isn't public, and this run doesn't post it. */
  | { why: "earlierEntry" }
  | ({ why: "noted" } & UnseenPosts & Answer)
  /** The declared update may be one of these. */
  | ({ why: "alike"; updates: readonly Alike[] } & Answer)
  | ({ why: "full" } & Answer)
  /** The update with the own id of the declaration was edited, and another resource has it. */
  | ({ why: "idOfAnother" } & Twin)
  /** The state has the update, the engine replaces it without `diff`, and the incident doesn't show it. */
  | { why: "undecided" }
  | ({ why: "lost"; problem?: string } & NotFound)
  | ({ why: "unconfirmed" } & NotFound)
  | { why: "moved"; from: string }
  | { why: "idRejected"; text: string }
  /** `isMissing`: the service has no such incident. */
  | { why: "failed"; text: string; isMissing?: boolean }
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
  /** The user says with it that the update isn't the declared one. */
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
