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
} from "../../provider/api";
import { type Exchange, isMonitoringError, MonitoringError, RequestError } from "../../provider/client";
import { type Incidents } from "../../provider/connection";
import { matches } from "../../provider/protocol/identity";
import { amount, canonicalId, uuidOf } from "../../provider/texts";
import { type ResponseWatch } from "./checks";
import { type IdTest, idTestOf, type SecondPost, type Timing } from "./idResults";

/** The test waits this long for reads to return an update. A run searches for 45 seconds at most. */
const longestMs = 60_000;
const [firstPauseMs, longestPauseMs] = [100, 2_000];
/** The margin allows for a later read that reaches a server which lags behind the one that showed the first update. */
const marginMs = 5_000;

/** The incidents at the address that the user names, and what follows from all reads of one of them together. */
interface Test {
  readonly baseUrl: string;
  readonly incidents: Incidents;
  /** Sends a post only once, even if the service asks to send it again later. */
  readonly poster: Incidents;
  /** Ends the test. */
  readonly signal: AbortSignal;
  /** The most updates that a read returned. */
  updates: number;
  /** True if an update was missing as soon as a newer one was shown. */
  isCut: boolean;
}

/**
 * @param confirm Shows the user what the posts do, and resolves to true if the user agrees.
 * @param measures True if one more post measures what a run relies on where a response is lost.
 * @returns undefined when the user declines
 * @throws MonitoringError when nothing, or nothing but the first update, can be posted and read
 */
export async function testIds(
  service: Omit<Test, "updates" | "isCut">,
  incident: StatusPageIncident,
  watch: ResponseWatch,
  confirm: (announcement: string) => Promise<boolean>,
  measures: boolean,
): Promise<IdTest | undefined> {
  const { incidents } = service;
  const { takesIds } = incidents.uncached;
  const { id } = incident;
  const status = statusOf(incident);
  if (!(await confirm(announcement(incident, status, service, measures)))) return undefined;
  // The user may have taken time to confirm.
  const before = await incidents.uncached.read(id, { shared: false });
  const now = statusOf(before);
  if (now !== status)
    throw new MonitoringError(
      `Nothing was posted, because the status of the incident is now ${now}. Run this again.`,
    );
  const update = newUpdate(status, before, takesIds);
  const test: Test = { ...service, updates: before.incidentUpdates?.length ?? 0, isCut: false };
  const first = await firstPost(test, before, update);
  const isUsed = canonicalId(first.id) === update.id;
  const isSentAgain = takesIds && !first.isRejected && first.shown.line;
  const second = isSentAgain ? await secondPost(test, before, update, first, watch) : undefined;
  const lost = measures ? await lostPost(test, status, id).catch(ignoreFailure) : undefined;
  return idTestOf(service.baseUrl, {
    page: takesIds ? "cards" : "components",
    ids: !takesIds ? "not sent" : first.isRejected ? "rejected" : isUsed ? "used" : "ignored",
    shown: [first.shown, second?.shown ?? [], lost ?? []].flat(),
    sent: update,
    updates: second?.updates.length ? second.updates : [first.shown.line ?? []].flat(),
    second,
    postMs: watch.exchanges.filter(isPost).map(({ ms }) => ms),
    history: test,
    isComplete: !measures || lost !== undefined,
  });
}

const isPost = ({ operation }: Exchange): boolean => operation.method === "POST";

/** Says which posts of the command may be public; undefined if there is none. */
export function publicLine({ exchanges }: ResponseWatch): string | undefined {
  // Only these statuses say that a post was not applied.
  const isRefused = (status: number): boolean =>
    status >= 400 && status < 500 && ![404, 408, 409].includes(status);
  const mayBe = ({ result }: Exchange): boolean =>
    "status" in result ? !isRefused(result.status) : result.sent;
  const some = exchanges.filter((exchange) => isPost(exchange) && mayBe(exchange));
  if (some.length === 0) return undefined;
  return `Public: at most ${amount(some.length, "update")} of this test, with texts that begin with "${testBegins}".`;
}

/** Posts as a run does whose response is lost: nothing but the content tells which update it is. */
async function lostPost(test: Test, status: UpdateStatus, incidentId: string): Promise<Shown> {
  const description = testText(`is an update found whose response is lost? ${randomUUID()}.`);
  const update = { status, description, notifySubscribers: false };
  const before = await test.incidents.uncached.read(incidentId, { shared: false });
  await test.poster.uncached.post(incidentId, update).catch(ignoreUnknown);
  return untilShown(test, before, (line) => matches(update, line));
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
  { baseUrl, incidents }: Pick<Test, "baseUrl" | "incidents">,
  measures: boolean,
): string {
  const count = (incidents.uncached.takesIds ? 2 : 1) + (measures ? 1 : 0);
  const again = "; then the same one again, with the same id, or without one if the service rejected it";
  const more = measures ? "; then another one" : "";
  return (
    `This sends at most ${numerals[count]} post${count === 1 ? "" : "s"} on incident ${id} ("${name}") of ${baseUrl}: ` +
    `an update with ${status}, the status of its newest update, and a date up to three minutes ago${incidents.uncached.takesIds ? again : ""}${more}. ` +
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

/** The first read that shows an update. */
interface Shown extends Timing {
  readonly line?: StatusPageIncidentUpdate;
  /** Number of lines that were added. */
  readonly rows: number;
}

interface FirstPost {
  readonly id: string;
  /** True if it was rejected with an id, and sent without one. */
  readonly isRejected: boolean;
  readonly shown: Shown;
}

async function firstPost(test: Test, before: StatusPageIncident, update: TestUpdate): Promise<FirstPost> {
  const { uncached } = test.poster;
  let isRejected = false;
  const { id } = await uncached.post(before.id, update).catch((error: unknown) => {
    // Nothing was posted.
    isRejected = uncached.takesIds && error instanceof RequestError && [400, 422].includes(error.status);
    if (!isRejected) throw error;
    const { id: _, ...withoutId } = update;
    return uncached.post(before.id, withoutId);
  });
  const shown = await untilShown(test, before, (line) => canonicalId(line.id) === canonicalId(id));
  return { id, isRejected, shown };
}

async function untilShown(
  test: Test,
  before: StatusPageIncident,
  isPosted: (line: StatusPageIncidentUpdate) => boolean,
): Promise<Shown> {
  let hiddenMs: number | undefined;
  for await (const { added, ms } of histories(test, before)) {
    const line = added.find(isPosted);
    if (line) return { shownMs: ms, hiddenMs, line, rows: added.length };
    hiddenMs = ms;
    if (ms > longestMs) break;
  }
  return { shownMs: undefined, hiddenMs, rows: 0 };
}

interface Second extends SecondPost {
  /** What reads show of both posts. */
  readonly updates: readonly StatusPageIncidentUpdate[];
  /** Undefined if there is no second line, and none is expected. */
  readonly shown: Timing | undefined;
}

/** Sends the first update again, and counts the lines until its time to appear is over. */
async function secondPost(
  test: Test,
  before: StatusPageIncident,
  update: TestUpdate,
  { id: firstId, shown: { line, rows, shownMs: firstMs = 0 } }: FirstPost,
  watch: ResponseWatch,
): Promise<Second> {
  const created = await test.poster.uncached.post(before.id, update).catch(ignoreFailure);
  const { status: httpStatus } = watch;
  const isFirst = created !== undefined && canonicalId(created.id) === canonicalId(firstId);
  // The service says that it created another one: that has the same time to appear as the first.
  const isExpected = created !== undefined && !isFirst;
  const isOfPosts = ({ id, description }: StatusPageIncidentUpdate): boolean =>
    description.includes(update.id) ||
    (canonicalId(id) === canonicalId(line?.id ?? "") && description === line?.description);
  let [lines, hiddenMs]: [number, number | undefined] = [0, undefined];
  try {
    for await (const { added, beganMs, ms } of histories(test, before)) {
      if (!added.every(isOfPosts)) break;
      // A history may repeat a line, and one post may have added several.
      const updates = [...new Map(added.map((one) => [JSON.stringify(one), one])).values()];
      lines = Math.max(lines, added.length - rows + 1, updates.length);
      const isOver = beganMs > (isExpected ? longestMs : firstMs + marginMs);
      const shown = { shownMs: lines > 1 ? ms : undefined, hiddenMs };
      if (lines > 1 || isOver)
        return { httpStatus, isFirst, lines, updates, shown: lines > 1 || isExpected ? shown : undefined };
      hiddenMs = ms;
    }
  } catch (error) {
    ignoreFailure(error);
  }
  // They can't be read, or can't be distinguished from others.
  return { httpStatus, isFirst, lines: undefined, updates: [], shown: undefined };
}

/**
 * Reads the lines that the incident didn't have before the posts, again and again. A read began and ended at these times, in
 * milliseconds after the start of the first one.
 */
async function* histories(test: Test, before: StatusPageIncident) {
  const { incidents, signal } = test;
  const earlier = new Set((before.incidentUpdates ?? []).map(({ id }) => id));
  const start = performance.now();
  const passed = (): number => Math.round(performance.now() - start);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const beganMs = passed();
    const { incidentUpdates = [] } = await incidents.uncached.read(before.id, { shared: false });
    const updates = incidentUpdates ?? [];
    const added = updates.filter(({ id }) => !earlier.has(id));
    const keptIds = new Set(updates.map(({ id }) => id));
    test.updates = Math.max(test.updates, updates.length);
    // If no earlier one is left, the service gives updates other ids at each read.
    const isLost = keptIds.size > added.length && [...earlier].some((id) => !keptIds.has(id));
    if (added.length > 0 && isLost) test.isCut = true;
    yield { added, beganMs, ms: passed() };
    // The next read is rejected with what ended the test.
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
