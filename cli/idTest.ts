/**
 * Tests what a service does with the ids, dates and texts of incident updates, by posts on an incident that the user names.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import {
  historyLimit,
  type NewIncidentUpdate,
  notBefore,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
  type UpdateStatus,
  updateStatuses,
} from "../provider/api";
import { isMonitoringError, type MonitoringClient, MonitoringError, RequestError } from "../provider/client";
import { matches } from "../provider/protocol/identity";
import { canonicalId, sameText, uuidOf } from "../provider/texts";
import { type Examination, type ResponseWatch } from "./doctorChecks";
import { type IdTest, idTestOf, limitLines, type Measures } from "./idResults";

/** The test waits this long for reads to return an update. A run searches for 45 seconds at most. */
const longestMs = 60_000;
const [firstPauseMs, longestPauseMs] = [100, 2_000];
/** The margin allows for a later read that reaches a server which lags behind the one that showed the first update. */
const marginMs = 5_000;

type Service = NonNullable<Examination["service"]>;

interface Extent {
  /** True if one more post measures what a run relies on where a response is lost. */
  readonly measures: boolean;
  /** True if many more posts measure how long a history is. */
  readonly history: boolean;
}

/**
 * @param confirm Shows the user what the posts do, and resolves to true if the user agrees.
 * @returns undefined when the user declines
 * @throws MonitoringError when nothing, or nothing but the first update, can be posted and read
 */
export async function testIds(
  service: Service,
  incident: StatusPageIncident,
  watch: ResponseWatch,
  confirm: (announcement: string) => Promise<boolean>,
  extent: Extent,
): Promise<IdTest | undefined> {
  const { connection, poster } = service;
  const { client, baseUrl } = connection;
  const { id } = incident;
  const status = statusOf(incident);
  if (!(await confirm(announcement(incident, status, baseUrl, extent)))) return undefined;
  // The user may have taken time to confirm.
  const before = await client.getStatusPageIncident(id, { shared: false });
  const now = statusOf(before);
  if (now !== status)
    throw new MonitoringError(
      `Nothing was posted, because the status of the incident is now ${now}. Run this again.`,
    );
  const update = newUpdate(status);
  const first = await firstPost(poster, id, update);
  const shown = await untilShown(client, before, ({ id }) => canonicalId(id) === canonicalId(first.id));
  const { line, shownMs, hiddenMs } = shown;
  const isUsed = canonicalId(first.id) === update.id;
  const test = idTestOf(baseUrl, {
    ids: first.isRejected ? "rejected" : isUsed ? "used" : "ignored",
    shownMs,
    hiddenMs,
    date: { sent: update.publicIncidentUpdateDate, shown: line && (line.publicIncidentUpdateDate ?? null) },
    isTextKept: line && sameText(line.description, update.description),
    second:
      first.isRejected || !line
        ? undefined
        : {
            ...(await secondPost(poster, id, update, first.id, watch)),
            lines: await linesOf(client, before, update.id, shown),
          },
  });
  if (!extent.measures) return test;
  const measured = await measure(service, id, status, extent.history);
  if (!measured) return { ...test, limits: ["Limits of a run: unknown, because a request failed"] };
  const posts = watch.exchanges.filter(({ operation }) => operation.method === "POST");
  return { ...test, limits: limitLines({ ...measured, postMs: Math.max(...posts.map(({ ms }) => ms)) }) };
}

/** Posts as a run does whose response is lost: nothing but the content tells which update it is. */
async function measure(
  { connection: { client }, poster }: Service,
  incidentId: string,
  status: UpdateStatus,
  history: boolean,
): Promise<Omit<Measures, "postMs"> | undefined> {
  const post = async (what: string): Promise<Shown> => {
    const description = testText(`${what} ${randomUUID()}.`);
    const update = { status, description, notifySubscribers: false };
    const before = await client.getStatusPageIncident(incidentId, { shared: false });
    await poster.createIncidentUpdate(incidentId, update).catch(ignoreUnknown);
    return untilShown(client, before, (line) => matches(update, line));
  };
  const lost = await post("is an update found whose response is lost?").catch(ignoreFailure);
  if (!lost) return undefined;
  const { shownMs, updates } = lost;
  if (!history) return { shownMs, updates, isFull: false };
  try {
    for (let number = 1; number <= historyLimit; number++) {
      const description = testText(`update ${number} of ${historyLimit}.`);
      await client.createIncidentUpdate(incidentId, { status, description });
    }
    return { shownMs, updates: (await post("how many updates are returned?")).updates, isFull: true };
  } catch (error) {
    ignoreFailure(error);
    return { shownMs, updates: undefined, isFull: true };
  }
}

function ignoreFailure(error: unknown): undefined {
  if (!isMonitoringError(error)) throw error;
}

function ignoreUnknown(error: unknown): void {
  if (!(isMonitoringError(error) && error.applied === "unknown")) throw error;
}

/** Returns the status of the newest update. @throws MonitoringError when it can't be posted: another status could open or close the incident */
function statusOf({ id, incidentUpdates }: StatusPageIncident): UpdateStatus {
  const updates = incidentUpdates ?? [];
  // Several updates are newest if their times are equal or missing.
  const newest = updates.filter((one) =>
    updates.every((other) => notBefore(one.created_at, other.created_at)),
  );
  const statuses = [...new Set(newest.map((update) => update.status))];
  const status = updateStatuses.find((one) => one === statuses[0]);
  if (statuses.length === 1 && status !== undefined) return status;
  const which = statuses.map((one) => JSON.stringify(one ?? null)).join(" or ");
  const shown =
    statuses.length === 0
      ? `the service shows no update of incident ${id}`
      : `the newest update of incident ${id} ${statuses.length > 1 ? "may have" : "has"} the status ${which}`;
  throw new MonitoringError(
    `Nothing was posted, because ${shown}, and another status could open or close the incident. ` +
      `Use a test incident whose newest update has one of ${updateStatuses.join(", ")}.`,
  );
}

function announcement(
  { id, name }: StatusPageIncident,
  status: UpdateStatus,
  baseUrl: string,
  { measures, history }: Extent,
): string {
  const count = history ? historyLimit + 4 : measures ? "three" : "two";
  const more = history ? `; then ${historyLimit + 2} others` : measures ? "; then another one" : "";
  return (
    `This sends at most ${count} posts on incident ${id} ("${name}") of ${baseUrl}: an update with ${status}, the status of its newest ` +
    `update, and a date some minutes ago; then the same one again, with the same id, or without one if the service rejected it${more}. They ` +
    "are public at once, and the API can't remove them. Nobody is emailed. Use a test incident."
  );
}

type TestUpdate = NewIncidentUpdate & Required<Pick<NewIncidentUpdate, "id" | "publicIncidentUpdateDate">>;

/** Returns a text by which a reader of the page knows the update as one of the test. */
function testText(what: string): string {
  return `Test of pulumi-monitoring-service: ${what} Please ignore it.`;
}

function newUpdate(status: UpdateStatus): TestUpdate {
  const id = uuidOf(randomUUID());
  const description =
    `${testText(`what does this service do with the id ${id}, and with this text?`)}\n` +
    'Two  spaces, "quotes", accents (é, ü), and an emoji: 🎉';
  // The date differs from the current time, which a service without dates returns, and isn't a whole minute.
  const minute = Math.floor(Date.now() / 60_000) - 2;
  const publicIncidentUpdateDate = new Date(minute * 60_000 + 37_000).toISOString();
  return { id, status, description, publicIncidentUpdateDate, notifySubscribers: false };
}

async function firstPost(
  poster: MonitoringClient,
  incidentId: string,
  update: TestUpdate,
): Promise<{ readonly id: string; readonly isRejected: boolean }> {
  try {
    return { ...(await poster.createIncidentUpdate(incidentId, update)), isRejected: false };
  } catch (error) {
    // Nothing was posted, and the id may be the reason.
    if (!(error instanceof RequestError && [400, 422].includes(error.status))) throw error;
    const { id: _, ...withoutId } = update;
    return { ...(await poster.createIncidentUpdate(incidentId, withoutId)), isRejected: true };
  }
}

async function secondPost(
  poster: MonitoringClient,
  incidentId: string,
  update: TestUpdate,
  firstId: string,
  watch: ResponseWatch,
): Promise<{ readonly httpStatus: number | undefined; readonly isFirst: boolean }> {
  try {
    const { id } = await poster.createIncidentUpdate(incidentId, update);
    return { httpStatus: watch.status, isFirst: canonicalId(id) === canonicalId(firstId) };
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    return { httpStatus: watch.status, isFirst: false };
  }
}

/** The first read that shows an update, and how long that took. */
interface Shown extends Pick<IdTest, "shownMs" | "hiddenMs"> {
  readonly line?: StatusPageIncidentUpdate;
  /** Number of lines that were added. */
  readonly rows: number;
  /** Number of all lines. */
  readonly updates?: number;
}

async function untilShown(
  client: MonitoringClient,
  before: StatusPageIncident,
  isPosted: (line: StatusPageIncidentUpdate) => boolean,
): Promise<Shown> {
  let hiddenMs: number | undefined;
  try {
    for await (const { added, updates, ms } of histories(client, before)) {
      const line = added.find(isPosted);
      if (line) return { shownMs: ms, hiddenMs, line, updates, rows: added.length };
      hiddenMs = ms;
      if (ms > longestMs) break;
    }
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    throw new MonitoringError(`One update was posted, which is public. ${error.message}`);
  }
  return { shownMs: undefined, hiddenMs, rows: 0 };
}

/**
 * Returns the highest number of lines of the posts that a read shows within the time; undefined if they can't be read, or can't
 * be distinguished from others.
 *
 * @param text A part of the text of every line that the posts add, unless the service edits it.
 */
async function linesOf(
  client: MonitoringClient,
  before: StatusPageIncident,
  text: string,
  { line, rows, shownMs = 0 }: Shown,
): Promise<number | undefined> {
  let lines = 0;
  try {
    for await (const { added, beganMs } of histories(client, before)) {
      const isOfPosts = ({ id, description }: StatusPageIncidentUpdate): boolean =>
        description.includes(text) ||
        (canonicalId(id) === canonicalId(line?.id ?? "") && description === line?.description);
      if (!added.every(isOfPosts)) return undefined;
      // A history may repeat a line, and one post may have added several.
      const different = new Set(added.map((one) => JSON.stringify(one))).size;
      lines = Math.max(lines, added.length - rows + 1, different);
      if (lines > 1 || beganMs > shownMs + marginMs) break;
    }
    return lines;
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    return undefined;
  }
}

/**
 * Reads the lines that the incident didn't have before the posts, again and again. A read began and ended at these times, in
 * milliseconds after the start of the first one.
 */
async function* histories(client: MonitoringClient, before: StatusPageIncident) {
  const earlier = new Set((before.incidentUpdates ?? []).map(({ id }) => id));
  const start = performance.now();
  const passed = (): number => Math.round(performance.now() - start);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const beganMs = passed();
    const { incidentUpdates = [] } = await client.getStatusPageIncident(before.id, { shared: false });
    const updates = incidentUpdates ?? [];
    const added = updates.filter(({ id }) => !earlier.has(id));
    yield { added, updates: updates.length, beganMs, ms: passed() };
    await wait(pauseMs);
  }
}
