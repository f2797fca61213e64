/** Writes a report as JUnit XML: each rule is a suite, each channel that it applies to a test case. */
import { escapeMarkup, oneLine } from "../../provider/texts";
import { channelLabel } from "../channel";
import type { AuditReport, RuleResult } from "../report";
import { findingSeverities } from "../rule";
import { type Cell, type Row, rowsOf } from "./matrix";

/** Jenkins fails a file without a test case. */
const nothingApplies = `  <testsuite name="Alert channel audit" tests="1" failures="0" errors="0" skipped="1" time="0">
    <testcase classname="alert-channel-audit" name="no rule applies" time="0">
      <skipped message="no rule applies to a channel"/>
    </testcase>
  </testsuite>
`;

/** Channels that the rules exclude are skipped test cases. */
function suiteOfExcluded(excluded: AuditReport["excluded"]): string {
  const cases = excluded.map(({ channel, reason }) => {
    const name = escapeMarkup(channelLabel(channel));
    return `    <testcase classname="exclude" name="${name}" time="0">
      <skipped message="excluded: ${escapeMarkup(oneLine(reason))}"/>
    </testcase>
`;
  });
  return `  <testsuite name="Excluded channels" ${attributes([skipped(excluded.length)])}>
${cases.join("")}  </testsuite>
`;
}

export function junit(report: AuditReport): string {
  const rows = rowsOf(report).map((row) => ({ row, name: escapeMarkup(channelLabel(row.channel)) }));
  const suites = report.rules
    .map((rule) => ({ rule, counts: countsOf(rule, rows) }))
    .filter(({ counts }) => counts.tests > 0)
    .sort((a, b) => findingSeverities.indexOf(a.rule.severity) - findingSeverities.indexOf(b.rule.severity));
  const elements = suites.map(({ rule, counts }) => {
    const cases = rows.flatMap(({ row, name }) => {
      const cell = row.cell(rule.id);
      return cell ? caseOf(rule, name, cell) : [];
    });
    return `  <testsuite name="${escapeMarkup(rule.title)}" timestamp="${startOf(report)}" ${attributes([counts])}>
${cases.join("")}  </testsuite>
`;
  });
  const { excluded } = report;
  const none = elements.length === 0 ? [skipped(1)] : [];
  const all = [...suites.map(({ counts }) => counts), ...none, skipped(excluded.length)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Alert channel audit" ${attributes(all)}>
${elements.join("") || nothingApplies}${excluded.length > 0 ? suiteOfExcluded(excluded) : ""}</testsuites>
`;
}

junit.extension = ".xml" as const;

interface TestCounts {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
}

const noTests: Readonly<TestCounts> = { tests: 0, failures: 0, errors: 0, skipped: 0 };

const skipped = (count: number): TestCounts => ({ ...noTests, tests: count, skipped: count });

function countsOf({ id }: RuleResult, rows: readonly { row: Row }[]): TestCounts {
  const counts = { ...noTests };
  for (const { row } of rows) {
    const cell = row.cell(id);
    if (cell === undefined) continue;
    counts.tests += 1;
    if (isFailure(cell)) counts.failures += 1;
    else if (cell.blocks) counts.errors += 1;
    else if (cell.status !== "passed") counts.skipped += 1;
  }
  return counts;
}

function caseOf({ id, fix }: RuleResult, name: string, cell: Cell): string {
  const start = `    <testcase classname="${escapeMarkup(id)}" name="${name}" time="0"`;
  const message = escapeMarkup(cell.messages.join("; "));
  if (cell.status === "passed") return `${start}/>\n`;
  const result = isFailure(cell)
    ? `<failure type="${cell.status}" message="${message}">${message}. ${escapeMarkup(fix)}</failure>`
    : cell.blocks
      ? `<error type="${cell.status}" message="${message}"/>`
      : `<skipped message="${cell.status}: ${message}"/>`;
  return `${start}>\n      ${result}\n    </testcase>\n`;
}

function isFailure({ status }: Cell): boolean {
  return status === "error" || status === "warning";
}

function attributes(counts: readonly TestCounts[]): string {
  const sum = (what: keyof TestCounts) => counts.reduce((total, one) => total + one[what], 0);
  return `tests="${sum("tests")}" failures="${sum("failures")}" errors="${sum("errors")}" skipped="${sum("skipped")}" time="0"`;
}

/** JUnit schemas allow neither milliseconds nor a time zone. */
function startOf({ auditedAt }: AuditReport): string {
  return auditedAt.replace(/\.\d+Z$/, "");
}
