/** One declaration on its way to the history of its incident, and what the protocol exchanges with its driver for it. */
import { type StatusPageIncidentUpdate } from "../api";
import { type Declaration } from "./content";
import {
  type Ledger,
  type PastUpdate,
  type Posted,
  type Recorded,
  type Resource,
  type Twin,
  type Unconfirmed,
} from "./ledger";

/** A post of this machine, or of one that shares the lock directory. */
export interface SentPost {
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

/** What the resource had before. */
export interface Lineage {
  readonly past: readonly PastUpdate[];
  /** The update that the declaration replaces. */
  readonly current?: PastUpdate | undefined;
}

export function pastWith({ past, current }: Lineage): readonly PastUpdate[] {
  return current ? [...past, current] : past;
}

/** The consent `onUnconfirmed: "resend"` for one post. */
interface Consent {
  /** The note of the post that the consent is about. */
  readonly nonce?: string | undefined;
  /** The notes of further posts, which count for other declarations. */
  readonly others?: readonly string[] | undefined;
  /** Whether it is about the update that is declared now. */
  readonly isSame: boolean;
  /** The incident to which that post was sent. */
  readonly incidentId?: string | undefined;
}

export interface Task {
  readonly resource: Resource;
  readonly declared: Declaration;
  /** Identifies the note of its post. */
  readonly nonce: string;
  readonly lineage: Lineage;
  /** `settle`: searches for the unconfirmed update; `observe`: decides what to do; `search`: searches for its own post. */
  readonly phase: "settle" | "observe" | "search";
  /** Recorded when the task fails, until the update is settled. */
  readonly unsettled?: Unconfirmed | undefined;
  readonly consent?: Consent | undefined;
  /** The unconfirmed update, found: recorded when the task fails. */
  readonly settled?: Posted | undefined;
  /** Which id of our own the post has. */
  readonly attempt: number;
  /** Ids that were read one by one since the last history. */
  readonly asked: readonly string[];
  /** Ids of updates that are the declared one, whatever their text is by now. */
  readonly ours: readonly string[];
  /** The post, once it was sent. */
  readonly post?: PostAttempt | undefined;
  /** Until when it waits for posts of this machine to appear. */
  readonly waitsUntil?: number | undefined;
  /** Whether the search has read the history; a read that fails later proves nothing. */
  readonly wasRead: boolean;
  /** Why no read of the search succeeded. */
  readonly readProblem?: ReadProblem | undefined;
  readonly notices: readonly Notice[];
  /** Posts whose update is known by now. */
  readonly applied: readonly { readonly nonce: string; readonly id: string }[];
}

export function withNotice(task: Task, notice: Notice): Task {
  return { ...task, notices: [...task.notices, notice] };
}

export interface ReadProblem {
  readonly incidentMissing: boolean;
  readonly text: string;
}

interface PostAttempt {
  readonly id?: string | undefined;
  readonly seen: Unconfirmed["seen"];
  /** Why its result is unknown, unless the service responded. */
  readonly problem?: string;
  /** The other object with which the service responded. */
  readonly answered?: string;
  /** Whether the service answered that the id exists. */
  readonly isTaken?: boolean;
  /** Whether it repeats a post whose id the service rejected. */
  readonly isWithoutId?: boolean;
}

export type Command =
  /** Read the history: immediately, or after a pause, until that time or, without one, as long as a search may take. */
  | { readonly do: "read"; readonly again: boolean; readonly until?: number | undefined }
  | { readonly do: "readUpdate"; readonly id: string }
  /** Post the declaration with this id. */
  | { readonly do: "post"; readonly id?: string | undefined }
  | { readonly do: "finish"; readonly result: Result };

/** What the processes that share the lock directory sent, and the time. */
export interface Witness {
  readonly sent: readonly SentPost[];
  readonly now: number;
}

export type Event =
  | ({ readonly on: "history"; readonly shown: readonly StatusPageIncidentUpdate[] } & Witness)
  /** `update`: undefined when the service doesn't show it. */
  | ({
      readonly on: "update";
      readonly id: string;
      readonly update: StatusPageIncidentUpdate | undefined;
    } & Witness)
  | {
      readonly on: "readFailed";
      readonly incidentMissing: boolean;
      readonly text: string;
      readonly now: number;
    }
  | { readonly on: "posted"; readonly update: StatusPageIncidentUpdate }
  /** The service can't have applied the post. */
  | { readonly on: "notApplied"; readonly text: string; readonly isInvalid: boolean }
  | { readonly on: "unknown"; readonly text: string; readonly isTaken: boolean }
  /** The search took as long as it may, or the run was cancelled. */
  | { readonly on: "timeUp"; readonly text?: string };

export type Result =
  | { readonly kind: "done"; readonly posted: Posted }
  /** The unconfirmed update no longer prevents the declaration, which is on another incident. */
  | { readonly kind: "settled"; readonly lineage: Lineage; readonly settled?: Posted | undefined }
  | { readonly kind: "failed"; readonly refusal: Refusal; readonly keep?: Recorded | undefined };

/** A fact that the user should know, although nothing fails. */
export type Notice =
  | { readonly tell: "adopted"; readonly update: StatusPageIncidentUpdate }
  | { readonly tell: "several"; readonly count: number; readonly id: string }
  | { readonly tell: "found"; readonly incidentId: string; readonly id: string }
  | { readonly tell: "resent"; readonly incidentId: string }
  | { readonly tell: "waits"; readonly ms: number; readonly isLater: boolean };

/** What a search found instead of the update. */
export interface SearchMiss {
  /** An unseen update with the same status and other content: the service may have changed it. */
  readonly lookalike?: StatusPageIncidentUpdate | undefined;
  readonly readProblem?: ReadProblem | undefined;
}

/** Why a declaration fails. */
export type Refusal =
  | ({ readonly why: "twin" } & Twin)
  | { readonly why: "changedBack"; readonly id: string; readonly since?: string; readonly next: number }
  | { readonly why: "occurrence"; readonly count: number }
  | { readonly why: "unsettledTwin"; readonly by: Resource }
  | { readonly why: "changed"; readonly fields: readonly string[] }
  | { readonly why: "later"; readonly id: string }
  /** `id`: its update, which the service doesn't show; without it, the result of the post is unknown. */
  | {
      readonly why: "noted";
      readonly id?: string | undefined;
      readonly at: number;
      readonly isLater: boolean;
      /** Further posts of which the same is to be said. */
      readonly others?: readonly Pick<SentPost, "id" | "at">[] | undefined;
    }
  | { readonly why: "full"; readonly count: number }
  | { readonly why: "repeat" }
  /** `answered`: the other object with which the service responded. */
  | {
      readonly why: "lost";
      readonly problem?: string | undefined;
      readonly miss: SearchMiss;
      readonly answered?: string | undefined;
    }
  | {
      readonly why: "unconfirmed";
      readonly miss: SearchMiss;
      readonly answered?: string | undefined;
    }
  | { readonly why: "idRejected"; readonly text: string }
  | { readonly why: "failed"; readonly text: string };

/**
 * Whether only an `up` can get past the refusal: it searches again, or records the refusal, so that the user can consent. A
 * preview that failed would keep it from that.
 */
export function isForUpToSettle(why: Refusal["why"]): boolean {
  return (
    why === "unconfirmed" || why === "unsettledTwin" || why === "noted" || why === "full" || why === "repeat"
  );
}

export interface Step {
  readonly ledger: Ledger;
  readonly task: Task;
  readonly command: Command;
}

/** The incident that a task reads next. */
export function incidentOf({ phase, unsettled, declared }: Task): string {
  return (phase === "settle" && unsettled ? unsettled.declared : declared).incidentId;
}
