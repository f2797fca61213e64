/**
 * Exactly once: makes a declared update stand in the history of its incident. The API has no idempotency key, and an
 * update that was posted can't be taken back, so the history is read before and, in doubt, after the post.
 */
import { setTimeout as wait } from "node:timers/promises";
import PQueue from "p-queue";
import {
  InvalidInputError,
  isMonitoringError,
  OutcomeUnknownError,
  type StatusPageIncidentUpdate,
} from "../client";
import { type Connection } from "../connection";
import { arrived, cutFrom, lookalike, type Seen, seenIn, standing } from "./history";
import { type World } from "./lifecycle";
import { forgetIncident } from "./reading";
import { type Declaration } from "./words";

const budgetMs = 45_000;
/** To settle what an earlier run left: with a create after it, it stays within the minute that a CI job may have to end. */
const settleMs = 15_000;
/** Of the budget, so that time is left to find out what became of a post without an answer. */
const postShare = 20 / 45;
/** A service may show a write late. */
const waitsBeforeLooking = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** An update was posted, and nothing tells whether it stands in the history. */
export class Unconfirmed extends Error {
  readonly seen: Seen;

  constructor(message: string, seen: Seen) {
    super(message);
    this.seen = seen;
  }
}

const queues = new Map<string, PQueue>();
const claims = new Set<string>();
const tracked = new Set<string>();

/** Updates of one incident take turns: their order is kept, and each sees what the one before it did. */
export async function inTurn<T>(
  connection: Connection,
  incidentId: string,
  work: () => Promise<T>,
): Promise<T> {
  const key = placeOf(connection, incidentId);
  const queue = queues.get(key) ?? new PQueue({ concurrency: 1 });
  queues.set(key, queue);
  return queue.add(work);
}

function placeOf({ origin }: Connection, ...ids: string[]): string {
  return JSON.stringify([origin.host, origin.accountId, ...ids]);
}

/**
 * Adopts the update when it already stands there, otherwise posts it, once. Call it in turn.
 *
 * @throws Unconfirmed when it was posted and may or may not stand there.
 */
export async function publish(
  declared: Declaration,
  connection: Connection,
  world: World,
): Promise<StatusPageIncidentUpdate> {
  const budget = new Budget(Math.min(budgetMs, connection.deadlineMs));
  const history = await readHistory(declared.incidentId, connection, budget);
  const present = standing(declared, history);
  const earlier = declared.occurrence - 1;
  refuseWhatCannotBeCounted(declared, history.length, present.length);
  const adopted = present[earlier];
  if (adopted) {
    claim(connection, declared, adopted);
    const since = adopted.created_at ?? "an unknown time";
    world.notice(
      `IncidentUpdate: ${adopted.id} of incident ${declared.incidentId} already says this, since ${since}; adopted, nothing posted.`,
    );
    return adopted;
  }
  const seen = seenIn(history);
  try {
    const posted = await post(declared, connection, world, budget);
    claim(connection, declared, posted);
    return posted;
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error;
    const finding = await search(declared, seen, connection, world, budget);
    if (finding.update) return finding.update;
    throw new Unconfirmed(`${error.message} ${describe(finding)}`, seen);
  } finally {
    forgetIncident(declared.incidentId);
  }
}

function refuseWhatCannotBeCounted(declared: Declaration, length: number, present: number): void {
  const { occurrence, incidentId } = declared;
  if (occurrence === 1) return;
  const refuse = (reason: string): never => {
    throw new InvalidInputError(`IncidentUpdate on incident ${incidentId}`, [
      { property: "occurrence", reason },
    ]);
  };
  if (length >= cutFrom) refuse(`must be 1, because the history has ${length} updates and may be cut`);
  if (present < occurrence - 1) {
    refuse(
      `is ${occurrence}, but the same words stand there ${present} times: declare the earlier ones first (dependsOn)`,
    );
  }
}

/** Within one process no two resources stand for one update. */
function claim(connection: Connection, { incidentId }: Declaration, { id }: StatusPageIncidentUpdate): void {
  const key = placeOf(connection, incidentId, id);
  if (claims.has(key)) {
    throw new InvalidInputError(`IncidentUpdate on incident ${incidentId}`, [
      {
        property: "occurrence",
        reason: `must tell it from the other resource that declares the same words (update ${id})`,
      },
    ]);
  }
  claims.add(key);
}

/** Remembers that another resource of the stack stands for this update: so it isn't what became of a lost post. */
export function track(connection: Connection, incidentId: string, incidentUpdateId: string): void {
  tracked.add(placeOf(connection, incidentId, incidentUpdateId));
}

/** What one look at the history shows of a post without an answer. */
export interface Finding {
  /** It was published. */
  readonly update?: StatusPageIncidentUpdate;
  /** One that may be it: the same status, other words. */
  readonly lookalike?: StatusPageIncidentUpdate;
  /** Why the history could not be read. */
  readonly unread?: string;
}

/** Looks until it is found or time is up. Call it in turn. */
export async function search(
  declared: Declaration,
  seen: Seen,
  connection: Connection,
  world: World,
  budget = settlingBudget(connection),
): Promise<Finding> {
  let finding: Finding = {};
  for (const ms of waitsBeforeLooking) {
    if (ms >= budget.leftMs()) break;
    await wait(ms);
    finding = await look(declared, seen, connection, world, budget);
    if (finding.update) break;
  }
  return finding;
}

/** Looks once; what it finds belongs to this declaration from then on. Call it in turn. */
export async function look(
  declared: Declaration,
  seen: Seen,
  connection: Connection,
  world: World,
  budget = settlingBudget(connection),
): Promise<Finding> {
  let history: StatusPageIncidentUpdate[];
  try {
    history = await readHistory(declared.incidentId, connection, budget);
  } catch (error) {
    if (isMonitoringError(error)) return { unread: error.message };
    throw error;
  }
  const notIn = (taken: ReadonlySet<string>) => (one: StatusPageIncidentUpdate) =>
    !taken.has(placeOf(connection, declared.incidentId, one.id));
  const free = history.filter(notIn(claims));
  const [update, ...more] = arrived(declared, seen, free);
  if (!update) return { lookalike: lookalike(declared, seen, free.filter(notIn(tracked))) };
  if (more.length > 0) {
    world.notice(
      `IncidentUpdate: ${more.length + 1} new updates of incident ${declared.incidentId} say exactly this; ` +
        `the oldest, ${update.id}, is taken for the one that was posted.`,
    );
  }
  claim(connection, declared, update);
  return { update };
}

/** What a look that didn't find the update tells the user. */
export function describe({ lookalike: other, unread }: Finding): string {
  if (unread !== undefined) return `The incident could not be read to look for it: ${unread}`;
  if (other)
    return `Not found in the incident, but update ${other.id} is new there with the same status and other words.`;
  return "Not found in the incident so far.";
}

async function readHistory(
  incidentId: string,
  { client }: Connection,
  budget: Budget,
): Promise<StatusPageIncidentUpdate[]> {
  const incident = await client.getStatusPageIncident(incidentId, {
    shared: false,
    deadlineMs: budget.leftMs(),
  });
  return incident.incidentUpdates;
}

async function post(
  declared: Declaration,
  { client }: Connection,
  world: World,
  budget: Budget,
): Promise<StatusPageIncidentUpdate> {
  const { incidentId, status, description, notifySubscribers, publicIncidentUpdateDate } = declared;
  return client.createIncidentUpdate(
    incidentId,
    {
      status,
      description,
      notifySubscribers,
      ...(publicIncidentUpdateDate !== undefined && { publicIncidentUpdateDate }),
    },
    { deadlineMs: budget.leftMs(postShare), beforeSend: () => world.stillWanted() },
  );
}

function settlingBudget({ deadlineMs }: Connection): Budget {
  return new Budget(Math.min(settleMs, deadlineMs));
}

/** The time that is left for one declaration, counted from its turn. */
class Budget {
  readonly #ends: number;
  readonly #wholeMs: number;

  constructor(ms: number) {
    this.#wholeMs = ms;
    this.#ends = performance.now() + ms;
  }

  /** At least one millisecond, at most this share of the whole. */
  leftMs(share = 1): number {
    return Math.max(1, Math.floor(Math.min(this.#ends - performance.now(), this.#wholeMs * share)));
  }
}
