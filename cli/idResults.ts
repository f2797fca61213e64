/** Derives from the results of two posts how a service uses the ids, dates and texts of incident updates, and which guarantee follows. */
import { pagePlace } from "../audit";
import { historyLimit } from "../provider/api";
import { sameSecond } from "../provider/api/timestamps";
import { version } from "../provider/packageManifest";
import { limits, searchDelaysMs } from "../provider/publishing";
import { oneLine } from "../provider/texts";

/** The results of the posts. */
interface Observation {
  readonly ids: keyof typeof idTexts;
  /** Milliseconds from the response to the post until a read had the update; undefined when none had it in a minute. */
  readonly shownMs: number | undefined;
  /** Milliseconds until the last read that didn't have it; undefined when the first one had it. */
  readonly hiddenMs: number | undefined;
  /** The public date of the first update. Reads show null if they have none, undefined if none had the update. */
  readonly date: { readonly sent: string; readonly shown: string | null | undefined };
  /** False if reads have another text than the one that was sent; undefined when none had the update. */
  readonly isTextKept: boolean | undefined;
  /** Undefined when it wasn't sent: the first id was rejected or not sent, or no read had the first update. */
  readonly second: SecondPost | undefined;
}

/** The response to a second post of the same update and id, and the reads after it. */
interface SecondPost {
  /** Undefined if there was no response. */
  readonly httpStatus: number | undefined;
  /** True if the service reported success, with the id of the first update. */
  readonly isFirst: boolean;
  /** The lines of the incident with the text; undefined when they couldn't be read. */
  readonly lines: number | undefined;
}

/** The use that a service makes of the ids and dates of updates. */
export interface IdTest extends Omit<Observation, "date" | "second"> {
  /** Base URL of the service. */
  readonly service: string;
  readonly date: Observation["date"] & { readonly result: "kept" | "changed" | "unknown" };
  readonly second: (Pick<SecondPost, "httpStatus"> & { result: keyof typeof secondTexts }) | undefined;
  /** True if the posts showed which guarantee the service gives. */
  readonly isConclusive: boolean;
  /** Sentences for users. */
  readonly guarantee: readonly string[];
  /** Lines on the limits of a run that the service keeps, if they were measured. */
  readonly limits?: readonly string[];
}

export function idTestOf(service: string, observation: Observation): IdTest {
  const { ids, shownMs, hiddenMs, date, isTextKept, second: post } = observation;
  const { sent, shown } = date;
  const dateResult = shown === undefined ? "unknown" : sameSecond(shown, sent) ? "kept" : "changed";
  const second = post && { result: resultOf(post), httpStatus: post.httpStatus };
  const found = {
    ids,
    shownMs,
    hiddenMs,
    date: { ...date, result: dateResult },
    isTextKept,
    second,
  } as const;
  const isConclusive = ids !== "used" || (second !== undefined && second.result !== "unknown");
  return { service, ...found, isConclusive, guarantee: guaranteeOf(found) };
}

/** These statuses reject an id that exists. A proxy in front of the service may send any other, even after the service wrote. */
const rejections: ReadonlySet<number | undefined> = new Set([400, 409, 422]);

function resultOf({ httpStatus, isFirst, lines = 0 }: SecondPost): keyof typeof secondTexts {
  if (lines > 1) return "created another";
  if (lines < 1) return "unknown";
  if (isFirst) return "returned the first";
  return rejections.has(httpStatus) ? "rejected" : "unknown";
}

/** Holds what was measured of a post whose response is lost. */
export interface Measures extends Pick<Observation, "shownMs"> {
  /** Milliseconds that the longest post took. */
  readonly postMs: number;
  /** Number of updates that the history returned. */
  readonly updates: number | undefined;
  /** True if more than the limit were posted. */
  readonly isFull: boolean;
}

/** Compares what was measured with what a run assumes of a service. */
export function limitLines({ shownMs = Infinity, postMs, updates, isFull }: Measures): string[] {
  const { maxPostMs, maxDelayMs } = limits;
  const searchMs = searchDelaysMs.reduce((sum, delay) => sum + delay, 0);
  const shown =
    shownMs === Infinity ? "no read showed the update" : `a read showed the update after ${shownMs} ms`;
  const mayHaveMore = !isFull && updates !== undefined && updates < historyLimit;
  const hasAll = updates === undefined || mayHaveMore ? undefined : updates >= historyLimit;
  return [
    `Limit of ${(maxPostMs + maxDelayMs) / 60_000} minutes for a post to end and appear: ` +
      `${kept(postMs <= maxPostMs && shownMs <= maxDelayMs)}; posts took up to ${postMs} ms, and ${shown}`,
    `Limit of ${Math.round(searchMs / 1_000)} seconds to find an update whose response is lost: ${kept(shownMs <= searchMs)}; ${shown}`,
    `Limit of ${historyLimit} updates that a history returns at least: ${kept(hasAll)}; ` +
      `${updates ?? "an unknown number"} were returned${mayHaveMore ? ", and --history posts more" : ""}`,
  ];
}

function kept(isKept: boolean | undefined): string {
  return isKept === undefined ? "unknown" : isKept ? "kept" : "NOT KEPT";
}

const page = pagePlace("docs/guides/exactly-once.md#limitations");

function guaranteeOf(found: Omit<IdTest, "service" | "isConclusive" | "guarantee">): string[] {
  const { ids, shownMs, hiddenMs = 0, date, isTextKept, second } = found;
  const isUsed = ids === "used";
  const isOnce = isUsed && (second?.result === "rejected" || second?.result === "returned the first");
  const response = second?.httpStatus === undefined ? "No response" : `HTTP ${second.httpStatus}`;
  // A service that rejects every id sends these statuses, too.
  const isInDoubt = isOnce && [400, 422].includes(second.httpStatus ?? 0);
  const sentences: readonly (readonly [isTrue: boolean, sentence: string])[] = [
    [
      isOnce,
      "A declared update exists once, also with two machines, two stacks, killed runs, renames, and more than 100 updates on an incident.",
    ],
    [
      isInDoubt,
      `${response} to a second post reads as a service that rejects ids: keep \`monitoring:clientIds\`, whatever the message ` +
        "of a run suggests, until you have looked at the public page.",
    ],
    [
      !isOnce,
      "A declared update exists once, with the limitations of a service that ignores ids: a killed run, then another machine; two stacks " +
        `on two machines; more than 100 updates on an incident; two addresses of one service. They are explained in ${page}.`,
    ],
    [ids === "rejected", "Set `monitoring:clientIds` to `false`: otherwise every post fails."],
    [
      isUsed && second === undefined,
      "The second post was not sent, because reads wouldn't show its result: run this again when they are faster.",
    ],
    [
      isUsed && second?.result === "created another",
      "The service creates several updates with one id, so ids prevent nothing.",
    ],
    [
      isUsed && second?.result === "unknown",
      `${response} to the second post doesn't prove that the service rejects an id that exists. Look at the public page in a few ` +
        "minutes: if it shows the update twice, ids prevent nothing; otherwise, run this again.",
    ],
    [
      !isOnce && shownMs === undefined,
      "Reads lack an update for more than a minute: a run whose response is lost fails, and records it as unconfirmed.",
    ],
    [
      !isOnce && shownMs !== undefined && hiddenMs >= 1_000,
      `Reads lack a new update for up to ${Math.ceil((shownMs ?? 0) / 1_000)} s: wait longer after a killed run, before another machine runs.`,
    ],
    [
      date.result === "changed",
      "The service changes public dates: declare updates without `publicIncidentUpdateDate`, or with a date that it keeps.",
    ],
    [
      isTextKept === false,
      "The service changes texts: an update may not be recognized after a lost state or a rename, unless its text has only characters " +
        "that the service keeps.",
    ],
  ];
  return sentences.flatMap(([isTrue, sentence]) => (isTrue ? sentence : []));
}

const idTexts = {
  used: "used",
  ignored: "ignored",
  rejected: "rejected",
  "not sent": "not sent, because pages with components take none",
};

const secondTexts = {
  rejected: "rejected",
  "returned the first": "returned the first update",
  "created another": "created a second update",
  unknown: "unknown",
};

/** Formats the result in Markdown, for an issue: it names no key, no account and no incident. */
export function idTestText(test: IdTest): string {
  const { shownMs, hiddenMs, date, isTextKept, second } = test;
  const read = hiddenMs === undefined ? "at the first read" : `not yet after ${hiddenMs} ms`;
  const dateTexts = {
    kept: "returned to the second",
    changed: `changed: ${date.sent} was sent, ${oneLine(date.shown ?? "none")} is returned`,
    unknown: "unknown",
  };
  const status = second?.httpStatus === undefined ? "no response" : `HTTP ${second.httpStatus}`;
  return [
    `### monitoring doctor, pulumi-monitoring-service ${version}, Node ${process.versions.node}`,
    "",
    `- Service: ${test.service}`,
    `- Id of an update: ${idTexts[test.ids]}`,
    `- Shown: ${
      shownMs === undefined
        ? `not within ${hiddenMs} ms of the response to the post`
        : `${shownMs} ms after the response to the post, ${read}`
    }`,
    `- Public date: ${dateTexts[date.result]}`,
    `- Text: ${isTextKept === undefined ? "unknown" : isTextKept ? "returned as sent" : "changed"}`,
    `- Second post of the same id: ${second ? `${secondTexts[second.result]} (${status})` : "not sent"}`,
    `- Guarantee: ${test.guarantee.join(" ")}`,
    ...(test.limits ?? []).map((line) => `- ${line}`),
  ].join("\n");
}
