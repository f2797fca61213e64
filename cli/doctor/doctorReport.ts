/** What `monitoring doctor` found, as text and as JSON. */
import { escapedJson } from "../../provider/texts/escapedJson";
import { version } from "../../provider/machine/packageManifest";
import { type CheckResult, checkNames } from "./checks";
import { guaranteeOf } from "./guarantee";
import type { IdTest, SecondPost } from "./idTest";

export interface DoctorReport {
  /** In the order of {@link checkNames}. */
  readonly checks: readonly CheckResult[];
  /** What the posts showed; undefined without them, or when they failed. */
  readonly idTest?: { readonly service: string; readonly found: IdTest } | undefined;
  /** Why the posts showed nothing. */
  readonly failure?: string | undefined;
}

/** Whether nothing is wrong. */
export function isHealthy({ checks, failure }: DoctorReport): boolean {
  return failure === undefined && checks.every(({ ok }) => ok);
}

export const doctorFormats = { text, json } satisfies Record<string, (report: DoctorReport) => string>;

const nameWidth = Math.max(...checkNames.map((name) => name.length));
const indent = " ".repeat(8 + nameWidth + 2);

function text(report: DoctorReport): string {
  const lines = report.checks.flatMap(({ name, ok, text: found, remedy }) => [
    `${ok ? "ok      " : "FAILED  "}${name.padEnd(nameWidth)}  ${found}`,
    ...(remedy === undefined ? [] : [indent + remedy]),
  ]);
  const unchecked = uncheckedNames(report);
  if (unchecked.length > 0) lines.push(`--      not checked: ${unchecked.join(", ")}`);
  return `${[...lines, "", ...conclusion(report)].join("\n")}\n`;
}

function uncheckedNames({ checks }: DoctorReport): string[] {
  return checkNames.filter((expected) => checks.every(({ name }) => name !== expected));
}

function conclusion(report: DoctorReport): string[] {
  const { idTest, failure } = report;
  if (failure !== undefined) return [failure];
  if (idTest) return [blockOf(idTest.service, idTest.found)];
  if (!isHealthy(report)) return ["Correct what failed, then run this again."];
  return [
    "Which guarantee the service gives depends on what it does with ids of updates. On a test incident,",
    "`monitoring doctor --post-to INCIDENT` finds out.",
  ];
}

/** Markdown, to be pasted into an issue: no key, no account and no incident. */
function blockOf(service: string, found: IdTest): string {
  return [
    `### monitoring doctor, pulumi-monitoring-service ${version}, Node ${process.versions.node}`,
    "",
    `- Service: ${service}`,
    `- Id of an update: ${found.ids}`,
    `- Shown: ${shownText(found)}`,
    `- Second post of the same id: ${found.second ? secondText(found.second) : "not sent"}`,
    `- Guarantee: ${guaranteeOf(found).join(" ")}`,
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

function json(report: DoctorReport): string {
  const { checks, idTest, failure } = report;
  const notChecked = uncheckedNames(report);
  const ids = idTest && { service: idTest.service, ...idTest.found, guarantee: guaranteeOf(idTest.found) };
  return `${escapedJson({ ok: isHealthy(report), checks, notChecked, ids, failure }, 2)}\n`;
}
