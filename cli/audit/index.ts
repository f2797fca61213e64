/** Runs `monitoring audit`: reads the channels and the rules, writes the reports, and converts the result to an exit code. */
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { stringify } from "yaml";
import {
  type AuditReport,
  type Format,
  formats,
  groupIdsByName,
  isId,
  loadRules,
  metaRules,
  readRules,
  type RuleSet,
  RulesError,
  formatSummary,
} from "../../audit";
import { ConfigurationError } from "../../provider/client";
import { checkWritable, toRepositoryPath, writeFile } from "../../provider/files";
import { formatCount } from "../../provider/texts";
import { auditChannels, auditPlan } from "./channels";
import { findRuleFile, requireRuleFile, taskOptions, runTask } from "./tasks";
import { type Arguments, type CommandContext, hasColor, print, UsageError } from "../command";
import type * as definitions from "../definitions";
import { exitCodes } from "../exitCodes";

/** A report to write to a file or to standard output. */
interface ReportRequest {
  readonly format: Format;
  readonly file?: string;
}

type Args = Arguments<typeof definitions.audit>;

/** @throws UsageError for options that can't be combined */
export async function runAudit(args: Args, context: CommandContext): Promise<number> {
  const { values, given } = args;
  const { "max-warnings": maxWarnings = "Infinity" } = values;
  const { stderr } = context;
  const task = taskOptions.find((name) => given.some((each) => each.name === name));
  rejectConflicts(args, task);
  if (values.accept !== undefined && values.accept < context.now.toISOString().slice(0, 10))
    throw new UsageError(`--accept ${values.accept} has passed. Set today (UTC) or a later day.`);
  const reports = parseReportRequests(args);
  try {
    if (task) {
      await print(await runTask(values, context.environment), context.stdout);
      return exitCodes.success;
    }
    const [report, rules] = await audit(values, reports, context);
    if (values.accept !== undefined) {
      await print(formatExceptions(report, rules, values.accept), context.stdout);
      if (report.counts.blocking === 0) return exitCodes.success;
      stderr.write(`${formatSummary(report.counts)}. Run the audit without --accept to see the reasons.\n`);
      return exitCodes.unread;
    }
    await writeReports(report, reports, context);
    const { warnings } = report.counts;
    if (warnings > Number(maxWarnings))
      stderr.write(
        `Found ${formatCount(warnings, "warning")}, but --max-warnings allows only ${maxWarnings}.\n`,
      );
    return getExitCode(report, values);
  } catch (error) {
    if (!(error instanceof RulesError || error instanceof ConfigurationError)) throw error;
    stderr.write(`${error.message}\n`);
    return exitCodes.invalid;
  }
}

function rejectConflicts({ values, given }: Args, task: (typeof taskOptions)[number] | undefined): void {
  // Reject other options, because a command that doesn't run an audit must not look like a passed audit.
  const other = given.find(({ name }) => name !== task && name !== "rules");
  if (task && other) throw new UsageError(`--${task} can't be combined with --${other.name}.`);
  const { accept, all, channel, plan } = values;
  const source = given.find(({ name }) => ["all", "channel", "stack"].includes(name));
  if (plan !== undefined && source)
    throw new UsageError(
      `--plan can't be combined with --${source.name}, because the plan already contains the channels.`,
    );
  if (all && channel.length > 0)
    throw new UsageError("--all can't be combined with --channel, because it already audits all channels.");
  if (accept !== undefined && given.some(({ name }) => name === "format" || name === "output"))
    throw new UsageError(
      "--accept can't be combined with --format or --output, because it prints exceptions instead of a report.",
    );
}

/** Returns the requested reports. Each `--output` belongs to the `--format` before it. */
function parseReportRequests({ values, given }: Args): ReportRequest[] {
  const reports: ReportRequest[] = [];
  for (const { name, value } of given) {
    if (name === "format") reports.push({ format: value });
    if (name !== "output") continue;
    const report = reports.pop();
    if (report === undefined) throw new UsageError(`--output ${value} must follow a --format.`);
    if (report.file !== undefined)
      throw new UsageError(`--format ${report.format} has more than one --output.`);
    reports.push(value === "-" ? report : { ...report, file: value });
  }
  if (reports.filter(({ file }) => file === undefined).length > 1)
    throw new UsageError(
      "Only one --format can use standard output. Add --output FILE to the other formats.",
    );
  return reports.length === 0 ? values.format.map((format) => ({ format })) : reports;
}

async function audit(
  values: Args["values"],
  reports: readonly ReportRequest[],
  context: CommandContext,
): Promise<[AuditReport, RuleSet]> {
  const { all, channel, plan, stack, pulumi } = values;
  const { rules = all || plan !== undefined ? findRuleFile() : requireRuleFile() } = values;
  const files = reports.flatMap(({ file }) => file ?? []);
  rejectOverwriting(files, { rules, plan });
  const ruleSet = rules === undefined ? readRules({ extends: "recommended" }) : loadRules(rules);
  checkWritable(files);
  if (plan !== undefined) return [await auditPlan(plan, ruleSet, context), ruleSet];
  const isOfAll = all || (ruleSet.allChannels && channel.length === 0);
  const request = { isOfAll, channels: channel, stack, pulumi };
  return [await auditChannels(request, ruleSet, context), ruleSet];
}

/**
 * Returns an exception for each channel with findings: the section of a rule file, or the items to append if the file already contains
 * exceptions.
 */
function formatExceptions({ findings, channels }: AuditReport, rules: RuleSet, until: string): string {
  const byChannel = new Map<string | number | undefined, Record<string, "off">>();
  const idsByName = groupIdsByName(channels, rules);
  const isShared = (name: string) => (idsByName.get(name.normalize())?.size ?? 0) > 1;
  for (const { rule, channel } of findings) {
    const { id, name = id, origin = id } = channel ?? {};
    // An exception treats a name of digits as an ID, and rejects a name of several channels.
    const named = name !== undefined && (isId(name) || isShared(name)) ? origin : name;
    // An exception can't accept a finding on an exception.
    if (!metaRules.some(({ id }) => id === rule))
      byChannel.set(named, { ...byChannel.get(named), [rule]: "off" });
  }
  const reason = "Accepted when audits were introduced";
  const entries = [...byChannel].map(([channel, rules]) => ({
    ...(channel !== undefined && { channel }),
    ...{ rules, reason, until },
  }));
  const section = entries.length === 0 ? "" : stringify({ exceptions: entries });
  return rules.exceptions.length === 0 ? section : section.replace(/^exceptions:\n/, "");
}

async function writeReports(
  report: AuditReport,
  reports: readonly ReportRequest[],
  { environment, stdout, stderr }: CommandContext,
): Promise<void> {
  const options = { pathOf: toRepositoryPath };
  for (const { format, file } of reports)
    if (file !== undefined) await writeFile(file, formats[format].listParts(report, options));
  const printed = reports.find(({ file }) => file === undefined)?.format;
  if (printed === undefined) stderr.write(`${formatSummary(report.counts)}\n`);
  else {
    const terminal = {
      color: hasColor(stdout, environment),
      columns: stdout.isTTY ? stdout.columns : undefined,
    };
    await print(formats[printed].listParts(report, { ...options, ...terminal }), stdout);
  }
}

function getExitCode(
  { counts }: AuditReport,
  { "fail-on": failOn, "max-warnings": maxWarnings = "Infinity" }: Args["values"],
): number {
  const { errors, warnings, notEvaluable, blocking } = counts;
  if (blocking > 0) return exitCodes.unread;
  const counted = {
    error: errors,
    warning: errors + warnings,
    "not-evaluable": errors + warnings + notEvaluable,
    never: 0,
  }[failOn];
  return counted > 0 || warnings > Number(maxWarnings) ? exitCodes.failed : exitCodes.success;
}

/** Rejects a file that is written twice, or that the audit also reads. The keys of `inputs` are the names of the options. */
function rejectOverwriting(
  outputs: readonly string[],
  inputs: Readonly<Record<string, string | undefined>>,
): void {
  const uses = new Map<string, string>();
  for (const [option, file] of Object.entries(inputs))
    if (file !== undefined) uses.set(resolvePath(file), `is also the file of --${option}`);
  for (const file of outputs) {
    const path = resolvePath(file);
    const use = uses.get(path);
    if (use !== undefined) throw new UsageError(`--output ${file} ${use}.`);
    uses.set(path, "is given twice");
  }
}

/** Returns the path with symbolic links resolved, for a new file those of its folder. For a pipe, returns the absolute path. */
function resolvePath(file: string): string {
  const path = resolve(file);
  try {
    return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}
