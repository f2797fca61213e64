/** Short forms for the tables of single decisions. */
import {
  begin,
  type Declaration,
  entryKey,
  type Event,
  type IdSupport,
  type Ledger,
  newLedger,
  ownId,
  type NotedPost,
  type Plan,
  type Posted,
  type Refusal,
  type Result,
  type Sent,
  type Step,
  step,
  contentKey,
  withOwner,
  withPlan,
} from "../../provider/protocol";
import { type StatusPageIncidentUpdate } from "../../provider/api/objects";

export const now = Date.UTC(2026, 0, 1, 12);
export const hour = 3_600_000;

/** @param minute of its creation */
export function update(id: string, description = "A", minute = 0): StatusPageIncidentUpdate {
  const created_at = new Date(now + minute * 60_000).toISOString();
  return { id, status: "INVESTIGATING", description, created_at };
}

export function declaration(changes: Partial<Declaration> = {}): Declaration {
  return {
    incidentId: "i",
    status: "INVESTIGATING",
    description: "A",
    notifySubscribers: false,
    occurrence: 1,
    onChange: "post",
    ...changes,
  };
}

export function posted(id: string, changes: Partial<Declaration> = {}, others: Partial<Posted> = {}): Posted {
  const declared = declaration(changes);
  return {
    kind: "posted",
    id,
    declared,
    published: update(id, declared.description),
    missing: false,
    past: [],
    ...others,
  };
}

/** What an earlier run sent, an hour ago. */
export function sent(changes: Partial<Declaration> = {}, others: Partial<Sent> = {}): Sent {
  return {
    kind: "sent",
    declared: declaration(changes),
    seen: { ids: [] },
    nonce: "lost",
    at: now - hour,
    ownIds: [ownId(declaration(changes), 0)],
    past: [],
    ...others,
  };
}

/** What the lock directory says of a post, which the service may show for another minute. */
export function note(nonce: string, changes: Partial<NotedPost> & { text?: string } = {}): NotedPost {
  const { text = "A", ...others } = changes;
  return { nonce, key: keyOf(text), occurrence: 1, at: now, mayAppearUntil: now + 60_000, ...others };
}

/** A post whose result a run reported as unknown, and that the service would show by now. */
export function reported(nonce: string, changes: Parameters<typeof note>[1] = {}): NotedPost {
  return note(nonce, { at: now - hour, mayAppearUntil: now, isReported: true, ...changes });
}

/** @param owners the update of each resource */
export function ledgerOf(owners: Readonly<Record<string, Posted>> = {}, ids: IdSupport = "used"): Ledger {
  return Object.entries(owners).reduce(
    (ledger, [by, recorded]) => withOwner(ledger, by, recorded),
    newLedger(ids),
  );
}

export function history(
  shown: readonly StatusPageIncidentUpdate[],
  noted: readonly NotedPost[] = [],
  at = now,
): Event {
  return { on: "history", shown, noted, now: at };
}

/** The service doesn't show an update with this id, or shows it. */
export function byId(id: string, shown?: StatusPageIncidentUpdate, noted: readonly NotedPost[] = []): Event {
  return { on: "update", id, update: shown, noted, now };
}

export const timeUp = { on: "timeUp" } as const;
export const unread = { on: "readFailed", incidentMissing: false, text: "503", now } as const;
export const missing = { on: "readFailed", incidentMissing: true, text: "404", now } as const;
export const rejected = { on: "notApplied", text: "403", isInvalid: false } as const;
export const lost = { on: "unknown", text: "reset" } as const;

export const keyOf = (description: string): string => contentKey({ status: "INVESTIGATING", description });
export const entry = (description: string, occurrence = 1): string =>
  entryKey(keyOf(description), occurrence);

/** More updates than a history may hold without being truncated, the newest first. */
export function fullHistory(...newest: readonly StatusPageIncidentUpdate[]): StatusPageIncidentUpdate[] {
  const old = Array.from({ length: 100 }, (_, index) => update(`old${index}`, "old", -10 - index));
  return [...newest, ...old];
}

export const idOfA = ownId(declaration(), 0);

export interface Choice {
  readonly declared?: Partial<Declaration>;
  readonly shown?: readonly StatusPageIncidentUpdate[];
  /** The updates of other resources. */
  readonly owners?: Readonly<Record<string, Posted>>;
  readonly ids?: Ledger["ids"];
  /** What becomes of the resource, or of another. */
  readonly plans?: Readonly<Record<string, Plan>>;
  /** The posts of earlier runs that this run has settled. */
  readonly known?: readonly string[];
  readonly noted?: readonly NotedPost[];
  readonly codes?: readonly string[];
  /** What happens after the first read of the history. */
  readonly events?: readonly Event[];
  readonly at?: number;
}

/** What the protocol decides after a read of the history, and these events. */
export function choice(given: Choice): Step {
  const { declared, shown = [], owners, ids, plans = {}, known = [], noted, codes = [], events = [] } = given;
  const ledger = Object.entries(plans).reduce(
    (before, [resource, plan]) => withPlan(before, resource, plan),
    { ...ledgerOf(owners, ids), settled: known },
  );
  const beginning = { resource: "own", declared: declaration(declared), nonce: "n", codes };
  return after(begin(ledger, beginning), [history(shown, noted, given.at), ...events]);
}

export function after(begun: Step, events: readonly Event[]): Step {
  return events.reduce((before, event) => step(before.ledger, before.task, event), begun);
}

export interface Settling {
  readonly was?: Partial<Declaration>;
  readonly sent?: Partial<Sent>;
  readonly declared?: Partial<Declaration>;
  readonly owners?: Readonly<Record<string, Posted>>;
  readonly ids?: IdSupport;
  readonly codes?: readonly string[];
  readonly events: readonly Event[];
}

/** What the protocol decided after these events about what an earlier run sent. */
export function settled({ was, sent: others, declared, owners, ids, codes = [], events }: Settling): Step {
  const beginning = { resource: "own", declared: declaration(declared), nonce: "n", codes };
  return after(begin(ledgerOf(owners, ids), { ...beginning, sent: sent(was, others) }), events);
}

export function resultOf({ command }: Step): Result {
  if (command.do !== "finish") throw new Error(`Not finished: ${command.do}`);
  return command.result;
}

export function refusalOf(step: Step): Refusal {
  const result = resultOf(step);
  if (result.kind === "done") throw new Error(`Has ${result.posted.id}`);
  return result.refusal;
}

/** The codes that a refusal prints. */
export function codesOf(step: Step): readonly string[] {
  const refusal = refusalOf(step);
  return "codes" in refusal ? refusal.codes : [];
}

/** What the protocol decided, in a few words. */
export function decided({ command }: Step): string {
  switch (command.do) {
    case "read":
      if (command.until !== undefined) return `waits for ${(command.until - now) / 1000} s`;
      return command.again ? "looks again" : "reads";
    case "readUpdate":
      return `asks for ${command.id === idOfA ? "its id" : command.id}`;
    case "post":
      return command.id === undefined ? "posts without id" : "posts";
    case "finish": {
      const { result } = command;
      if (result.kind === "done") return `has ${result.posted.id}`;
      const kept = result.keep && (result.keep.kind === "posted" ? result.keep.id : "it");
      return `refuses: ${result.refusal.why}${kept === undefined ? "" : `, keeps ${kept}`}`;
    }
  }
}
