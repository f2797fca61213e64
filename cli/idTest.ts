/**
 * Tests what a service does with the ids, dates and texts of incident updates, by posts on an incident that the user names.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import {
  historyLimit,
  msOf,
  type NewIncidentUpdate,
  notBefore,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
  type UpdateStatus,
  updateStatuses,
} from "../provider/api";
import { isMonitoringError, MonitoringError, RequestError } from "../provider/client";
import { type Incidents } from "../provider/connection";
import { matches } from "../provider/protocol/identity";
import { canonicalId, sameText, uuidOf } from "../provider/texts";
import { type ResponseWatch } from "./doctorChecks";
import { type IdTest, idTestOf, limitLines, type Measures } from "./idResults";

/** The test waits this long for reads to return an update. A run searches for 45 seconds at most. */
const longestMs = 60_000;
const [firstPauseMs, longestPauseMs] = [100, 2_000];
/** The margin allows for a later read that reaches a server which lags behind the one that showed the first update. */
const marginMs = 5_000;

/** The incidents at the address that the user names. */
interface Service {
  readonly baseUrl: string;
  readonly incidents: Incidents;
  /** Sends a post only once, even if the service asks to send it again later. */
  readonly poster: Incidents;
}

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
  const { incidents, poster, baseUrl } = service;
  const { takesIds } = incidents.direct;
  const { id } = incident;
  const status = statusOf(incident);
  if (!(await confirm(announcement(incident, status, service, extent)))) return undefined;
  // The user may have taken time to confirm.
  const before = await incidents.direct.read(id, { shared: false });
  const now = statusOf(before);
  if (now !== status)
    throw new MonitoringError(
      `Nothing was posted, because the status of the incident is now ${now}. Run this again.`,
    );
  const update = newUpdate(status, before, takesIds);
  const first = await firstPost(poster, id, update);
  const shown = await untilShown(incidents, before, ({ id }) => canonicalId(id) === canonicalId(first.id));
  const { line, shownMs, hiddenMs } = shown;
  const isUsed = canonicalId(first.id) === update.id;
  const test = idTestOf(baseUrl, {
    ids: !takesIds ? "not sent" : first.isRejected ? "rejected" : isUsed ? "used" : "ignored",
    shownMs,
    hiddenMs,
    date: { sent: update.publicIncidentUpdateDate, shown: line && (line.publicIncidentUpdateDate ?? null) },
    isTextKept: line && sameText(line.description, update.description),
    second:
      !takesIds || first.isRejected || !line
        ? undefined
        : {
            ...(await secondPost(poster, id, update, first.id, watch)),
            lines: await linesOf(incidents, before, update.id, shown),
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
  { incidents, poster }: Service,
  incidentId: string,
  status: UpdateStatus,
  history: boolean,
): Promise<Omit<Measures, "postMs"> | undefined> {
  const post = async (what: string): Promise<Shown> => {
    const description = testText(`${what} ${randomUUID()}.`);
    const update = { status, description, notifySubscribers: false };
    const before = await incidents.direct.read(incidentId, { shared: false });
    await poster.direct.post(incidentId, update).catch(ignoreUnknown);
    return untilShown(incidents, before, (line) => matches(update, line));
  };
  const lost = await post("is an update found whose response is lost?").catch(ignoreFailure);
  if (!lost) return undefined;
  const { shownMs, updates } = lost;
  if (!history) return { shownMs, updates, isFull: false };
  try {
    for (let number = 1; number <= historyLimit; number++) {
      const description = testText(`update ${number} of ${historyLimit}.`);
      await incidents.direct.post(incidentId, { status, description });
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

const numerals = ["no", "one", "two", "three"];

function announcement(
  { id, name }: StatusPageIncident,
  status: UpdateStatus,
  { baseUrl, incidents }: Service,
  { measures, history }: Extent,
): string {
  const others = history ? historyLimit + 2 : measures ? 1 : 0;
  const count = (incidents.direct.takesIds ? 2 : 1) + others;
  const again = "; then the same one again, with the same id, or without one if the service rejected it";
  const more = history ? `; then ${others} others` : measures ? "; then another one" : "";
  return (
    `This sends at most ${numerals[count] ?? count} post${count === 1 ? "" : "s"} on incident ${id} ("${name}") of ${baseUrl}: ` +
    `an update with ${status}, the status of its newest update, and a date up to three minutes ago${incidents.direct.takesIds ? again : ""}${more}. ` +
    "What is posted is public at once, and stays public. Nobody is emailed. Use a test incident."
  );
}

type TestUpdate = NewIncidentUpdate & Required<Pick<NewIncidentUpdate, "id" | "publicIncidentUpdateDate">>;

/** Returns a text by which a reader of the page knows the update as one of the test. */
function testText(what: string): string {
  return `Test of pulumi-monitoring-service: ${what} Please ignore it.`;
}

function newUpdate(status: UpdateStatus, { created_at }: StatusPageIncident, takesIds: boolean): TestUpdate {
  const id = uuidOf(randomUUID());
  const what = `the ${takesIds ? "id" : "update"} ${id}`;
  const description =
    `${testText(`what does this service do with ${what}, and with this text?`)}\n` +
    'Two  spaces, "quotes", accents (é, ü), and an emoji: 🎉';
  // The date differs from the current time, which a service without dates returns, and isn't a whole minute.
  const minute = Math.floor(Date.now() / 60_000) - 2;
  // Pages with components reject a date before the incident.
  const earliestMs = Math.ceil((msOf(created_at) ?? 0) / 1_000) * 1_000;
  const publicIncidentUpdateDate = new Date(Math.max(minute * 60_000 + 37_000, earliestMs)).toISOString();
  return { id, status, description, publicIncidentUpdateDate, notifySubscribers: false };
}

async function firstPost(
  poster: Incidents,
  incidentId: string,
  update: TestUpdate,
): Promise<{ readonly id: string; readonly isRejected: boolean }> {
  try {
    return { ...(await poster.direct.post(incidentId, update)), isRejected: false };
  } catch (error) {
    // Nothing was posted.
    const mayBeTheId = error instanceof RequestError && [400, 422].includes(error.status);
    if (!mayBeTheId || !poster.direct.takesIds) throw error;
    const { id: _, ...withoutId } = update;
    return { ...(await poster.direct.post(incidentId, withoutId)), isRejected: true };
  }
}

async function secondPost(
  poster: Incidents,
  incidentId: string,
  update: TestUpdate,
  firstId: string,
  watch: ResponseWatch,
): Promise<{ readonly httpStatus: number | undefined; readonly isFirst: boolean }> {
  try {
    const { id } = await poster.direct.post(incidentId, update);
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
  incidents: Incidents,
  before: StatusPageIncident,
  isPosted: (line: StatusPageIncidentUpdate) => boolean,
): Promise<Shown> {
  let hiddenMs: number | undefined;
  try {
    for await (const { added, updates, ms } of histories(incidents, before)) {
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
  incidents: Incidents,
  before: StatusPageIncident,
  text: string,
  { line, rows, shownMs = 0 }: Shown,
): Promise<number | undefined> {
  let lines = 0;
  try {
    for await (const { added, beganMs } of histories(incidents, before)) {
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
async function* histories(incidents: Incidents, before: StatusPageIncident) {
  const earlier = new Set((before.incidentUpdates ?? []).map(({ id }) => id));
  const start = performance.now();
  const passed = (): number => Math.round(performance.now() - start);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const beganMs = passed();
    const { incidentUpdates = [] } = await incidents.direct.read(before.id, { shared: false });
    const updates = incidentUpdates ?? [];
    const added = updates.filter(({ id }) => !earlier.has(id));
    yield { added, updates: updates.length, beganMs, ms: passed() };
    await wait(pauseMs);
  }
}
