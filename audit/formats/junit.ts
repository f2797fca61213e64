/** JUnit XML: a suite for each rule, a test case for each channel that it applies to. */
import type { AuditReport, RuleResult } from "../report";
import { severities } from "../rule";
import { escape } from "../../provider/api/markup";
import { type Cell, type Row, rowsOf } from "./matrix";
import { channelLabel } from "./reportText";

export function junit(report: AuditReport): string {
  const rows = rowsOf(report).map((row) => ({ row, name: escape(channelLabel(row.channel)) }));
  const suites = report.rules
    .map((rule) => ({ rule, counts: countsOf(rule, rows) }))
    .filter(({ counts }) => counts.tests > 0)
    .sort((a, b) => severities.indexOf(a.rule.severity) - severities.indexOf(b.rule.severity));
  const shown = suites.map(({ rule, counts }) => {
    const cases = rows.flatMap(({ row, name }) => {
      const cell = row.cell(rule.id);
      return cell ? caseOf(rule, name, cell) : [];
    });
    return `  <testsuite name="${escape(rule.title)}" timestamp="${startOf(report)}" ${attributes([counts])}>
${cases.join("")}  </testsuite>
`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Alert channel audit" ${attributes(suites.map(({ counts }) => counts))}>
${shown.join("")}</testsuites>
`;
}

interface TestCounts {
  tests: number;
  failures: number;
  skipped: number;
}

function countsOf({ id }: RuleResult, rows: readonly { row: Row }[]): TestCounts {
  const counts = { tests: 0, failures: 0, skipped: 0 };
  for (const { row } of rows) {
    const cell = row.cell(id);
    if (cell === undefined) continue;
    counts.tests += 1;
    if (isFailure(cell)) counts.failures += 1;
    if (isSkipped(cell)) counts.skipped += 1;
  }
  return counts;
}

function caseOf({ id, fix }: RuleResult, name: string, cell: Cell): string {
  const start = `    <testcase classname="${escape(id)}" name="${name}" time="0"`;
  const message = escape(cell.messages.join("; "));
  if (isFailure(cell)) {
    const failure = `<failure type="${cell.status}" message="${message}">${message}. ${escape(fix)}</failure>`;
    return `${start}>\n      ${failure}\n    </testcase>\n`;
  }
  if (isSkipped(cell)) {
    return `${start}>\n      <skipped message="${cell.status}: ${message}"/>\n    </testcase>\n`;
  }
  return `${start}/>\n`;
}

function isFailure({ status }: Cell): boolean {
  return status === "error" || status === "warning";
}

function isSkipped({ status }: Cell): boolean {
  return status === "waived" || status === "known" || status === "not evaluable";
}

function attributes(counts: readonly TestCounts[]): string {
  const sum = (what: keyof TestCounts) => counts.reduce((total, one) => total + one[what], 0);
  return `tests="${sum("tests")}" failures="${sum("failures")}" errors="0" skipped="${sum("skipped")}" time="0"`;
}

/** JUnit schemas allow neither milliseconds nor a time zone. */
function startOf({ auditedAt }: AuditReport): string {
  return auditedAt.replace(/\.\d+Z$/, "");
}
