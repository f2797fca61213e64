/** Describes one declaration on its way to the history of its incident, and what the protocol exchanges with its driver for it. */
import { type StatusPageIncidentUpdate } from "../api";
import { type Declaration } from "./identity";
import {
  type Ledger,
  type PastUpdate,
  type Posted,
  type Recorded,
  type Resource,
  type Sent,
  type Twin,
} from "./ledger";

/** A post that a note of the lock directory holds. */
export interface NotedPost {
  readonly nonce: string;
  /** The content key of the update. */
  readonly key: string;
  readonly occurrence: number;
  /** Its public date, when one was declared. */
  readonly date?: string | undefined;
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
  /** The update that it created, once that is known. */
  readonly id?: string | undefined;
  /** Whether the user was told that its result is unknown. */
  readonly isReported?: boolean | undefined;
  /** Until when the service may show it late, in milliseconds since 1970. */
  readonly mayAppearUntil: number;
}

/** The posts of all processes that share the lock directory, and the time: a decision needs both besides a response. */
export interface Noted {
  readonly noted: readonly NotedPost[];
  readonly now: number;
}

/** The updates that the resource had before. */
export interface Lineage {
  readonly past: readonly PastUpdate[];
  /** The update that the declaration replaces. */
  readonly current?: PastUpdate | undefined;
}

export function pastWith({ past, current }: Lineage): readonly PastUpdate[] {
  return current ? [...past, current] : past;
}

/** A search for a post, and what it has read so far. */
interface Search {
  readonly sent: Sent;
  /** Ids that were read one by one since the last history. */
  readonly lookedUp: readonly string[];
  /** Whether the history was read; a read that fails later proves nothing. */
  readonly wasRead: boolean;
  /** Why no read succeeded. */
  readonly readProblem?: ReadProblem | undefined;
}

/** Searches for what an earlier run sent, before anything else is published. */
type Settle = Search & { readonly at: "settle" };

/** Decides what the declaration needs. */
interface Decide {
  readonly at: "decide";
  readonly lineage: Lineage;
  /** The post of an earlier run that the user says isn't public. */
  readonly denied?: Sent | undefined;
  /** Ids that were read one by one since the last history. */
  readonly lookedUp: readonly string[];
  /** Until when it waits for noted posts to appear. */
  readonly waitsUntil?: number | undefined;
}

/** Waits for the result of its post. */
interface Post {
  readonly at: "post";
  /** The id of our own that it has. */
  readonly id: string | undefined;
  readonly sent: Sent;
}

/** Searches for its own post. */
type SearchForPost = Search & {
  readonly at: "search";
  /** Why its result is unknown, unless the service responded. */
  readonly problem?: string | undefined;
};

type Phase = Settle | Decide | Post | SearchForPost;

export interface Task<Of extends Phase = Phase> {
  readonly resource: Resource;
  readonly declared: Declaration;
  /** Identifies the note of its post. */
  readonly nonce: string;
  /** Whether the declared text may be a secret. */
  readonly isTextSecret: boolean;
  /** The answers of the user: the codes in `monitoring:resend`. */
  readonly codes: readonly string[];
  /** Those that permitted something. */
  readonly used: readonly string[];
  readonly phase: Of;
  /** What the state records as long as nothing else becomes of the declaration. */
  readonly kept?: Recorded | undefined;
  readonly notices: readonly Notice[];
  /** Posts whose update is known by now. */
  readonly applied: readonly { readonly nonce: string; readonly id: string }[];
}

/** A task in one of these phases. */
export type TaskAt<At extends Phase["at"]> = Task<Extract<Phase, { readonly at: At }>>;

export function decidePhase(lineage: Lineage): Decide {
  return { at: "decide", lineage, lookedUp: [] };
}

export function withNotice<Of extends Phase>(task: Task<Of>, notice: Notice): Task<Of> {
  return { ...task, notices: [...task.notices, notice] };
}

interface ReadProblem {
  readonly incidentMissing: boolean;
  readonly text: string;
}

export type Command =
  /** Read the history: immediately, or after a pause, until that time or, without one, as long as a search may take. */
  | { readonly do: "read"; readonly again: boolean; readonly until?: number | undefined }
  | { readonly do: "readUpdate"; readonly id: string }
  /** Post the declaration with this id. The notes of the denied posts go. */
  | { readonly do: "post"; readonly id: string | undefined; readonly denied: readonly string[] }
  | { readonly do: "finish"; readonly result: Result };

export type Event =
  | ({ readonly on: "history"; readonly shown: readonly StatusPageIncidentUpdate[] } & Noted)
  /** `update`: undefined when the service doesn't show it. */
  | ({
      readonly on: "update";
      readonly id: string;
      readonly update: StatusPageIncidentUpdate | undefined;
    } & Noted)
  | {
      readonly on: "readFailed";
      readonly incidentMissing: boolean;
      readonly text: string;
      readonly now: number;
    }
  | { readonly on: "posted"; readonly update: StatusPageIncidentUpdate }
  /** The service can't have applied the post. `isInvalid`: it says that the content, or the id, isn't valid. */
  | { readonly on: "notApplied"; readonly text: string; readonly isInvalid: boolean }
  | { readonly on: "unknown"; readonly text: string }
  /** The search took as long as it may, or the run was cancelled. */
  | { readonly on: "timeUp"; readonly text?: string };

export type Result =
  | { readonly kind: "done"; readonly posted: Posted }
  | { readonly kind: "failed"; readonly refusal: Refusal; readonly keep?: Recorded | undefined };

/** A fact that the user should know, although nothing fails. */
export type Notice =
  | { readonly tell: "adopted"; readonly update: StatusPageIncidentUpdate }
  | { readonly tell: "several"; readonly count: number; readonly id: string }
  | { readonly tell: "found"; readonly id: string }
  | { readonly tell: "resent"; readonly at: number }
  | { readonly tell: "waits"; readonly ms: number; readonly isLater: boolean };

/** What the user sets to answer, in `monitoring:resend`. */
export interface Answer {
  /** None where no answer helps. */
  readonly codes: readonly string[];
  /** Those of them that are set already, and don't answer this question. */
  readonly kept?: readonly string[];
}

/** Why a declaration fails. */
export type Refusal =
  | ({ readonly why: "twin" } & Twin)
  | { readonly why: "changedBack"; readonly id: string; readonly since?: string; readonly next: number }
  | { readonly why: "occurrence"; readonly count: number }
  | { readonly why: "unsettledTwin"; readonly by: Resource }
  | { readonly why: "changed"; readonly fields: readonly string[] }
  /** `otherDate`: the update that may be this entry, with a date that the service changed. */
  | { readonly why: "later"; readonly id: string; readonly otherDate?: OtherDate | undefined }
  /** The entry before it isn't public, and this run doesn't post it. */
  | { readonly why: "earlier" }
  | ({
      readonly why: "noted";
      readonly posts: readonly NotedPost[];
      /** Whether the first of them is a later entry of the timeline. */
      readonly isLater: boolean;
    } & Answer)
  /** The service may have changed the date of the declared update, which is this one then. */
  | ({ readonly why: "otherDate" } & OtherDate)
  | ({ readonly why: "full"; readonly count: number } & Answer)
  /** The state has the update, the engine replaces it without `diff`, and the incident doesn't show it. */
  | { readonly why: "repeat" }
  /** Its own post. */
  | ({ readonly why: "lost"; readonly problem?: string | undefined } & NotFound)
  /** The post of an earlier run. */
  | ({ readonly why: "unconfirmed" } & NotFound)
  | { readonly why: "moved"; readonly from: string }
  | { readonly why: "idRejected"; readonly text: string }
  /** `isMissing`: the service has no such incident. */
  | { readonly why: "failed"; readonly text: string; readonly isMissing?: boolean };

/** A public update with equal words, and the date that it shows; undefined where it shows none. */
interface OtherDate {
  readonly id: string;
  readonly date?: string | undefined;
}

/** A post that a search didn't find. */
interface NotFound extends Answer {
  readonly sent: Sent;
  readonly readProblem?: ReadProblem | undefined;
}

export interface Step {
  readonly ledger: Ledger;
  readonly task: Task;
  readonly command: Command;
}
