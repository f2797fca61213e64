/**
 * Finds out what a service does with the ids of incident updates, by two posts on an incident that the user names, and which
 * rows of the guarantee follow.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { pagePlace } from "../audit";
import { type UpdateStatus, updateStatuses } from "../provider/api";
import {
  isMonitoringError,
  type MonitoringClient,
  type NewIncidentUpdate,
  RequestError,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../provider/client";
import { type Connection } from "../provider/connection";
import { version } from "../provider/packageManifest";
import { canonicalId, uuidOf } from "../provider/texts";
import { type ResponseWatch } from "./doctorChecks";

/** The test waits so long for reads to return an update. A run searches for 45 seconds at most. */
const longestMs = 60_000;
const [firstPauseMs, longestPauseMs] = [100, 2_000];

/** The time until reads return an update. */
interface Visibility {
  /** Milliseconds from the response to the post until a read had the update; undefined when none had it in a minute. */
  readonly shownMs: number | undefined;
  /** Milliseconds until the last read that didn't have it; undefined when the first one had it. */
  readonly hiddenMs: number | undefined;
}

/** The effect of a second post of the same update and id. */
interface SecondPost {
  readonly result: "rejected" | "returned the first" | "created another";
  readonly httpStatus: number | undefined;
}

/** The use that a service makes of the ids of updates. */
export interface IdTest extends Visibility {
  /** Its base URL. */
  readonly service: string;
  readonly ids: "used" | "ignored" | "rejected";
  /** Undefined when the first one was rejected. */
  readonly second: SecondPost | undefined;
  /** Sentences for users. */
  readonly guarantee: readonly string[];
}

/** The result of the posts, before it is known which guarantee follows. */
type Observation = Pick<IdTest, "ids" | "second"> & Visibility;

/** Tells the user what the posts do, before the question. */
export function announcement({ id, name }: StatusPageIncident, baseUrl: string): string {
  return (
    `This posts an update on incident ${id} ("${name}") of ${baseUrl}. It is public at once; nobody is emailed. ` +
    "Then it posts the same update with the same id again, which may become a second line on that incident. " +
    "The API can't remove them. Use a test incident."
  );
}

/** @throws MonitoringError when the posts fail for another reason than their id */
export async function testIds(
  { client, baseUrl }: Connection,
  incident: StatusPageIncident,
  watch: ResponseWatch,
): Promise<IdTest> {
  const observation = await postTwice(client, incident, watch);
  return { service: baseUrl, ...observation, guarantee: guaranteeOf(observation) };
}

async function postTwice(
  client: MonitoringClient,
  incident: StatusPageIncident,
  watch: ResponseWatch,
): Promise<Observation> {
  const update = newUpdate(incident);
  const first = await firstPost(client, incident.id, update);
  const posted = performance.now();
  const visibility = await untilShown(client, incident.id, first.id, posted);
  if (first.isRejected) return { ids: "rejected", ...visibility, second: undefined };
  const ids = canonicalId(first.id) === update.id ? "used" : "ignored";
  return { ids, ...visibility, second: await secondPost(client, incident.id, update, first.id, watch) };
}

function newUpdate({ lastUpdateStatus }: StatusPageIncident): NewIncidentUpdate & { readonly id: string } {
  const id = uuidOf(randomUUID());
  // The status stays as it is, so that the incident neither opens nor closes.
  const status: UpdateStatus = updateStatuses.find((one) => one === lastUpdateStatus) ?? "INVESTIGATING";
  const description = `Test of pulumi-monitoring-service: what does this service do with the id ${id}? Please ignore it.`;
  return { id, status, description, notifySubscribers: false };
}

async function firstPost(
  client: MonitoringClient,
  incidentId: string,
  update: NewIncidentUpdate,
): Promise<{ readonly id: string; readonly isRejected: boolean }> {
  try {
    return { ...(await client.createIncidentUpdate(incidentId, update)), isRejected: false };
  } catch (error) {
    if (!isRejection(error)) throw error;
    const { id: _, ...withoutId } = update;
    return { ...(await client.createIncidentUpdate(incidentId, withoutId)), isRejected: true };
  }
}

/** Nothing was posted, and the id may be the reason. */
function isRejection(error: unknown): boolean {
  return error instanceof RequestError && error.applied === "no" && [400, 422].includes(error.status);
}

async function untilShown(
  client: MonitoringClient,
  incidentId: string,
  updateId: string,
  posted: number,
): Promise<Visibility> {
  let hiddenMs: number | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const history = await historyOf(client, incidentId);
    const ms = Math.round(performance.now() - posted);
    if (history.some(({ id }) => id === updateId)) return { shownMs: ms, hiddenMs };
    hiddenMs = ms;
    if (ms > longestMs) return { shownMs: undefined, hiddenMs };
    await wait(pauseMs);
  }
}

async function secondPost(
  client: MonitoringClient,
  incidentId: string,
  update: NewIncidentUpdate,
  firstId: string,
  watch: ResponseWatch,
): Promise<SecondPost> {
  try {
    const { id } = await client.createIncidentUpdate(incidentId, update);
    const httpStatus = watch.status;
    const history = await historyOf(client, incidentId);
    const lines = history.filter(({ description }) => description === update.description);
    const isFirst = id === firstId && lines.length <= 1;
    return { result: isFirst ? "returned the first" : "created another", httpStatus };
  } catch (error) {
    // Without a response, the result is unknown.
    if (!isMonitoringError(error) || watch.status === undefined) throw error;
    return { result: "rejected", httpStatus: watch.status };
  }
}

async function historyOf(
  client: MonitoringClient,
  incidentId: string,
): Promise<readonly StatusPageIncidentUpdate[]> {
  return (await client.getStatusPageIncident(incidentId, { shared: false })).incidentUpdates ?? [];
}

const once =
  "A declared update exists once, also with two machines, two stacks, killed runs, renames, and more than 100 updates on an incident.";
const limited =
  "A declared update exists once, with the limitations of a service that ignores ids: a killed run, then another machine; two stacks " +
  "on two machines; more than 100 updates on an incident; two addresses of one service.";
const page = `They are explained in ${pagePlace("docs/guides/exactly-once.md#limitations")}.`;

/** The rows of the guarantee that hold for the service. */
function guaranteeOf(test: Observation): string[] {
  if (test.ids === "used" && test.second?.result !== "created another") return [once, ...inDoubt(test)];
  return [`${limited} ${page}`, ...whyLimited(test), ...waits(test)];
}

/** Such a response to a second post is also that of a service that rejects ids. */
function inDoubt({ second }: Observation): string[] {
  if (second?.httpStatus !== 400 && second?.httpStatus !== 422) return [];
  return [
    `HTTP ${second.httpStatus} to a second post reads as a service that rejects ids: keep \`monitoring:clientIds\`, whatever the message ` +
      "of a run suggests, until you have looked at the public page.",
  ];
}

function whyLimited({ ids, second }: Observation): string[] {
  if (ids === "rejected") return ["Set `monitoring:clientIds` to `false`: otherwise every post fails."];
  if (ids === "used" && second?.result === "created another")
    return ["The service creates several updates with one id, so ids prevent nothing."];
  return [];
}

function waits({ shownMs, hiddenMs = 0 }: Observation): string[] {
  if (shownMs === undefined)
    return [
      "Reads lack an update for more than a minute: a run whose response is lost fails, and records it as unconfirmed.",
    ];
  if (hiddenMs < 1_000) return [];
  const seconds = Math.ceil(shownMs / 1_000);
  return [
    `Reads lack a new update for up to ${seconds} s: wait longer after a killed run, before another machine runs.`,
  ];
}

/** Markdown, to be pasted into an issue: no key, no account and no incident. */
export function idTestText(test: IdTest): string {
  return [
    `### monitoring doctor, pulumi-monitoring-service ${version}, Node ${process.versions.node}`,
    "",
    `- Service: ${test.service}`,
    `- Id of an update: ${test.ids}`,
    `- Shown: ${shownText(test)}`,
    `- Second post of the same id: ${test.second ? secondText(test.second) : "not sent"}`,
    `- Guarantee: ${test.guarantee.join(" ")}`,
  ].join("\n");
}

function shownText({ shownMs, hiddenMs }: IdTest): string {
  if (shownMs === undefined) return `not within ${hiddenMs} ms of the response to the post`;
  const before = hiddenMs === undefined ? "at the first read" : `not yet after ${hiddenMs} ms`;
  return `${shownMs} ms after the response to the post, ${before}`;
}

function secondText({ result, httpStatus }: SecondPost): string {
  const meaning = {
    rejected: "rejected",
    "returned the first": "returned the first update",
    "created another": "created a second update",
  }[result];
  return `${meaning} (HTTP ${httpStatus})`;
}
