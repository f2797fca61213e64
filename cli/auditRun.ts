/** Runs `monitoring audit`. */
import { ConfigurationError } from "../provider/client";
import { auditAlertChannels, type AuditReport, RulesError } from "../audit";
import { pieces } from "../audit/formats";
import { scope, verdict } from "../audit/formats/reportText";
import { checkWritable, writeOutputs } from "../audit/sources/reportFiles";
import { AuditError } from "../audit/sources/auditError";
import { loadRules } from "../audit/sources/loadRules";
import { type AuditArguments, readArguments, type ReportRequest } from "./auditArguments";
import { fromService, fromState } from "./auditSources";
import type { CommandContext } from "./command";
import { print } from "./print";

const exitCodes = { clean: 0, findings: 1, invalid: 2, unreadable: 3 } as const;

/** @throws what `readArguments` throws */
export async function runAudit(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = readArguments(args);
  try {
    const report = await audit(parsed, context);
    await writeReports(report, parsed.reports, context);
    return exitCodeFor(report, parsed.failOn);
  } catch (error) {
    if (!(error instanceof AuditError || error instanceof RulesError || error instanceof ConfigurationError))
      throw error;
    context.stderr.write(`${error.message}\n`);
    return exitCodes.invalid;
  }
}

async function audit(
  { rules, channels: requested, state, reports }: AuditArguments,
  { environment, stderr, now }: CommandContext,
): Promise<AuditReport> {
  const ruleSet = loadRules(rules);
  checkWritable(reports.flatMap(({ file }) => file ?? []));
  const source =
    state === undefined
      ? await fromService(requested, ruleSet, environment, stderr)
      : { channels: fromState(state, requested, ruleSet), ruleSet };
  return auditAlertChannels(source.channels, source.ruleSet, { partial: requested.length > 0, now });
}

async function writeReports(
  report: AuditReport,
  reports: readonly ReportRequest[],
  { environment, stdout, stderr }: CommandContext,
): Promise<void> {
  writeOutputs(
    reports.flatMap(({ format, file }) =>
      file === undefined ? [] : [{ file, text: pieces[format](report, {}) }],
    ),
  );
  const shown = reports.find(({ file }) => file === undefined)?.format;
  const colour = stdout.isTTY === true && !environment.NO_COLOR;
  if (shown === undefined) stderr.write(`${verdict(report.counts)} (${scope(report.counts)})\n`);
  else await print(pieces[shown](report, { colour }), stdout);
}

function exitCodeFor({ counts }: AuditReport, failOn: AuditArguments["failOn"]): number {
  if (counts.unreadable > 0) return exitCodes.unreadable;
  const { errors, warnings, notEvaluable } = counts;
  const counted = {
    error: errors,
    warning: errors + warnings,
    "not-evaluable": errors + warnings + notEvaluable,
    never: 0,
  }[failOn];
  return counted > 0 ? exitCodes.findings : exitCodes.clean;
}
