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
  readonly date?: string | undefined;
  readonly at: number;
  readonly id?: string | undefined;
  /** True if only the words of that update say so. */
  readonly isByWords?: boolean | undefined;
  readonly isReported?: boolean | undefined;
  /** The service may show it as late as this time, in milliseconds since 1970. */
  readonly mayAppearUntil: number;
}

/** The posts of all processes that share the lock directory, and the time: a decision needs both besides a response. */
export interface Noted {
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
  readonly readProblem?: ReadProblem | undefined;
}

type Phase =
  /** Searches for what an earlier run sent, before anything else is published. */
  | (Search & { readonly at: "settle" })
  | {
      readonly at: "decide";
      readonly lineage: Lineage;
      /** The post of an earlier run that the user says isn't public. */
      readonly denied?: Sent | undefined;
      readonly lookedUp: readonly string[];
      /** The end of a wait for noted posts to appear. */
      readonly waitsUntil?: number | undefined;
    }
  /** Waits for the result of its post. `id`: of our own. */
  | { readonly at: "post"; readonly id: string | undefined; readonly sent: Sent }
  /** Searches for its own post. `problem`: why its result is unknown, unless the service responded. */
  | (Search & { readonly at: "search"; readonly problem?: string | undefined });

export interface Task<Of extends Phase = Phase> {
  readonly resource: Resource;
  readonly declared: Declaration;
  readonly nonce: string;
  readonly isTextSecret: boolean;
  readonly codes: readonly string[];
  /** The codes that permitted something. */
  readonly used: readonly string[];
  readonly phase: Of;
  /** The state keeps this record if the declaration is refused. */
  readonly kept?: Recorded | undefined;
  readonly remarks: readonly Notice[];
  readonly applied: readonly Pick<NotedPost, "nonce" | "id" | "isByWords">[];
}

export type TaskAt<At extends Phase["at"]> = Task<Extract<Phase, { readonly at: At }>>;

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
  | { readonly do: "finish"; readonly ending: Ending };

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
  /** A preview goes no further, and takes the update for posted. `at`: its creation time. */
  | { readonly on: "foreseen"; readonly at: string }
  /** The service can't have applied the post. `isInvalid`: it says that the content, or the id, isn't valid. */
  | { readonly on: "notApplied"; readonly text: string; readonly isInvalid: boolean }
  | { readonly on: "unknown"; readonly text: string }
  /** The search took as long as it may, or the run was cancelled. */
  | { readonly on: "timeUp"; readonly text?: string };

/**
 * What becomes of a declaration. An `up` ends in one of the first four; a preview {@link foresee}s any. `recorded`: what the
 * state records.
 */
export type Ending = { readonly remarks: readonly Notice[] } & (
  | { readonly kind: "posted"; readonly recorded: Posted; readonly replaced?: Replaced | undefined }
  /** `kept`: only the state changes. */
  | { readonly kind: "adopted" | "kept"; readonly recorded: Posted }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly recorded?: Recorded | undefined }
  /** The result of a post is unknown. A preview that can't look for it has no refusal. */
  | {
      readonly kind: "unconfirmed";
      readonly refusal?: Refusal | undefined;
      readonly recorded?: Recorded | undefined;
    }
  /** Only the `up` can tell, and fails with the refusal if nothing more is known then. */
  | { readonly kind: "waits"; readonly refusal?: Refusal; readonly replaced?: Replaced | undefined }
  | { readonly kind: "unknown"; readonly replaced?: Replaced | undefined }
);

/** The public update that a new one of the same resource replaces. */
interface Replaced extends Content {
  /** True if the declaration differs in its date alone. */
  readonly isRedated?: boolean;
}

export type Notice =
  | { readonly tell: "adopted"; readonly update: StatusPageIncidentUpdate }
  | { readonly tell: "several"; readonly count: number; readonly id: string }
  | { readonly tell: "found"; readonly id: string }
  | { readonly tell: "resent"; readonly at: number }
  | { readonly tell: "altered"; readonly id: string }
  | { readonly tell: "waits"; readonly ms: number; readonly isLater: boolean }
  /** The result of an earlier update of the incident is unknown. */
  | { readonly tell: "behind" | "redated" }
  /** The service didn't respond to a preview. `why`: empty if that was said before. */
  | { readonly tell: "unread"; readonly why: string }
  /** `isRefused`: a change of the public update. */
  | { readonly tell: "notKnown"; readonly fields: readonly string[]; readonly isRefused?: boolean }
  /** Changes that look as if they changed the public update with this id. */
  | { readonly tell: "stateOnly"; readonly id: string; readonly fields: readonly string[] };

interface Answer {
  /** Empty if no answer helps. */
  readonly codes: readonly string[];
  /** The codes that are set already, and don't answer this question. */
  readonly set?: readonly string[];
}

export type Refusal =
  | ({ readonly why: "twin" } & Twin)
  | {
      readonly why: "changedBack";
      readonly id: string;
      readonly since?: string | undefined;
      readonly next: number;
    }
  | { readonly why: "occurrence"; readonly count: number }
  | { readonly why: "unsettledTwin"; readonly by: Resource }
  | { readonly why: "changed"; readonly fields: readonly string[] }
  /** `alike`: what may be this entry. */
  | { readonly why: "laterEntry"; readonly id: string; readonly alike: readonly Alike[] }
  /** The entry before it isn't public, and this run doesn't post it. */
  | { readonly why: "earlierEntry" }
  | ({ readonly why: "noted" } & NotedPosts & Answer)
  /** The declared update may be one of these. */
  | ({ readonly why: "alike"; readonly updates: readonly Alike[] } & Answer)
  | ({ readonly why: "full"; readonly count: number } & Answer)
  /** The update with the own id of the declaration was edited, and another resource has it. */
  | ({ readonly why: "idOfAnother" } & Twin)
  /** The state has the update, the engine replaces it without `diff`, and the incident doesn't show it. */
  | { readonly why: "undecided" }
  | ({ readonly why: "lost"; readonly problem?: string | undefined } & NotFound)
  | ({ readonly why: "unconfirmed" } & NotFound)
  | { readonly why: "moved"; readonly from: string }
  | { readonly why: "idRejected"; readonly text: string }
  /** `isMissing`: the service has no such incident. */
  | { readonly why: "failed"; readonly text: string; readonly isMissing?: boolean };

/** Posts in notes, and whether the first of them is a later entry of the timeline. */
export interface NotedPosts {
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
  readonly readProblem?: ReadProblem | undefined;
}

export interface Step {
  readonly ledger: Ledger;
  readonly task: Task;
  readonly command: Command;
}
