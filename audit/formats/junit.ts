/** Writes a report as JUnit XML: each rule is a suite, each channel that it applies to a test case. */
import { escapeMarkup, oneLine } from "../../provider/texts";
import { channelLabel } from "../channel";
import type { AuditReport, RuleResult } from "../report";
import { findingSeverities } from "../rule";
import { reportFormat } from "./format";
import { type Cell, type Row, rowsOf } from "./matrix";

export const junit = reportFormat(".xml", function* (report) {
  const suites = suitesOf(report).map((suite) => ({ ...suite, counts: countsOf([...suite.cases()]) }));
  const used = suites.filter(({ counts }) => counts.tests > 0);
  yield `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Alert channel audit" ${attributes(used.map(({ counts }) => counts))}>
`;
  for (const { name, cases, counts } of used) {
    yield `  <testsuite name="${escapeMarkup(name)}" timestamp="${startOf(report)}" ${attributes([counts])}>\n`;
    for (const each of cases()) yield elementOf(each);
    yield "  </testsuite>\n";
  }
  yield "</testsuites>\n";
});

interface Suite {
  readonly name: string;
  /** Yields the cases anew each time, so that they aren't all in memory. */
  readonly cases: () => Iterable<Case>;
}

/** A test case. */
interface Case {
  readonly classname: string;
  readonly name: string;
  /** Undefined if it passes. */
  readonly element?: "failure" | "error" | "skipped";
  readonly type?: string;
  readonly message?: string;
  readonly text?: string;
}

function suitesOf(report: AuditReport): Suite[] {
  const rows = rowsOf(report);
  const ofRules = [...report.rules]
    .sort((a, b) => findingSeverities.indexOf(a.severity) - findingSeverities.indexOf(b.severity))
    .map((rule) => ({ name: rule.title, cases: () => casesOf(rule, rows) }));
  const skipped = { element: "skipped", classname: "alert-channel-audit" } as const;
  const none = { ...skipped, name: "no rule applies", message: "no rule applies to a channel" };
  const excluded = report.excluded.map(({ channel, reason }) => ({
    ...{ ...skipped, classname: "exclude", name: channelLabel(channel) },
    message: `excluded: ${oneLine(reason)}`,
  }));
  const applies = rows.some(({ results, passed }) => results.length + passed.length > 0);
  return [
    ...ofRules,
    // Jenkins fails a file without a test case.
    { name: "Alert channel audit", cases: () => (applies ? [] : [none]) },
    { name: "Excluded channels", cases: () => excluded },
  ];
}

function* casesOf({ id, fix }: RuleResult, rows: readonly Row[]): Generator<Case> {
  for (const row of rows) {
    const cell = row.cell(id);
    if (cell) yield { classname: id, name: channelLabel(row.channel), ...verdictOf(cell, fix) };
  }
}

function verdictOf({ status, blocks, messages }: Cell, fix: string): Partial<Case> {
  const message = messages.join("; ");
  if (status === "passed") return {};
  if (status === "error" || status === "warning")
    return { element: "failure", type: status, message, text: `${message}. ${fix}` };
  if (blocks) return { element: "error", type: status, message };
  return { element: "skipped", message: `${status}: ${message}` };
}

function elementOf({ classname, name, element, type, message = "", text }: Case): string {
  const start = `    <testcase classname="${escapeMarkup(classname)}" name="${escapeMarkup(name)}" time="0"`;
  if (element === undefined) return `${start}/>\n`;
  const typed = type === undefined ? "" : ` type="${type}"`;
  const opened = `<${element}${typed} message="${escapeMarkup(message)}"`;
  const closed = text === undefined ? "/>" : `>${escapeMarkup(text)}</${element}>`;
  return `${start}>\n      ${opened}${closed}\n    </testcase>\n`;
}

const countsOf = (cases: readonly Case[]) => ({
  tests: cases.length,
  failures: cases.filter(({ element }) => element === "failure").length,
  errors: cases.filter(({ element }) => element === "error").length,
  skipped: cases.filter(({ element }) => element === "skipped").length,
});

type Counts = ReturnType<typeof countsOf>;

function attributes(counts: readonly Counts[]): string {
  const sum = (what: keyof Counts) => counts.reduce((total, one) => total + one[what], 0);
  return `tests="${sum("tests")}" failures="${sum("failures")}" errors="${sum("errors")}" skipped="${sum("skipped")}" time="0"`;
}

/** JUnit schemas allow neither milliseconds nor a time zone. */
function startOf({ auditedAt }: AuditReport): string {
  return auditedAt.replace(/\.\d+Z$/, "");
}
