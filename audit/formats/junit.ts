/** Writes a report as JUnit XML. Each rule is a test suite, and each channel that the rule applies to is a test case. */
import { type Markup, markup } from "../../provider/markup";
import { toOneLine } from "../../provider/texts";
import { getChannelKey, formatChannelLabel, type ChannelReference } from "../channel";
import { type AuditReport, type RuleResult } from "../report";
import { findingSeverities } from "../rule";
import { createReportFormat, type Result, listResults, formatResult } from "./reportText";

export const junit = createReportFormat(".xml", (report) => {
  const suites = buildSuites(report).filter(({ cases }) => cases.length > 0);
  const content = suites.map(({ name, cases }) => {
    const totals = markup`${renderTotals(cases)} skipped="${count(cases, "skipped")}"`;
    return markup`  <testsuite name="${name}" timestamp="${formatStart(report)}" ${totals}>
${cases.map(renderCase)}  </testsuite>
`;
  });
  const document = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Alert channel audit" ${renderTotals(suites.flatMap(({ cases }) => cases))}>
${content}</testsuites>
`;
  return [document.text];
});

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

interface Case {
  readonly classname: string;
  readonly name: string;
  /** Undefined if the case passes. */
  readonly element?: "failure" | "error" | "skipped";
  readonly type?: string;
  readonly message?: string;
  readonly text?: string;
}

function buildSuites(report: AuditReport): Suite[] {
  const rows = buildRows(report);
  const ofRules = [...report.rules]
    .sort((a, b) => findingSeverities.indexOf(a.severity) - findingSeverities.indexOf(b.severity))
    .map((rule) => ({ name: rule.title, cases: buildCases(rule, rows) }));
  const skipped = { element: "skipped", classname: "alert-channel-audit" } as const;
  const none = { ...skipped, name: "no rule applies", message: "no rule applies to a channel" };
  const excluded = report.excluded.map(({ channel, reason }) => ({
    ...skipped,
    classname: "exclude",
    name: formatChannelLabel(channel),
    message: `excluded: ${toOneLine(reason)}`,
  }));
  const applies = rows.some(({ results, passed }) => results.length + passed.length > 0);
  return [
    ...ofRules,
    // Jenkins reports an error for a file without test cases.
    { name: "Alert channel audit", cases: applies ? [] : [none] },
    { name: "Excluded channels", cases: excluded },
  ];
}

function buildCases({ id, fix }: RuleResult, rows: readonly Row[]): Case[] {
  return rows.flatMap((row) => {
    const cell = findCell(row, id);
    return cell ? { classname: id, name: formatChannelLabel(row.channel), ...toVerdict(cell, fix) } : [];
  });
}

function toVerdict({ status, blocks, messages }: Cell, fix: string): Partial<Case> {
  const message = messages.join("; ");
  if (status === "passed") return {};
  if (status === "error" || status === "warning")
    return { element: "failure", type: status, message, text: `${message}. ${fix}` };
  if (blocks) return { element: "error", type: status, message };
  return { element: "skipped", message: `${status}: ${message}` };
}

function renderCase({ classname, name, element, type, message = "", text }: Case): Markup {
  const start = markup`    <testcase classname="${classname}" name="${name}" time="0"`;
  if (element === undefined) return markup`${start}/>\n`;
  const typed = type === undefined ? "" : markup` type="${type}"`;
  const opened = markup`<${element}${typed} message="${message}"`;
  const closed = text === undefined ? markup`/>` : markup`>${text}</${element}>`;
  return markup`${start}>\n      ${opened}${closed}\n    </testcase>\n`;
}

/** Returns the attributes that are valid for `testsuite` and for `testsuites`. Only `testsuite` allows `skipped`. */
function renderTotals(cases: readonly Case[]): Markup {
  return markup`tests="${cases.length}" failures="${count(cases, "failure")}" errors="${count(cases, "error")}" time="0"`;
}

const count = (cases: readonly Case[], what: Case["element"]) =>
  cases.filter(({ element }) => element === what).length;

/** JUnit schemas allow neither milliseconds nor a time zone. */
function formatStart({ auditedAt }: AuditReport): string {
  return auditedAt.replace(/\.\d+Z$/, "");
}

interface Cell extends Pick<Result, "blocks"> {
  readonly status: Result["status"] | "passed";
  /** One message for each finding, and for each field that can't be evaluated. */
  readonly messages: readonly string[];
}

/** The results of one channel, or of all channels together. */
interface Row {
  /** Undefined for results on all channels together and on the rules. */
  readonly channel: ChannelReference | undefined;
  readonly passed: readonly string[];
  readonly results: Result[];
}

/** Returns the results of a rule, with the status of the worst one, which is first. Undefined if the rule doesn't apply. */
function findCell(row: Row, rule: string): Cell | undefined {
  const results = row.results.filter((result) => result.rule === rule);
  const [worst] = results;
  if (worst === undefined)
    return row.passed.includes(rule) ? { status: "passed", blocks: false, messages: [] } : undefined;
  const messages = results.map(
    (one) => formatResult(one) + (one.waiver === undefined ? "" : ` (${one.waiver})`),
  );
  return { status: worst.status, blocks: worst.blocks, messages };
}

/**
 * Returns one row for each channel and, if there are such results, one for all channels together. Audited channels are first, in the order
 * of the report.
 */
function buildRows(report: AuditReport): Row[] {
  const getKey = (channel: ChannelReference | undefined) => (channel ? getChannelKey(channel) : "");
  const { channels, fleet } = report;
  const rows = new Map<string, Row>();
  const getRow = (channel?: ChannelReference, passed: readonly string[] = []): Row => {
    const row = rows.get(getKey(channel)) ?? { channel, passed, results: [] };
    rows.set(getKey(channel), row);
    return row;
  };
  for (const channel of channels) getRow(channel, channel.passed);
  if (fleet.passed.length > 0) getRow(undefined, fleet.passed);
  for (const result of listResults(report)) getRow(result.channel).results.push(result);
  return [...rows.values()];
}
