/** Derives from the results of two posts how a service uses the ids, dates and texts of incident updates, and which guarantee follows. */
import { pagePlace } from "../audit";
import { sameSecond } from "../provider/api/timestamps";
import { version } from "../provider/packageManifest";
import { oneLine } from "../provider/texts";

/** The time until reads return an update. */
interface Visibility {
  /** Milliseconds from the response to the post until a read had the update; undefined when none had it in a minute. */
  readonly shownMs: number | undefined;
  /** Milliseconds until the last read that didn't have it; undefined when the first one had it. */
  readonly hiddenMs: number | undefined;
}

/** The public date of the first update. */
interface PublicDate {
  readonly sent: string;
  /** Null when reads have none, undefined when none had the update. */
  readonly shown: string | null | undefined;
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

/** The results of the posts. */
interface Observation extends Visibility {
  readonly ids: "used" | "ignored" | "rejected";
  readonly date: PublicDate;
  /** False if reads have another text than the one that was sent; undefined when none had the update. */
  readonly isTextKept: boolean | undefined;
  /** Undefined when it wasn't sent: the first id was rejected, or no read had the first update. */
  readonly second: SecondPost | undefined;
}

type SecondResult = "rejected" | "returned the first" | "created another" | "unknown";

/** The use that a service makes of the ids and dates of updates. */
export interface IdTest extends Visibility {
  /** Base URL of the service. */
  readonly service: string;
  readonly ids: Observation["ids"];
  readonly date: PublicDate & { readonly result: "kept" | "changed" | "unknown" };
  readonly isTextKept: Observation["isTextKept"];
  /** Undefined when it wasn't sent. */
  readonly second: { readonly result: SecondResult; readonly httpStatus: number | undefined } | undefined;
  /** True if the posts showed which guarantee the service gives. */
  readonly isConclusive: boolean;
  /** Sentences for users. */
  readonly guarantee: readonly string[];
}

export function idTestOf(service: string, observation: Observation): IdTest {
  const { ids, shownMs, hiddenMs, date, isTextKept, second: post } = observation;
  const second = post && { result: resultOf(post), httpStatus: post.httpStatus };
  const found = { ids, shownMs, hiddenMs, date: { ...date, result: dateResultOf(date) }, isTextKept, second };
  const isConclusive = ids !== "used" || (second !== undefined && second.result !== "unknown");
  return { service, ...found, isConclusive, guarantee: guaranteeOf(found) };
}

/** These statuses reject an id that exists. A proxy in front of the service may send any other, even after the service wrote. */
const rejections: ReadonlySet<number | undefined> = new Set([400, 409, 422]);

function resultOf({ httpStatus, isFirst, lines = 0 }: SecondPost): SecondResult {
  if (lines > 1) return "created another";
  if (lines < 1) return "unknown";
  if (isFirst) return "returned the first";
  return rejections.has(httpStatus) ? "rejected" : "unknown";
}

function dateResultOf({ sent, shown }: PublicDate): IdTest["date"]["result"] {
  if (shown === undefined) return "unknown";
  return sameSecond(shown, sent) ? "kept" : "changed";
}

const once =
  "A declared update exists once, also with two machines, two stacks, killed runs, renames, and more than 100 updates on an incident.";
const limited =
  "A declared update exists once, with the limitations of a service that ignores ids: a killed run, then another machine; two stacks " +
  "on two machines; more than 100 updates on an incident; two addresses of one service.";
const page = `They are explained in ${pagePlace("docs/guides/exactly-once.md#limitations")}.`;

type Found = Omit<IdTest, "service" | "isConclusive" | "guarantee">;

function guaranteeOf(found: Found): string[] {
  const { ids, second } = found;
  const isOnce = ids === "used" && (second?.result === "rejected" || second?.result === "returned the first");
  const ofIds = isOnce
    ? [once, ...inDoubt(found)]
    : [`${limited} ${page}`, ...whyLimited(found), ...waits(found)];
  return [...ofIds, ...ofDates(found), ...ofTexts(found)];
}

/** Warns of a status that a service which rejects every id sends, too. */
function inDoubt({ second }: Found): string[] {
  if (second?.httpStatus !== 400 && second?.httpStatus !== 422) return [];
  return [
    `HTTP ${second.httpStatus} to a second post reads as a service that rejects ids: keep \`monitoring:clientIds\`, whatever the message ` +
      "of a run suggests, until you have looked at the public page.",
  ];
}

function whyLimited({ ids, second }: Found): string[] {
  if (ids === "rejected") return ["Set `monitoring:clientIds` to `false`: otherwise every post fails."];
  if (ids === "ignored") return [];
  if (second?.result === "created another")
    return ["The service creates several updates with one id, so ids prevent nothing."];
  if (second === undefined)
    return [
      "The second post was not sent, because reads wouldn't show its result: run this again when they are faster.",
    ];
  const response = second.httpStatus === undefined ? "No response" : `HTTP ${second.httpStatus}`;
  return [
    `${response} to the second post doesn't prove that the service rejects an id that exists. Look at the public page in a few ` +
      "minutes: if it shows the update twice, ids prevent nothing; otherwise, run this again.",
  ];
}

function waits({ shownMs, hiddenMs = 0 }: Found): string[] {
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

function ofDates({ date }: Found): string[] {
  if (date.result !== "changed") return [];
  return [
    "The service changes public dates: declare updates without `publicIncidentUpdateDate`, or with a date that it keeps.",
  ];
}

function ofTexts({ isTextKept }: Found): string[] {
  if (isTextKept !== false) return [];
  return [
    "The service changes texts: an update may not be recognized after a lost state or a rename, unless its text has only characters " +
      "that the service keeps.",
  ];
}

/** Formats the result in Markdown, for an issue: it names no key, no account and no incident. */
export function idTestText(test: IdTest): string {
  return [
    `### monitoring doctor, pulumi-monitoring-service ${version}, Node ${process.versions.node}`,
    "",
    `- Service: ${test.service}`,
    `- Id of an update: ${test.ids}`,
    `- Shown: ${shownText(test)}`,
    `- Public date: ${dateText(test)}`,
    `- Text: ${textText(test)}`,
    `- Second post of the same id: ${secondText(test)}`,
    `- Guarantee: ${test.guarantee.join(" ")}`,
  ].join("\n");
}

function shownText({ shownMs, hiddenMs }: IdTest): string {
  if (shownMs === undefined) return `not within ${hiddenMs} ms of the response to the post`;
  const before = hiddenMs === undefined ? "at the first read" : `not yet after ${hiddenMs} ms`;
  return `${shownMs} ms after the response to the post, ${before}`;
}

function dateText({ date: { result, sent, shown } }: IdTest): string {
  if (result === "kept") return "returned to the second";
  if (result === "unknown") return "unknown";
  return `changed: ${sent} was sent, ${oneLine(shown ?? "none")} is returned`;
}

function textText({ isTextKept }: IdTest): string {
  if (isTextKept === undefined) return "unknown";
  return isTextKept ? "returned as sent" : "changed";
}

function secondText({ second }: IdTest): string {
  if (second === undefined) return "not sent";
  const { result, httpStatus } = second;
  const meaning = {
    rejected: "rejected",
    "returned the first": "returned the first update",
    "created another": "created a second update",
    unknown: "unknown",
  }[result];
  return `${meaning} (${httpStatus === undefined ? "no response" : `HTTP ${httpStatus}`})`;
}
