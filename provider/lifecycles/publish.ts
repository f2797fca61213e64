/**
 * Publishes an update exactly once. The API has no idempotency key and no operation to delete an update, so the history is
 * read before the post and, when the result is unknown, after it.
 */
import {
  InvalidInputError,
  isMonitoringError,
  NotFoundError,
  OutcomeUnknownError,
  type StatusPageIncidentUpdate,
  TimeoutError,
} from "../client";
import { type Connection } from "../connection";
import { Budget } from "./budget";
import { claim, isReleased, isUnconfirmed, assertNotOwned } from "./claims";
import { changeRefused } from "./changeRefused";
import { truncatedFrom, isOlder, snapshotOf, matchingUpdates } from "./history";
import { type SentPosts } from "./incidentLock";
import { type Context } from "./lifecycle";
import { pause } from "./pause";
import { undecidedChanges } from "./resourceMemory";
import { describe, readHistory, search } from "./search";
import { Unconfirmed } from "./unconfirmed";
import { type Declaration, entryKey, sentKey } from "./updateContent";

const budgetMs = 45_000;
/** Share of the budget, so that time remains to search for a post without a response. */
const postShare = 20 / 45;
/** Share of the budget: with less, the post would probably time out and its result would be unknown. */
const minPostShare = 5 / 45;
const maxWaitMs = 8_000;
const lookupTimeoutMs = 10_000;

/** A declaration to publish. */
export interface Publication {
  readonly declared: Declaration;
  readonly connection: Connection;
  readonly context: Context;
  readonly sentPosts: SentPosts;
  /** The id of the update that it replaces, if any. */
  readonly replaced?: string | undefined;
}

/**
 * Adopts the update when it exists, otherwise posts it once. Requires the turn and the lock of the incident.
 *
 * @throws Unconfirmed when it was sent and its result is unknown.
 */
export async function publish(publication: Publication): Promise<StatusPageIncidentUpdate> {
  const { declared, connection, context } = publication;
  const { incidentId } = declared;
  let budget = newBudget(publication);
  let history = await readHistory(incidentId, connection, budget);
  if (!existing(declared, history)) {
    const awaited = await awaitLatePost(publication, history);
    if (awaited) [history, budget] = [awaited, newBudget(publication)];
  }
  assertNotTruncated(declared, history);
  const adopted = existing(declared, history);
  if (adopted) return adopt(publication, adopted, history);
  assertPostable(publication, history);
  const seen = snapshotOf(history);
  try {
    const posted = await post(publication, budget);
    claim(connection, incidentId, posted.id, context.resource);
    return posted;
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error;
    const found = await search(declared, seen, connection, context, budget);
    if (!found.update) throw new Unconfirmed(`${error.message} ${describe(declared, found)}`, seen);
    claim(connection, incidentId, found.update.id, context.resource);
    return found.update;
  } finally {
    context.connections.forgetIncident(incidentId);
  }
}

function newBudget({ connection: { deadlineMs }, context: { timeoutMs = budgetMs } }: Publication): Budget {
  return new Budget(Math.min(budgetMs, deadlineMs, timeoutMs));
}

function existing(
  declared: Declaration,
  history: readonly StatusPageIncidentUpdate[],
): StatusPageIncidentUpdate | undefined {
  return matchingUpdates(declared, history)[declared.occurrence - 1];
}

function adopt(
  { declared, connection, context, replaced }: Publication,
  update: StatusPageIncidentUpdate,
  history: readonly StatusPageIncidentUpdate[],
): StatusPageIncidentUpdate {
  const { incidentId, notifySubscribers } = declared;
  const since = update.created_at ?? "an unknown time";
  const isFree = !isReleased(connection, incidentId, update.id);
  if (replaced !== undefined && isFree && isOlder(update.id, replaced, history)) {
    const next = matchingUpdates(declared, history).length + 1;
    const again = history.length < truncatedFrom ? `set \`occurrence: ${next}\`` : "change its description";
    throw occurrenceError(
      declared,
      `is ${declared.occurrence}, but an identical update (${update.id}) has existed since ${since} and is older than the ` +
        `update to replace (${replaced}). Nothing was posted. To publish it again, ${again}; to keep the ` +
        "existing update without a new post, rename the resource",
    );
  }
  assertNotUnconfirmed(connection, declared);
  assertNotOwned(connection, incidentId, update.id, context.resource);
  claim(connection, incidentId, update.id, context.resource);
  const shown = update.notifySubscribers;
  const flag =
    typeof shown === "boolean" && shown !== notifySubscribers
      ? ` It shows notifySubscribers ${shown}, not ${notifySubscribers} as declared; no email is sent.`
      : "";
  context.notice(
    `IncidentUpdate: an identical update (${update.id}) has existed in incident ${incidentId} since ${since}; adopted, nothing posted.${flag}`,
  );
  return update;
}

function occurrenceError({ incidentId }: Declaration, reason: string): InvalidInputError {
  return new InvalidInputError(`IncidentUpdate on incident ${incidentId}`, [
    { property: "occurrence", reason },
  ]);
}

function assertNotUnconfirmed(connection: Connection, declared: Declaration): void {
  if (!isUnconfirmed(connection, declared)) return;
  throw occurrenceError(
    declared,
    "must differ from that of the other resource in this stack that declares an identical update: it is unknown " +
      "whether that one was published. Nothing was posted. Declare the update once",
  );
}

/** Identical updates cannot be counted when the history may lack earlier ones. */
function assertNotTruncated(declared: Declaration, { length }: readonly StatusPageIncidentUpdate[]): void {
  if (declared.occurrence === 1 || length < truncatedFrom) return;
  throw occurrenceError(
    declared,
    `must be 1, because the history has ${length} updates and may be truncated`,
  );
}

function assertPostable(
  { declared, connection, context }: Publication,
  history: readonly StatusPageIncidentUpdate[],
): void {
  assertNotUnconfirmed(connection, declared);
  assertMayChange(declared, undecidedChanges.get(context.resource));
  assertOccurs(declared, matchingUpdates(declared, history).length);
  const later = laterEntry(declared, history);
  if (later !== undefined) {
    throw new InvalidInputError(`IncidentUpdate on incident ${declared.incidentId}`, [
      {
        property: "description",
        reason:
          `may already be public: a later entry of this timeline exists in the incident (${later}), and the history of ` +
          `${history.length} updates may be truncated. Nothing was posted. Restore the state of the stack, or remove this ` +
          "entry and those before it from the timeline",
      },
    ]);
  }
}

function assertMayChange({ incidentId }: Declaration, changed: readonly string[] = []): void {
  if (changed.length > 0) throw changeRefused(`IncidentUpdate on incident ${incidentId}`, changed);
}

function assertOccurs(declared: Declaration, count: number): void {
  const { occurrence, followedBy } = declared;
  if (count >= occurrence - 1) return;
  const advice =
    followedBy === undefined
      ? "declare the earlier ones first (dependsOn)"
      : "an earlier entry with the same words was deleted or changed on the service. Nothing was posted. Change the " +
        "description of this entry";
  throw occurrenceError(
    declared,
    `is ${occurrence}, but ${count} identical updates exist in the incident: ${advice}`,
  );
}

/** The id of a later entry of the same timeline, when a truncated history may lack the earlier ones. */
function laterEntry(
  { followedBy = [] }: Declaration,
  history: readonly StatusPageIncidentUpdate[],
): string | undefined {
  if (history.length < truncatedFrom) return undefined;
  return history.find((update) => followedBy.includes(entryKey(update)))?.id;
}

/**
 * Waits for an identical update that another process of this machine sent and may not have recorded before it was killed,
 * because the service may show it late. Returns the history that contains it or, after the wait, the latest one; undefined
 * when no process sent an identical update.
 */
async function awaitLatePost(
  { declared, connection, context, sentPosts }: Publication,
  shown: readonly StatusPageIncidentUpdate[],
): Promise<StatusPageIncidentUpdate[] | undefined> {
  const until = sentPosts.mayAppearUntil(sentKey(declared), shown) ?? 0;
  if (until <= Date.now()) return undefined;
  context.notice(
    `IncidentUpdate: this machine sent an identical update to incident ${declared.incidentId} moments ago, and the ` +
      `service doesn't show it yet. Searching for it for up to ${Math.ceil((until - Date.now()) / 1000)} s before anything is posted.`,
  );
  for (let ms = 500; ; ms = Math.min(2 * ms, maxWaitMs)) {
    await pause(Math.min(ms, Math.max(1, until - Date.now())), context);
    try {
      const history = await readHistory(declared.incidentId, connection, new Budget(lookupTimeoutMs));
      if (existing(declared, history) || Date.now() >= until) return history;
    } catch (error) {
      const isTransient = isMonitoringError(error) && !(error instanceof NotFoundError);
      if (!isTransient || Date.now() >= until) throw error;
    }
  }
}

async function post(
  { declared, connection, context, sentPosts }: Publication,
  budget: Budget,
): Promise<StatusPageIncidentUpdate> {
  const { incidentId, status, description, notifySubscribers, publicIncidentUpdateDate } = declared;
  const key = sentKey(declared);
  const postBudget = new Budget(budget.leftMs(postShare));
  const beforeSend = async (): Promise<void> => {
    await context.assertEngineAlive();
    context.signal?.throwIfAborted();
    if (postBudget.leftMs() < budget.totalMs * minPostShare) throw noTimeLeft(declared);
    sentPosts.noteSending(key);
  };
  try {
    const posted = await connection.client.createIncidentUpdate(
      incidentId,
      {
        status,
        description,
        notifySubscribers,
        ...(publicIncidentUpdateDate !== undefined && { publicIncidentUpdateDate }),
      },
      { deadlineMs: postBudget.leftMs(), beforeSend },
    );
    sentPosts.noteApplied(key, posted.id);
    return posted;
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) sentPosts.noteNotApplied(key);
    throw error;
  }
}

function noTimeLeft({ incidentId }: Declaration): TimeoutError {
  return new TimeoutError(
    `IncidentUpdate on incident ${incidentId}: reading the incident, or waiting for other requests, left too little time ` +
      "to post the update. Nothing was posted. Run `pulumi up` again. If `deadlineMs` or `customTimeouts` is below 45 s, raise it.",
  );
}
