/**
 * Tests what a service does with the ids, dates and texts of incident updates, by posts on an incident that the user names.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import {
  msOf,
  type NewIncidentUpdate,
  notBefore,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
  type UpdateStatus,
  updateStatuses,
} from "../provider/api";
import { type Exchange, isMonitoringError, MonitoringError, RequestError } from "../provider/client";
import { type Incidents } from "../provider/connection";
import { matches } from "../provider/protocol/identity";
import { amount, canonicalId, uuidOf } from "../provider/texts";
import { type ResponseWatch } from "./doctorChecks";
import { type IdTest, idTestOf, type SecondPost } from "./idResults";

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
  /** Ends the test. */
  readonly signal: AbortSignal;
}

/**
 * @param confirm Shows the user what the posts do, and resolves to true if the user agrees.
 * @param measures True if one more post measures what a run relies on where a response is lost.
 * @returns undefined when the user declines
 * @throws MonitoringError when nothing, or nothing but the first update, can be posted and read
 */
export async function testIds(
  service: Service,
  incident: StatusPageIncident,
  watch: ResponseWatch,
  confirm: (announcement: string) => Promise<boolean>,
  measures: boolean,
): Promise<IdTest | undefined> {
  const { incidents, poster, baseUrl } = service;
  const { takesIds } = incidents.direct;
  const { id } = incident;
  const status = statusOf(incident);
  if (!(await confirm(announcement(incident, status, service, measures)))) return undefined;
  // The user may have taken time to confirm.
  const before = await incidents.direct.read(id, { shared: false });
  const now = statusOf(before);
  if (now !== status)
    throw new MonitoringError(
      `Nothing was posted, because the status of the incident is now ${now}. Run this again.`,
    );
  const update = newUpdate(status, before, takesIds);
  const reads: Reads = { ...service, updates: before.incidentUpdates?.length ?? 0, isCut: false };
  const first = await firstPost(poster, id, update);
  const shown = await untilShown(reads, before, ({ id }) => canonicalId(id) === canonicalId(first.id));
  const isUsed = canonicalId(first.id) === update.id;
  const second =
    !takesIds || first.isRejected || !shown.line
      ? undefined
      : await secondPost(service, reads, { before, update, firstId: first.id, shown }, watch);
  const lost = measures ? await lostPost(service, reads, status, id).catch(ignoreFailure) : undefined;
  return idTestOf(baseUrl, {
    page: takesIds ? "cards" : "components",
    ids: !takesIds ? "not sent" : first.isRejected ? "rejected" : isUsed ? "used" : "ignored",
    shown: [shown, second?.shown ?? [], lost ?? []].flat(),
    sent: update,
    updates: second?.updates.length ? second.updates : shown.line ? [shown.line] : [],
    second,
    postMs: watch.exchanges.filter(isPost).map(({ ms }) => ms),
    history: reads,
    isComplete: !measures || lost !== undefined,
  });
}

const isPost = ({ operation }: Exchange): boolean => operation.method === "POST";

/** Says which posts of the command may be public; undefined if it sent none. */
export function publicLine({ exchanges }: ResponseWatch): string | undefined {
  const posts = exchanges.filter(isPost);
  // Only these statuses say that a post was not applied.
  const isRefused = (status: number): boolean =>
    status >= 400 && status < 500 && ![404, 408, 409].includes(status);
  const some = posts.filter(({ result }) => ("status" in result ? !isRefused(result.status) : result.sent));
  if (posts.length === 0) return undefined;
  if (some.length === 0) return "Nothing was posted: the service rejected it.";
  return `Public: at most ${amount(some.length, "update")} of this test, with texts that begin with "${testBegins}".`;
}

/** Posts as a run does whose response is lost: nothing but the content tells which update it is. */
async function lostPost(
  { incidents, poster }: Service,
  reads: Reads,
  status: UpdateStatus,
  incidentId: string,
): Promise<Shown> {
  const description = testText(`is an update found whose response is lost? ${randomUUID()}.`);
  const update = { status, description, notifySubscribers: false };
  const before = await incidents.direct.read(incidentId, { shared: false });
  await poster.direct.post(incidentId, update).catch(ignoreUnknown);
  return untilShown(reads, before, (line) => matches(update, line));
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
  measures: boolean,
): string {
  const count = (incidents.direct.takesIds ? 2 : 1) + (measures ? 1 : 0);
  const again = "; then the same one again, with the same id, or without one if the service rejected it";
  const more = measures ? "; then another one" : "";
  return (
    `This sends at most ${numerals[count]} post${count === 1 ? "" : "s"} on incident ${id} ("${name}") of ${baseUrl}: ` +
    `an update with ${status}, the status of its newest update, and a date up to three minutes ago${incidents.direct.takesIds ? again : ""}${more}. ` +
    "What is posted is public at once, and stays public. Nobody is emailed. Use a test incident."
  );
}

type TestUpdate = NewIncidentUpdate & Required<Pick<NewIncidentUpdate, "id" | "publicIncidentUpdateDate">>;

const testBegins = "Test of pulumi-monitoring-service:";

/** Returns a text by which a reader of the page knows the update as one of the test. */
function testText(what: string): string {
  return `${testBegins} ${what} Please ignore it.`;
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

/** The first read that shows an update, and how long that took. */
interface Shown {
  /** Milliseconds from the response to the post until a read had the update; undefined when none had it in a minute. */
  readonly shownMs: number | undefined;
  /** Milliseconds until the last read that didn't have it; undefined when the first one had it. */
  readonly hiddenMs: number | undefined;
  readonly line?: StatusPageIncidentUpdate;
  /** Number of lines that were added. */
  readonly rows: number;
}

/** What follows from all reads together. */
interface Reads extends Pick<Service, "incidents" | "signal"> {
  /** The most updates that a read returned. */
  updates: number;
  /** True if an update was missing as soon as a newer one was shown. */
  isCut: boolean;
}

interface FirstPost {
  readonly before: StatusPageIncident;
  readonly update: TestUpdate;
  readonly firstId: string;
  readonly shown: Shown;
}

/** Sends the first update again, and looks for what it adds. */
async function secondPost(
  { poster }: Service,
  reads: Reads,
  { before, update, firstId, shown }: FirstPost,
  watch: ResponseWatch,
): Promise<SecondPost & Found> {
  let createdId: string | undefined;
  try {
    createdId = (await poster.direct.post(before.id, update)).id;
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
  }
  const { status: httpStatus } = watch;
  const isFirst = createdId !== undefined && canonicalId(createdId) === canonicalId(firstId);
  // The service says that it created another one: that has the same time to appear as the first.
  const isExpected = createdId !== undefined && !isFirst;
  const found = await linesOf(reads, before, update.id, shown, isExpected);
  return { httpStatus, isFirst, ...found };
}

async function untilShown(
  reads: Reads,
  before: StatusPageIncident,
  isPosted: (line: StatusPageIncidentUpdate) => boolean,
): Promise<Shown> {
  let hiddenMs: number | undefined;
  for await (const { added, ms } of histories(reads, before)) {
    const line = added.find(isPosted);
    if (line) return { shownMs: ms, hiddenMs, line, rows: added.length };
    hiddenMs = ms;
    if (ms > longestMs) break;
  }
  return { shownMs: undefined, hiddenMs, rows: 0 };
}

/** What reads show of two posts of one update. */
interface Found {
  /** The highest number of lines that a read shows; undefined if they can't be read, or can't be distinguished from others. */
  readonly lines: number | undefined;
  readonly updates: readonly StatusPageIncidentUpdate[];
  /** When the second line appeared; undefined if there is none, and none is expected. */
  readonly shown: Shown | undefined;
}

/** @param text A part of the text of every line that the posts add, unless the service edits it. */
async function linesOf(
  reads: Reads,
  before: StatusPageIncident,
  text: string,
  { line, rows, shownMs = 0 }: Shown,
  isExpected: boolean,
): Promise<Found> {
  const mostMs = isExpected ? longestMs : shownMs + marginMs;
  let lines = 0;
  let updates: readonly StatusPageIncidentUpdate[] = [];
  let hiddenMs: number | undefined;
  try {
    for await (const { added, beganMs, ms } of histories(reads, before)) {
      const isOfPosts = ({ id, description }: StatusPageIncidentUpdate): boolean =>
        description.includes(text) ||
        (canonicalId(id) === canonicalId(line?.id ?? "") && description === line?.description);
      if (!added.every(isOfPosts)) return { lines: undefined, updates, shown: undefined };
      // A history may repeat a line, and one post may have added several.
      const different = new Map(added.map((one) => [JSON.stringify(one), one]));
      updates = [...different.values()];
      lines = Math.max(lines, added.length - rows + 1, different.size);
      if (lines > 1) return { lines, updates, shown: { shownMs: ms, hiddenMs, rows: added.length } };
      hiddenMs = ms;
      if (beganMs > mostMs) break;
    }
    return { lines, updates, shown: isExpected ? { shownMs: undefined, hiddenMs, rows: 0 } : undefined };
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    return { lines: undefined, updates, shown: undefined };
  }
}

/**
 * Reads the lines that the incident didn't have before the posts, again and again. A read began and ended at these times, in
 * milliseconds after the start of the first one.
 */
async function* histories(reads: Reads, before: StatusPageIncident) {
  const { incidents, signal } = reads;
  const earlier = new Set((before.incidentUpdates ?? []).map(({ id }) => id));
  const start = performance.now();
  const passed = (): number => Math.round(performance.now() - start);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const beganMs = passed();
    const { incidentUpdates = [] } = await incidents.direct.read(before.id, { shared: false });
    const updates = incidentUpdates ?? [];
    const added = updates.filter(({ id }) => !earlier.has(id));
    const keptIds = new Set(updates.map(({ id }) => id));
    reads.updates = Math.max(reads.updates, updates.length);
    // If no earlier one is left, the service gives updates other ids at each read.
    const isLost = keptIds.size > added.length && [...earlier].some((id) => !keptIds.has(id));
    if (added.length > 0 && isLost) reads.isCut = true;
    yield { added, beganMs, ms: passed() };
    // The next read is rejected with what ended the test.
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
