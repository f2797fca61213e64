/** Runs `monitoring audit`. */
import { ConfigurationError } from "../../provider/client";
import { auditAlertChannels, type AuditReport, formats, RulesError } from "../../audit";
import { version } from "../../provider/machine/packageManifest";
import { scope, verdict } from "../../audit/formats/reportText";
import { checkWritable, writeFile } from "../../audit/sources/files";
import { AuditError } from "../../audit/sources/auditError";
import { loadRules } from "../../audit/sources/loadRules";
import {
  type AuditArguments,
  readArguments,
  rejectOverwriting,
  type ReportRequest,
  writtenBy,
} from "./auditArguments";
import { loadBaseline, updateBaseline } from "./auditBaseline";
import { explanationOf, ruleList } from "./auditExplanation";
import { channelsOfService } from "./channelsOfService";
import { channelsOfState } from "./channelsOfState";
import { writeRuleFile } from "./auditInit";
import { findRuleFile, requiredRuleFile, ruleFileName } from "./auditRuleFile";
import { type CommandContext } from "../command/command";
import { exitCodes } from "../command/exitCodes";
import { print } from "../command/print";

/** @throws what `readArguments` throws */
export async function runAudit(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = readArguments(args);
  try {
    if (parsed.task) {
      await print(textOf(parsed, context), context.stdout);
      return exitCodes.success;
    }
    const report = await audit(parsed, context);
    await writeReports(parsed.quiet ? withoutWarnings(report) : report, parsed.reports, context);
    return exitCodeFor(report, parsed);
  } catch (error) {
    if (!(error instanceof AuditError || error instanceof RulesError || error instanceof ConfigurationError))
      throw error;
    context.stderr.write(`${error.message}\n`);
    return exitCodes.invalid;
  }
}

/** What a task that isn't an audit prints. */
function textOf({ task, rules, explain }: AuditArguments, { environment }: CommandContext): string {
  if (task === "version") return `${version}\n`;
  if (task === "init") return writeRuleFile(rules ?? ruleFileName, environment);
  if (task === "list-rules") return ruleList();
  const file = rules ?? findRuleFile();
  return explanationOf(explain, () => (file === undefined ? [] : loadRules(file).rules));
}

async function audit(
  {
    rules = requiredRuleFile(),
    channels: requested,
    state,
    reports,
    baseline,
    baselineChange,
  }: AuditArguments,
  { environment, stderr, now }: CommandContext,
): Promise<AuditReport> {
  rejectOverwriting(writtenBy({ reports, baseline, baselineChange }), { rules });
  const ruleSet = loadRules(rules);
  checkWritable(reports.flatMap(({ file }) => file ?? []));
  const known = baseline === undefined || baselineChange === "write" ? undefined : loadBaseline(baseline);
  const source =
    state === undefined
      ? await channelsOfService(requested, ruleSet, environment, stderr)
      : { channels: channelsOfState(state, requested, ruleSet), ruleSet };
  const report = auditAlertChannels(source.channels, source.ruleSet, { partial: requested.length > 0, now });
  if (baseline === undefined) return report;
  const { report: compared, notice } = updateBaseline(report, {
    file: baseline,
    known,
    change: baselineChange,
    isPartial: requested.length > 0,
  });
  if (notice !== undefined) stderr.write(`${notice}\n`);
  return compared;
}

async function writeReports(
  report: AuditReport,
  reports: readonly ReportRequest[],
  { environment, stdout, stderr }: CommandContext,
): Promise<void> {
  for (const { format, file } of reports) if (file !== undefined) writeFile(file, formats[format](report));
  const shown = reports.find(({ file }) => file === undefined)?.format;
  const colour = stdout.isTTY === true && !environment.NO_COLOR;
  if (shown === undefined) stderr.write(`${verdict(report.counts)} (${scope(report.counts)})\n`);
  else await print(formats[shown](report, { colour }), stdout);
}

/** The counts stay: the exit code depends on them. */
function withoutWarnings(report: AuditReport): AuditReport {
  return { ...report, findings: report.findings.filter(({ severity }) => severity === "error") };
}

function exitCodeFor({ counts }: AuditReport, { failOn, maxWarnings }: AuditArguments): number {
  const { errors, warnings, notEvaluable, blocking } = counts;
  if (blocking > 0) return exitCodes.unread;
  const counted = {
    error: errors,
    warning: errors + warnings,
    "not-evaluable": errors + warnings + notEvaluable,
    never: 0,
  }[failOn];
  return counted > 0 || warnings > maxWarnings ? exitCodes.failed : exitCodes.success;
}
