/** Asks a service what it does with ids of incident updates: posts one on a test incident, then the same one with the same id again. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { pagePlace } from "../../audit";
import {
  type NewIncidentUpdate,
  notBefore,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
  type UpdateStatus,
  updateStatuses,
} from "../../provider/api";
import { sameSecond } from "../../provider/api/timestamps";
import { isMonitoringError, MonitoringError, RequestError } from "../../provider/client";
import { type Incidents } from "../../provider/connection";
import { version } from "../../provider/packageManifest";
import { canonicalId, sameText, uuidOf } from "../../provider/texts";
import { type ResponseWatch } from "./checks";

/** Reads have so long to show an update, and a second line beside it. */
const longestMs = 60_000;
const marginMs = 5_000;
const [firstPauseMs, longestPauseMs] = [100, 2_000];

interface Asked {
  readonly baseUrl: string;
  readonly incidents: Incidents;
  /** Sends a post only once, even if the service asks to send it again later. */
  readonly poster: Incidents;
  readonly signal: AbortSignal;
}

export interface IdAnswer {
  /** Base URL of the service. */
  readonly service: string;
  readonly ids: "used" | "ignored" | "rejected";
  /** Undefined if it wasn't sent: the id was rejected, or no read had the first update. */
  readonly second: { readonly httpStatus: number | undefined; readonly result: SecondResult } | undefined;
  /** Undefined if no read had the first update. */
  readonly isDateKept: boolean | undefined;
  readonly isTextKept: boolean | undefined;
  /** True if the posts showed which guarantee the service gives. */
  readonly isConclusive: boolean;
  /** Sentences for users. */
  readonly guarantee: readonly string[];
}

type SecondResult = "rejected" | "returned the first" | "created another" | "unknown";

/**
 * @param confirm Shows the user what the posts do, and resolves to true if the user agrees.
 * @returns undefined when the user declines
 * @throws MonitoringError when nothing, or nothing but the first update, can be posted and read
 */
export async function askAboutIds(
  { baseUrl, incidents, poster, signal }: Asked,
  incident: StatusPageIncident,
  watch: ResponseWatch,
  confirm: (announcement: string) => Promise<boolean>,
): Promise<IdAnswer | undefined> {
  const status = statusOf(incident);
  const { id: incidentId, name } = incident;
  const agreed = await confirm(
    `This sends at most two posts on incident ${incidentId} ("${name}") of ${baseUrl}: an update with ${status}, the status of its newest ` +
      "update, and a date up to three minutes ago; then the same one again, with the same id, or without one if the service rejected it. " +
      "What is posted is public at once, and stays public. Nobody is emailed. Use a test incident.",
  );
  if (!agreed) return undefined;
  const read = async () =>
    (await incidents.uncached.read(incidentId, { shared: false })) as StatusPageIncident;
  // The user may have taken time to confirm.
  const before = await read();
  const now = statusOf(before);
  if (now !== status)
    throw new MonitoringError(
      `Nothing was posted, because the status of the incident is now ${now}. Run this again.`,
    );
  const earlier = new Set((before.incidentUpdates ?? []).map(({ id }) => id));
  /** Reads the lines that the incident didn't have before, until there are enough, or the time is over. */
  const linesAfter = async (mostMs: number, isEnough: (added: StatusPageIncidentUpdate[]) => boolean) => {
    const began = performance.now();
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const at = performance.now() - began;
      const added = ((await read()).incidentUpdates ?? []).filter(({ id }) => !earlier.has(id));
      if (isEnough(added) || at > mostMs) return { added, ms: performance.now() - began };
      // The next read is rejected with what ended the test.
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const update = newUpdate(status);
  const { id, isRejected } = await poster.uncached
    .post(incidentId, update)
    .then((posted) => ({ id: posted.id, isRejected: false }))
    .catch(async (error: unknown) => {
      // Nothing was posted.
      if (!(error instanceof RequestError) || ![400, 422].includes(error.status)) throw error;
      const { id: _, ...withoutId } = update;
      return { id: (await poster.uncached.post(incidentId, withoutId)).id, isRejected: true };
    });
  const isFirst = (line: Pick<StatusPageIncidentUpdate, "id">) => canonicalId(line.id) === canonicalId(id);
  const first = await linesAfter(longestMs, (added) => added.some(isFirst));
  const line = first.added.find(isFirst);
  const ids = isRejected ? "rejected" : canonicalId(id) === update.id ? "used" : "ignored";
  let second: IdAnswer["second"];
  if (line && !isRejected) {
    const created = await poster.uncached.post(incidentId, update).catch(ignoreFailure);
    const { status: httpStatus } = watch;
    const isSame = created !== undefined && isFirst(created);
    const isOfPosts = (one: StatusPageIncidentUpdate) =>
      one.description.includes(update.id) || (isFirst(one) && one.description === line.description);
    const mostMs = created && !isSame ? longestMs : first.ms + marginMs;
    const isOver = (added: StatusPageIncidentUpdate[]) => added.length > 1 || !added.every(isOfPosts);
    const later = await linesAfter(mostMs, isOver).catch(ignoreFailure);
    const lines = later?.added.every(isOfPosts) ? later.added.length : 0;
    second = { httpStatus, result: resultOf(httpStatus, isSame, lines) };
  }
  const isDateKept = line && sameSecond(line.publicIncidentUpdateDate, update.publicIncidentUpdateDate);
  const isTextKept = line && sameText(line.description, update.description);
  const isConclusive = ids !== "used" || (second !== undefined && second.result !== "unknown");
  const answer = { service: baseUrl, ids, second, isDateKept, isTextKept, isConclusive } as const;
  return { ...answer, guarantee: guaranteeOf(answer) };
}

function ignoreFailure(error: unknown): undefined {
  if (!isMonitoringError(error)) throw error;
}

/** Only these reject an id that exists. A proxy in front of the service may send any other, even after the service wrote. */
const rejections: ReadonlySet<number | undefined> = new Set([400, 409, 422]);

/** @param lines Those of the test that the incident shows; 0 if they are unknown. */
export function resultOf(httpStatus: number | undefined, isFirst: boolean, lines: number): SecondResult {
  if (lines > 1) return "created another";
  if (lines < 1) return "unknown";
  if (isFirst) return "returned the first";
  return rejections.has(httpStatus) ? "rejected" : "unknown";
}

/** @throws MonitoringError when another status could open or close the incident */
function statusOf({ id, incidentUpdates }: StatusPageIncident): UpdateStatus {
  const updates = incidentUpdates ?? [];
  // Several updates are newest if their times are equal or missing.
  const newest = updates.filter((one) =>
    updates.every((other) => notBefore(one.created_at, other.created_at)),
  );
  const statuses = [...new Set(newest.map((update) => update.status))];
  const status = updateStatuses.find((one) => one === statuses[0]);
  if (statuses.length === 1 && status !== undefined) return status;
  const found = statuses.map((one) => JSON.stringify(one ?? null)).join(" or ") || "none";
  throw new MonitoringError(
    `Nothing was posted, because the newest update of incident ${id} has no certain status (${found}), and another status could open or ` +
      `close the incident. Use a test incident whose newest update has one of ${updateStatuses.join(", ")}.`,
  );
}

export const testBegins = "Test of pulumi-monitoring-service:";

function newUpdate(status: UpdateStatus) {
  const id = uuidOf(randomUUID());
  const description =
    `${testBegins} what does this service do with the id ${id}, and with this text? Please ignore it.\n` +
    'Two  spaces, "quotes", accents (é, ü), and an emoji: 🎉';
  // The date differs from the current time, which a service without dates returns, and isn't a whole minute.
  const minute = Math.floor(Date.now() / 60_000) - 2;
  const publicIncidentUpdateDate = new Date(minute * 60_000 + 37_000).toISOString();
  return {
    id,
    status,
    description,
    publicIncidentUpdateDate,
    notifySubscribers: false,
  } satisfies NewIncidentUpdate;
}

const limitations = pagePlace("docs/guides/exactly-once.md#limitations");
export const limited = `A declared update exists once, with the limitations of a service that ignores ids: ${limitations}.`;

export function guaranteeOf({ ids, second, isDateKept, isTextKept }: Omit<IdAnswer, "guarantee">): string[] {
  const isOnce = ids === "used" && (second?.result === "rejected" || second?.result === "returned the first");
  const response = second?.httpStatus === undefined ? "No response" : `HTTP ${second.httpStatus}`;
  const sentences: readonly (readonly [isTrue: boolean, sentence: string])[] = [
    [
      isOnce,
      "A declared update exists once, also with two machines, two stacks, killed runs, renames, and more than 100 updates on an incident.",
    ],
    [
      // A service that rejects every id sends these statuses, too.
      isOnce && [400, 422].includes(second.httpStatus ?? 0),
      `${response} to a second post reads as a service that rejects ids: keep \`monitoring:clientIds\`, whatever the message ` +
        "of a run suggests, until you have looked at the public page.",
    ],
    [!isOnce, limited],
    [ids === "rejected", "Set `monitoring:clientIds` to `false`: otherwise every post fails."],
    [
      ids === "used" && (second === undefined || second.result === "unknown"),
      `${second ? response : "No read that shows the first post"} proves nothing. Look at the public page in a few minutes: if it shows the ` +
        "update twice, ids prevent nothing; otherwise, run this again.",
    ],
    [
      isDateKept === false,
      "The service changes public dates: declare updates without `publicIncidentUpdateDate`, or with a date that it keeps.",
    ],
    [
      isTextKept === false,
      "The service changes texts: after a lost state or a rename, an update is recognized only if the service keeps its characters.",
    ],
  ];
  return sentences.flatMap(([isTrue, sentence]) => (isTrue ? sentence : []));
}

/** Formats the answer in Markdown, for an issue: it names no key, no account and no incident. */
export function textOf({ service, ids, second, isDateKept, isTextKept, guarantee }: IdAnswer): string {
  const kept = (is: boolean | undefined) => (is === undefined ? "unknown" : is ? "kept" : "changed");
  const status = second?.httpStatus === undefined ? "no response" : `HTTP ${second.httpStatus}`;
  return [
    `### monitoring doctor, pulumi-monitoring-service ${version}, Node ${process.versions.node}`,
    "",
    `- Service: ${service}`,
    `- Id of an update: ${ids}`,
    `- Second post of the same id: ${second ? `${second.result} (${status})` : "not sent"}`,
    `- Public date: ${kept(isDateKept)}; text: ${kept(isTextKept)}`,
    `- Guarantee: ${guarantee.join(" ")}`,
  ].join("\n");
}
