/** Short forms for the tables of decisions. All of them call `diff`, `begin` and `step`. */
import {
  begin,
  type Comparison,
  type Content,
  type Declaration,
  diff,
  type TaskResult,
  type Event,
  type Ledger,
  createLedger,
  type NotedPost,
  type PostedUpdate,
  type Rejection,
  type UnconfirmedPost,
  normalizeUpdate,
  type Step,
  step,
  normalizeContent,
} from "../../provider/protocol";
import { type StatusPageIncidentUpdate } from "../../provider/api/objects";
import { computeContentVersion, computeEntryKey } from "../../provider/protocol/identity";

export const now = Date.UTC(2026, 0, 1, 12);
export const hour = 3_600_000;

/** @param minute The minute of its creation, after `now`. */
export function update(id: string, description = "A", minute = 0): StatusPageIncidentUpdate {
  const created_at = new Date(now + minute * 60_000).toISOString();
  return { id, status: "INVESTIGATING", description, created_at };
}

/** The entry of a timeline on a page with components, whose changes are edits. */
export const keyed = { key: "k", statusPageId: "p" } as const;

export function declaration(changes: Partial<Declaration> = {}): Declaration {
  const required = { containerId: "i", status: "INVESTIGATING", description: "A" } as const;
  return normalizeContent({ ...required, notifySubscribers: false, ...changes, contentKey: undefined });
}

interface Others extends Omit<Partial<PostedUpdate>, "published"> {
  readonly published?: Content;
}

export function posted(
  id: string,
  changes: Partial<Declaration> = {},
  { published, ...others }: Others = {},
): PostedUpdate {
  const declared = declaration(changes);
  const shown = normalizeContent({
    ...(published ?? update(id, declared.description)),
    contentKey: undefined,
  });
  const written = computeContentVersion(shown);
  return { kind: "posted", id, declared, published: shown, missing: false, written, ...others };
}

/** A post that an earlier run sent an hour ago. */
export function sent(
  changes: Partial<Declaration> = {},
  others: Partial<UnconfirmedPost> = {},
): UnconfirmedPost {
  const declared = declaration(changes);
  const fields = { declared, seen: { ids: [] }, nonce: "lost", at: now - hour };
  return { kind: "sent", ...fields, isTextSecret: false, ...others };
}

/** The note of a post whose update may appear for another minute. */
export function note(nonce: string, changes: Partial<NotedPost> & { text?: string } = {}): NotedPost {
  const { text = "A", ...others } = changes;
  const times = { at: now, mayAppearUntil: now + 60_000, codeStart: now };
  return { nonce, contentKey: computeContentKey(text), occurrence: 1, ...times, ...others };
}

/** The note of a post whose result a run reported as unknown, and whose update can't appear any more. */
export function reported(nonce: string, changes: Parameters<typeof note>[1] = {}): NotedPost {
  return note(nonce, { at: now - hour, mayAppearUntil: now, isReported: true, ...changes });
}

type States = Readonly<Record<string, Comparison["was"]>>;

/** The ledger of a run that has listened and has compared these resources of the stack, with unchanged declarations. */
export function createStackLedger(states: States = {}): Ledger {
  return Object.entries(states).reduce(
    (ledger, [resource, was]) => compared(ledger, resource, was, declaration(was.declared)),
    listened(),
  );
}

/** The ledger of a run in which the engine has called `diff` for all resources. */
function listened(): Ledger {
  return { ...createLedger(), hasListened: true };
}

function compared(before: Ledger, resource: string, was: Comparison["was"], declared: Declaration): Ledger {
  return diff({ resource, was, declared, unknown: new Set() }, before).ledger ?? before;
}

export function history(
  shown: readonly StatusPageIncidentUpdate[],
  notes: readonly NotedPost[] = [],
  at = now,
  began?: number,
): Event {
  return { kind: "history", shown: shown.map((each) => normalizeUpdate(each)), notes, now: at, began };
}

/** The result of reading an update by its ID. */
export function byId(shown?: StatusPageIncidentUpdate, notes: readonly NotedPost[] = []): Event {
  return { kind: "update", update: shown && normalizeUpdate(shown), notes, now };
}

export const responds = (shown: StatusPageIncidentUpdate, on: "posted" | "edited" = "posted"): Event => ({
  kind: on,
  update: normalizeUpdate(shown),
});
export const timeUp = { kind: "timeUp", now } as const;
export const unread = { kind: "readFailed", containerMissing: false, text: "503", now } as const;
export const missing = { kind: "readFailed", containerMissing: true, text: "404", now } as const;
export const rejected = { kind: "notApplied", text: "403" } as const;
export const lost = { kind: "unknown", text: "reset" } as const;

const computeContentKey = (description: string): string =>
  normalizeContent({ status: "INVESTIGATING", description }).contentKey;
export const entry = (description: string, occurrence = 1, date?: string): string =>
  computeEntryKey(computeContentKey(description), occurrence, date);

/** A history that may be cut, newest update first. */
export function fullHistory(...newest: readonly StatusPageIncidentUpdate[]): StatusPageIncidentUpdate[] {
  const old = Array.from({ length: 100 }, (_, index) => update(`old${index}`, "old", -10 - index));
  return [...newest, ...old];
}

/** The resend code for the post with this nonce, taken from a rejection. */
export const code = (nonce: string): string => getCodes(choice({ notes: [reported(nonce)] }))[0] ?? "";

export interface Choice {
  readonly declared?: Partial<Declaration>;
  readonly shown?: readonly StatusPageIncidentUpdate[];
  /** The records of other resources with unchanged declarations. */
  readonly owners?: States;
  readonly opener?: Ledger["opener"];
  /** The record of the resource, or the old inputs in a `check`, after which the engine may replace it without calling `diff`. */
  readonly state?: Comparison["was"];
  /** The posts of earlier runs that this run has settled. */
  readonly settledPosts?: readonly string[];
  readonly notes?: readonly NotedPost[];
  readonly codes?: readonly string[];
  /** The events after the first read of the history. */
  readonly events?: readonly Event[];
  readonly at?: number;
  /** The start of the incident, if its page rejects earlier dates. */
  readonly began?: number;
}

/** Runs a task with a read of the history and these events. */
export function choice(given: Choice): Step {
  const { shown = [], notes, events = [], at, began } = given;
  return after(begun(given), [history(shown, notes, at, began), ...events]);
}

export function beginning(declared: Declaration, codes: readonly string[] = []) {
  return { resource: "own", declared, nonce: "n", isTextSecret: true, codes };
}

export function begun({
  declared: changes,
  owners,
  opener,
  state,
  settledPosts = [],
  codes = [],
}: Choice): Step {
  const declared = declaration(changes);
  const kept = { ...createStackLedger(owners), opener, settled: settledPosts };
  const ledger = state ? compared(kept, "own", state, declared) : kept;
  return begin(ledger, beginning(declared, codes));
}

export function after(before: Step, events: readonly Event[]): Step {
  return events.reduce(({ ledger, task }, event) => step(ledger, task, event), before);
}

export interface Settling extends Pick<Choice, "declared" | "owners" | "codes"> {
  readonly was?: Partial<Declaration>;
  readonly sent?: Partial<UnconfirmedPost>;
  readonly events: readonly Event[];
}

/** Runs a task that settles an earlier run's post, with these events. */
export function settled(settling: Settling): Step {
  const { was, sent: others, declared, owners, codes = [], events } = settling;
  const given = { ...beginning(declaration(declared), codes), was: sent(was, others) };
  return after(begin(createStackLedger(owners), given), events);
}

export function getResult({ command }: Step): TaskResult {
  if (command.kind !== "finish") throw new Error(`Not finished: ${command.kind}`);
  return command.result;
}

export function getRejection(finished: Step): Rejection {
  const result = getResult(finished);
  if (!("rejection" in result)) throw new Error(`Ended as ${result.kind}`);
  return result.rejection;
}

/** The resend codes in a rejection. */
export function getCodes(finished: Step): readonly string[] {
  const rejection = getRejection(finished);
  return "codes" in rejection ? rejection.codes : [];
}

/** The plan and the updates of the resource in the ledger. */
export const learned = ({ ledger }: Step) => ({
  plan: ledger.plans.get("own"),
  owns: [...ledger.owners.values()].filter(({ by }) => by === "own").map(({ id }) => id),
});

/** Summarizes the next command of the protocol. */
export function decided({ command }: Step): string {
  switch (command.kind) {
    case "read":
      if (command.until !== undefined) return `waits for ${(command.until - now) / 1000} s`;
      return command.again ? "reads again" : "reads";
    case "listen":
      return "listens";
    case "readUpdate":
      return `reads ${command.id}`;
    case "post":
      return "posts";
    case "edit":
      return `edits ${command.id}`;
    case "finish": {
      const { result } = command;
      const { recorded } = result;
      const kept = recorded && (recorded.kind === "posted" ? recorded.id : "it");
      if (!("rejection" in result)) return `owns ${kept}`;
      return `rejects: ${result.rejection.kind}${kept === undefined ? "" : `, keeps ${kept}`}`;
    }
  }
}

/** A row in a table of decisions: its title, the situation, and the outcome. */
export type Row = [what: string, given: Choice, outcome: string];
export const decides = (_: string, given: Choice, outcome: string): void =>
  expect(decided(choice(given))).toBe(outcome);
