/**
 * Exactly once: makes a declared update exist in the history of its incident. The API has no idempotency key, and an
 * update that was posted can't be taken back, so the history is read before and, in doubt, after the post.
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
import { claim, isReleased, isUnconfirmed, refuseDuplicate } from "./claims";
import { cutFrom, isOlder, snapshotOf, matchingUpdates } from "./history";
import { type SentPosts } from "./incidentLock";
import { type Context } from "./lifecycle";
import { pause } from "./pause";
import { describe, readHistory, search } from "./search";
import { Unconfirmed } from "./unconfirmed";
import { type Declaration, entryKey, sentKey } from "./updateContent";

const budgetMs = 45_000;
/** Of the budget, so that time is left to find out what became of a post without a response. */
const postShare = 20 / 45;
/** Of the budget: with less, a post would be given up for no reason, and leave a doubt. */
const leastPostShare = 5 / 45;
const longestWaitBeforeLookingMs = 8_000;
const longestLookMs = 10_000;

/** One declaration on its way into the history. */
export interface Publication {
  readonly declared: Declaration;
  readonly connection: Connection;
  readonly context: Context;
  readonly sentPosts: SentPosts;
  /** The id of the update that it replaces, if it does. */
  readonly replaced?: string | undefined;
}

/**
 * Adopts the update when it already exists, otherwise posts it, once. Call it in turn, and with the lock.
 *
 * @throws Unconfirmed when it was sent and may or may not exist.
 */
export async function publish(publication: Publication): Promise<StatusPageIncidentUpdate> {
  const { declared, connection, context } = publication;
  const { incidentId } = declared;
  let budget = newBudget(publication);
  let history = await readHistory(incidentId, connection, budget);
  if (!existing(declared, history)) {
    const awaited = await awaitLatePost(publication);
    if (awaited) [history, budget] = [awaited, newBudget(publication)];
  }
  refuseCutHistory(declared, history);
  const adopted = existing(declared, history);
  if (adopted) return adopt(publication, adopted, history);
  refuseToPost(publication, history);
  const seen = snapshotOf(history);
  try {
    const posted = await post(publication, budget);
    claim(connection, incidentId, posted.id);
    return posted;
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error;
    const finding = await search(declared, seen, connection, context, budget);
    if (!finding.update) throw new Unconfirmed(`${error.message} ${describe(declared, finding)}`, seen);
    claim(connection, incidentId, finding.update.id);
    return finding.update;
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
    const again = history.length < cutFrom ? `set \`occurrence: ${next}\`` : "change its text";
    throw refusal(
      declared,
      `is ${declared.occurrence}, but an identical update (${update.id}) exists since ${since}, and is older than the ` +
        `one that is replaced (${replaced}). Nothing was posted. To publish it again, ${again}; to keep the one that ` +
        "exists, without a post, rename the resource",
    );
  }
  refuseUnconfirmedDuplicate(connection, declared);
  refuseDuplicate(connection, incidentId, update.id);
  claim(connection, incidentId, update.id);
  const shown = update.notifySubscribers;
  const flag =
    typeof shown === "boolean" && shown !== notifySubscribers
      ? ` It shows notifySubscribers ${shown}, not ${notifySubscribers} as declared; nobody is mailed now.`
      : "";
  context.notice(
    `IncidentUpdate: an identical update (${update.id}) exists in incident ${incidentId} since ${since}; adopted, nothing posted.${flag}`,
  );
  return update;
}

function refusal({ incidentId }: Declaration, reason: string): InvalidInputError {
  return new InvalidInputError(`IncidentUpdate on incident ${incidentId}`, [
    { property: "occurrence", reason },
  ]);
}

function refuseUnconfirmedDuplicate(connection: Connection, declared: Declaration): void {
  if (!isUnconfirmed(connection, declared)) return;
  throw refusal(
    declared,
    "must tell it from the other resource of this stack that declares an identical update, of which it is unknown " +
      "whether it was published. Nothing was posted for it. Declare the update once",
  );
}

/** Which one of several identical updates it is can't be told when earlier ones may not be shown. */
function refuseCutHistory(declared: Declaration, { length }: readonly StatusPageIncidentUpdate[]): void {
  if (declared.occurrence === 1 || length < cutFrom) return;
  throw refusal(declared, `must be 1, because the history has ${length} updates and may be cut`);
}

function refuseToPost(
  { declared, connection }: Publication,
  history: readonly StatusPageIncidentUpdate[],
): void {
  const { occurrence } = declared;
  const present = matchingUpdates(declared, history).length;
  refuseUnconfirmedDuplicate(connection, declared);
  if (present < occurrence - 1) {
    throw refusal(
      declared,
      `is ${occurrence}, but ${present} identical updates exist in the incident: declare the earlier ones first (dependsOn)`,
    );
  }
  const later = laterEntry(declared, history);
  if (later !== undefined) {
    throw new InvalidInputError(`IncidentUpdate on incident ${declared.incidentId}`, [
      {
        property: "description",
        reason:
          `is of an entry before one that exists in the incident (${later}), whose history of ${history.length} updates ` +
          "may be cut: it may have been published already. Nothing was posted. Restore the state of the stack, or " +
          "remove this entry and those before it from the timeline",
      },
    ]);
  }
}

/** The id of a later entry of the same timeline, where the history may hold no more of the earlier ones. */
function laterEntry(
  { followedBy = [] }: Declaration,
  history: readonly StatusPageIncidentUpdate[],
): string | undefined {
  if (history.length < cutFrom) return undefined;
  return history.find((update) => followedBy.includes(entryKey(update)))?.id;
}

/**
 * Another process of this machine sent an identical update, and may have been killed before anybody remembered it. The
 * service may show it late: gives the history in which it appears or, when it doesn't, the latest. Undefined when
 * nothing of the kind was sent.
 */
async function awaitLatePost({
  declared,
  connection,
  context,
  sentPosts,
}: Publication): Promise<StatusPageIncidentUpdate[] | undefined> {
  const until = sentPosts.mayAppearUntil(sentKey(declared)) ?? 0;
  if (until <= Date.now()) return undefined;
  context.notice(
    `IncidentUpdate: an identical update was sent to incident ${declared.incidentId} from this machine moments ago, and ` +
      `isn't shown yet. Looking for it for up to ${Math.ceil((until - Date.now()) / 1000)} s before anything is posted.`,
  );
  for (let ms = 500; ; ms = Math.min(2 * ms, longestWaitBeforeLookingMs)) {
    await pause(Math.min(ms, Math.max(1, until - Date.now())), context);
    try {
      const history = await readHistory(declared.incidentId, connection, new Budget(longestLookMs));
      if (existing(declared, history) || Date.now() >= until) return history;
    } catch (error) {
      const mayPass = isMonitoringError(error) && !(error instanceof NotFoundError);
      if (!mayPass || Date.now() >= until) throw error;
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
    if (postBudget.leftMs() < budget.wholeMs * leastPostShare) throw noTimeLeft(declared);
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
    sentPosts.noteApplied(key);
    return posted;
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) sentPosts.noteNotApplied(key);
    throw error;
  }
}

function noTimeLeft({ incidentId }: Declaration): TimeoutError {
  return new TimeoutError(
    `IncidentUpdate on incident ${incidentId}: reading the incident, or waiting for other requests, left too little time ` +
      "to post the update. Nothing was posted. Run `pulumi up` again, or raise deadlineMs.",
  );
}
