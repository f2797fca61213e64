/** Derives from the results of all posts of a run how a service uses the ids, dates and texts of incident updates, and which guarantee follows. */
import { pagePlace } from "../../audit";
import { historyLimit, type StatusPageIncidentUpdate } from "../../provider/api";
import { sameSecond } from "../../provider/api/timestamps";
import { version } from "../../provider/packageManifest";
import { limits } from "../../provider/publishing";
import { amount, oneLine, sameText } from "../../provider/texts";

/** How late reads show an update, from the response to its post. */
export interface Timing {
  /** Milliseconds until a read had it; undefined when none had it in a minute. */
  readonly shownMs: number | undefined;
  /** Milliseconds until the last read that didn't have it; undefined when the first one had it. */
  readonly hiddenMs: number | undefined;
}

/** The results of all posts of a run. */
interface Observation {
  readonly page: keyof typeof pageTexts;
  readonly ids: keyof typeof idTexts;
  /** Each post that a read has to show. */
  readonly shown: readonly Timing[];
  /** What was sent with a date, and with characters that a service may change. */
  readonly sent: { readonly description: string; readonly publicIncidentUpdateDate: string };
  /** What reads show of it. */
  readonly updates: readonly Pick<StatusPageIncidentUpdate, "description" | "publicIncidentUpdateDate">[];
  /** Undefined when it wasn't sent: the first id was rejected or not sent, or no read had the first update. */
  readonly second: SecondPost | undefined;
  readonly postMs: readonly number[];
  /** The most updates that a read returned, and whether an update was missing as soon as a newer one was shown. */
  readonly history: { readonly updates: number; readonly isCut: boolean };
  /** False if a post that measures a limit failed. */
  readonly isComplete: boolean;
}

/** The response to a second post of the same update and id, and the reads after it. */
export interface SecondPost {
  /** Undefined if there was no response. */
  readonly httpStatus: number | undefined;
  /** True if the service reported success, with the id of the first update. */
  readonly isFirst: boolean;
  /** The lines of the incident with the text; undefined when they couldn't be read. */
  readonly lines: number | undefined;
}

/** What a service does with all updates of a run: of each property, the worst. The times are those of the update that was shown last. */
export interface IdTest extends Pick<Observation, "page" | "ids" | "isComplete">, Timing {
  /** Base URL of the service. */
  readonly service: string;
  readonly posts: number;
  /** The public date that was sent, and the one that reads show: null if they have none, undefined if none had the update. */
  readonly date: {
    readonly sent: string;
    readonly shown: string | null | undefined;
    readonly result: "kept" | "changed" | "unknown";
    readonly changed: number;
  };
  /** False if reads have another text than the one that was sent; undefined when none had the update. */
  readonly isTextKept: boolean | undefined;
  readonly second: (Pick<SecondPost, "httpStatus"> & { result: keyof typeof secondTexts }) | undefined;
  /** True if the posts showed which guarantee the service gives. */
  readonly isConclusive: boolean;
  /** Sentences for users. */
  readonly guarantee: readonly string[];
  /** What a run assumes of a service. */
  readonly limits: readonly Limit[];
}

interface Limit {
  readonly name: string;
  readonly result: "kept" | "not kept" | "unknown";
  /** What was measured. */
  readonly found: string;
}

export function idTestOf(service: string, observation: Observation): IdTest {
  const { page, ids, shown, sent, updates, second: post, postMs, isComplete } = observation;
  const { shownMs, hiddenMs } = shown.reduce((one, other) => (lateMs(other) > lateMs(one) ? other : one));
  const dates = updates.map(({ publicIncidentUpdateDate: date }) => date ?? null);
  const changed = dates.filter((date) => !sameSecond(date, sent.publicIncidentUpdateDate));
  const isSame = updates.every(({ description }) => sameText(description, sent.description));
  const date = {
    sent: sent.publicIncidentUpdateDate,
    shown: [...changed, ...dates][0],
    result: dates.length === 0 ? "unknown" : changed.length === 0 ? "kept" : "changed",
    changed: changed.length,
  } as const;
  const second = post && { result: resultOf(post), httpStatus: post.httpStatus };
  const isTextKept = updates.length === 0 ? undefined : isSame;
  const found = { page, ids, posts: postMs.length, shownMs, hiddenMs, date, isTextKept, second, isComplete };
  const isConclusive = isComplete && (ids !== "used" || (second && second.result !== "unknown") === true);
  return { service, ...found, isConclusive, guarantee: guaranteeOf(found), limits: limitsOf(observation) };
}

const lateMs = ({ shownMs = Infinity }: Timing): number => shownMs;

/** These statuses reject an id that exists. A proxy in front of the service may send any other, even after the service wrote. */
const rejections: ReadonlySet<number | undefined> = new Set([400, 409, 422]);

function resultOf({ httpStatus, isFirst, lines = 0 }: SecondPost): keyof typeof secondTexts {
  if (lines > 1) return "created another";
  if (lines < 1) return "unknown";
  if (isFirst) return "returned the first";
  return rejections.has(httpStatus) ? "rejected" : "unknown";
}

/** Compares what was measured with what a run assumes of a service. */
function limitsOf({ shown, postMs, history, isComplete }: Observation): Limit[] {
  const { maxPostMs, maxDelayMs, searchMs } = limits;
  const latestMs = Math.max(...shown.map(lateMs));
  const longestMs = Math.max(...postMs);
  const resultFor = (isKept: boolean): Limit["result"] =>
    !isKept ? "not kept" : isComplete ? "kept" : "unknown";
  const within = (mostMs: number): string => {
    const inTime = shown.filter((one) => lateMs(one) <= mostMs).length;
    const last = latestMs === Infinity ? "and one was never shown" : `the last one after ${latestMs} ms`;
    return `reads showed ${inTime} of ${amount(shown.length, "update")} in time, ${last}`;
  };
  const more = history.isCut
    ? ", and an older one was gone when a newer one was shown"
    : `: an incident with more than ${historyLimit} shows more`;
  const isShort = history.updates < historyLimit;
  return [
    {
      name: `Limit of ${(maxPostMs + maxDelayMs) / 60_000} minutes for a post to end and appear`,
      result: resultFor(longestMs <= maxPostMs && latestMs <= maxDelayMs),
      found: `posts took up to ${longestMs} ms, and ${within(maxDelayMs)}`,
    },
    {
      name: `Limit of ${Math.round(searchMs / 1_000)} seconds to find an update whose response is lost`,
      result: resultFor(latestMs <= searchMs),
      found: within(searchMs),
    },
    {
      name: `Limit of ${historyLimit} updates that a history returns at least`,
      result: !isShort ? "kept" : history.isCut ? "not kept" : "unknown",
      found: `${history.updates} were returned${isShort ? more : ""}`,
    },
  ];
}

const limitations = pagePlace("docs/guides/exactly-once.md#limitations");

type Found = Pick<IdTest, "ids" | "shownMs" | "hiddenMs" | "date" | "isTextKept" | "second">;

function guaranteeOf({ ids, shownMs, hiddenMs = 0, date, isTextKept, second }: Found): string[] {
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
        `on two machines; more than 100 updates on an incident; two addresses of one service. They are explained in ${limitations}.`,
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

const pageTexts = {
  cards: "with cards: a post can carry an id, and an update can't be edited",
  components:
    "with components: a post carries no id, a public date isn't before the incident, a history has at most " +
    `${historyLimit} updates, and an update can be edited`,
};

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
    changed: `changed ${amount(date.changed, "time")}: ${date.sent} was sent, ${oneLine(date.shown ?? "none")} is returned`,
    unknown: "unknown",
  };
  const status = second?.httpStatus === undefined ? "no response" : `HTTP ${second.httpStatus}`;
  return [
    `### monitoring doctor, pulumi-monitoring-service ${version}, Node ${process.versions.node}`,
    "",
    `- Service: ${test.service}`,
    `- Page: ${pageTexts[test.page]}`,
    `- Posts: ${test.posts}. Each line below is about all of them, and has the worst result`,
    `- Id of an update: ${idTexts[test.ids]}`,
    `- Shown: ${
      shownMs === undefined
        ? `not within ${hiddenMs} ms of the response to the post`
        : `${shownMs} ms after the response to the post, ${read}`
    }`,
    ...test.limits.map(({ name, result, found }) => {
      return `- ${name}: ${result === "not kept" ? "NOT KEPT" : result}; ${found}`;
    }),
    `- Public date: ${dateTexts[date.result]}`,
    `- Text: ${isTextKept === undefined ? "unknown" : isTextKept ? "returned as sent" : "changed"}`,
    `- Second post of the same id: ${second ? `${secondTexts[second.result]} (${status})` : "not sent"}`,
    `- Guarantee: ${test.guarantee.join(" ")}`,
    ...(test.isComplete ? [] : ["- A post that measures these limits failed: run this again"]),
  ].join("\n");
}
