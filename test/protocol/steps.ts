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
  type Posted,
  type SentPost,
  type Plan,
  type Step,
  step,
  type Unconfirmed,
  contentKey,
  withOwner,
  withPlan,
} from "../../provider/protocol";
import { type StatusPageIncidentUpdate } from "../../provider/api";

export const now = Date.UTC(2026, 0, 1, 12);

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
    onUnconfirmed: "fail",
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

export function unconfirmed(
  changes: Partial<Declaration> = {},
  others: Partial<Unconfirmed> = {},
): Unconfirmed {
  return {
    kind: "unconfirmed",
    declared: declaration(changes),
    seen: { ids: [] },
    nonce: "lost",
    past: [],
    ...others,
  };
}

export function note(nonce: string, changes: Partial<SentPost> & { text?: string } = {}): SentPost {
  const { text = "A", ...others } = changes;
  const key = contentKey({ status: "INVESTIGATING", description: text });
  return { nonce, key, occurrence: 1, at: now, mayAppearUntil: now + 60_000, ...others };
}

/** @param owners the update of each resource */
export function ledgerOf(owners: Readonly<Record<string, Posted>> = {}, ids: IdSupport = "unknown"): Ledger {
  return Object.entries(owners).reduce(
    (ledger, [by, recorded]) => withOwner(ledger, by, recorded),
    newLedger(ids),
  );
}

export function history(
  shown: readonly StatusPageIncidentUpdate[],
  sent: readonly SentPost[] = [],
  at = now,
): Event {
  return { on: "history", shown, sent, now: at };
}

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
  readonly shown?: ReturnType<typeof fullHistory>;
  /** The updates of other resources. */
  readonly owners?: Readonly<Record<string, Posted>>;
  readonly ids?: Ledger["ids"];
  /** What becomes of the resource, or of another. */
  readonly plans?: Readonly<Record<string, Plan>>;
  readonly sent?: readonly SentPost[];
}

/** What the protocol decides after a read of the history. */
export function choice({ declared, shown = [], owners, ids, plans = {}, sent }: Choice): Step {
  const ledger = Object.entries(plans).reduce(
    (before, [resource, plan]) => withPlan(before, resource, plan),
    ledgerOf(owners, ids),
  );
  const begun = begin(ledger, { resource: "own", declared: declaration(declared), nonce: "n" });
  return step(begun.ledger, begun.task, history(shown, sent));
}

export interface Settling {
  readonly sent?: Partial<Declaration>;
  readonly unsettled?: Partial<Unconfirmed>;
  readonly declared?: Partial<Declaration>;
  readonly owners?: Readonly<Record<string, Posted>>;
  readonly events: readonly Event[];
}

/** What the protocol decided after these events about an unconfirmed update. */
export function settled({ sent, unsettled: others, declared, owners = {}, events }: Settling): Step {
  const unsettled = unconfirmed(sent, others);
  const beginning = { resource: "own", declared: declaration(declared), nonce: "n", unsettled };
  return events.reduce(
    (before, event) => step(before.ledger, before.task, event),
    begin(ledgerOf(owners), beginning),
  );
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
      if (result.kind === "settled") return "continues on the other incident";
      const kept = result.keep && (result.keep.kind === "posted" ? result.keep.id : "it");
      return `refuses: ${result.refusal.why}${kept === undefined ? "" : `, keeps ${kept}`}`;
    }
  }
}
