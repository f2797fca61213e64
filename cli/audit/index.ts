/**
 * Runs `monitoring audit`: reads the channels and the rules, compares the findings with a baseline, writes the reports, and
 * turns the result into an exit code.
 */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import {
  type AuditReport,
  Baseline,
  channelList,
  type Format,
  formats,
  readRules,
  type Rules,
  RulesError,
  summaryOf,
} from "../../audit";
import { checkWritable, loadRules, pathInRepository, readText, writeFile } from "../../audit/sources";
import { ConfigurationError } from "../../provider/client";
import { amount, oneLine } from "../../provider/texts";
import { auditChannels } from "./channels";
import { findRuleFile, requiredRuleFile, taskOptions, taskText } from "./tasks";
import { type Arguments, type CommandContext, CommandError, hasColor, print, UsageError } from "../command";
import type * as definitions from "../definitions";
import { exitCodes } from "../exitCodes";

/** A report to write: to a file, or to standard output. */
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
  const reports = reportsIn(args);
  try {
    if (task) {
      await print(await taskText(values, context.environment), context.stdout);
      return exitCodes.success;
    }
    const report = await audit(values, reports, context);
    await writeReports(values.quiet ? withoutWarnings(report) : report, reports, values.suppressed, context);
    const { warnings } = report.counts;
    if (warnings > Number(maxWarnings))
      stderr.write(`${amount(warnings, "warning")}, and --max-warnings allows ${maxWarnings}.\n`);
    return exitCodeFor(report, values);
  } catch (error) {
    if (!(error instanceof RulesError || error instanceof ConfigurationError)) throw error;
    stderr.write(`${error.message}\n`);
    return exitCodes.invalid;
  }
}

function rejectConflicts({ values, given }: Args, task: (typeof taskOptions)[number] | undefined): void {
  // An audit that doesn't run must not look like one that passed.
  const other = given.find(({ name }) => name !== task && name !== "rules");
  if (task && other) throw new UsageError(`--${task} can't be combined with --${other.name}.`);
  const { all, baseline, channel, "write-baseline": newBaseline, stack, state } = values;
  if (all && channel.length > 0)
    throw new UsageError("--all takes all channels: it can't be combined with --channel.");
  if (newBaseline !== undefined && baseline !== undefined)
    throw new UsageError("--write-baseline can't be combined with --baseline.");
  if (newBaseline !== undefined && channel.length > 0)
    throw new UsageError("--write-baseline takes all channels: it can't be combined with --channel.");
  if (state !== undefined && stack !== undefined && !all)
    throw new UsageError("--state reads no settings: it can't be combined with --stack.");
}

/** Each `--output` belongs to the `--format` before it. */
function reportsIn({ values, given }: Args): ReportRequest[] {
  const reports: ReportRequest[] = [];
  for (const { name, value } of given) {
    if (name === "format") reports.push({ format: value });
    if (name !== "output") continue;
    const report = reports.pop();
    if (report === undefined) throw new UsageError(`--output ${value} needs a --format before it.`);
    if (report.file !== undefined)
      throw new UsageError(`--format ${report.format} has more than one --output.`);
    reports.push(value === "-" ? report : { ...report, file: value });
  }
  if (reports.filter(({ file }) => file === undefined).length > 1)
    throw new UsageError("Only one --format can go to standard output: give the others an --output FILE.");
  return reports.length === 0 ? values.format.map((format) => ({ format })) : reports;
}

async function audit(
  {
    all,
    rules = all ? findRuleFile() : requiredRuleFile(),
    channel,
    state,
    stack,
    pulumi,
    baseline,
    "write-baseline": newBaseline,
  }: Args["values"],
  reports: readonly ReportRequest[],
  context: CommandContext,
): Promise<AuditReport> {
  const { stderr } = context;
  const files = reports.flatMap(({ file }) => file ?? []);
  rejectOverwriting({ output: files, "write-baseline": newBaseline }, { rules, state, baseline });
  const ruleSet = rules === undefined ? readRules(defaultRules(state !== undefined)) : loadRules(rules);
  checkWritable(files);
  const accepted = baseline === undefined ? undefined : loadBaseline(baseline);
  const partial = channel.length > 0;
  const isOfAll = all || (ruleSet.allChannels && channel.length === 0);
  const request = { isOfAll, channels: channel, state, stack, pulumi };
  const report = await auditChannels(request, ruleSet, context);
  if (newBaseline !== undefined) {
    const written = Baseline.of(report);
    await writeFile(newBaseline, written.text);
    stderr.write(`${newBaseline}: ${amount(written.size, "finding")} written as known.\n`);
    return written.compare(report);
  }
  if (baseline === undefined || accepted === undefined) return report;
  const compared = accepted.compare(report);
  // Findings of channels that this audit left out may persist.
  const fixed = partial ? 0 : accepted.fixedIn(compared);
  const gone = isOfAll ? accepted.goneFrom(compared) : [];
  const names = [...new Set(gone.flatMap(({ channel = [] }) => channel))];
  const said = [
    ...(fixed > 0 ? [`${amount(fixed, "known finding")} ${fixed === 1 ? "is" : "are"} fixed`] : []),
    ...(names.length > 0
      ? [
          `${amount(names.length, "channel")} with known findings ${names.length === 1 ? "is" : "are"} gone (${oneLine(channelList(names))})`,
        ]
      : []),
  ];
  if (said.length > 0)
    stderr.write(`${baseline}: ${said.join(", ")}: write the file again with --write-baseline.\n`);
  return compared;
}

/** @param isCompared True if the channels are compared with those of a stack. */
const defaultRules = (isCompared: boolean): Rules => ({
  extends: "recommended",
  ...(isCompared && { rules: { "unlisted-channel": "warning" } }),
});

async function writeReports(
  report: AuditReport,
  reports: readonly ReportRequest[],
  suppressed: boolean,
  { environment, stdout, stderr }: CommandContext,
): Promise<void> {
  const options = { suppressed, pathOf: pathInRepository };
  for (const { format, file } of reports)
    if (file !== undefined) await writeFile(file, formats[format](report, options));
  const printed = reports.find(({ file }) => file === undefined)?.format;
  if (printed === undefined) stderr.write(`${summaryOf(report.counts)}\n`);
  else {
    const terminal = {
      colour: hasColor(stdout, environment),
      columns: stdout.isTTY ? stdout.columns : undefined,
    };
    await print(formats[printed](report, { ...options, ...terminal }), stdout);
  }
}

/** Removes warnings from the findings, but not from the counts, on which the exit code depends. */
function withoutWarnings(report: AuditReport): AuditReport {
  return { ...report, findings: report.findings.filter(({ severity }) => severity === "error") };
}

function exitCodeFor(
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

type Files = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Rejects a file that is written twice, or that the audit also reads. All are given by the option that names them. */
function rejectOverwriting(outputs: Files, inputs: Files): void {
  const uses = new Map(
    optionFiles(inputs).map(({ option, file }) => [resolvedPath(file), `is the file of --${option}`]),
  );
  for (const { option, file } of optionFiles(outputs)) {
    const path = resolvedPath(file);
    const use = uses.get(path);
    if (use !== undefined) throw new UsageError(`--${option} ${file} ${use}.`);
    uses.set(path, "is given twice");
  }
}

const optionFiles = (files: Files) =>
  Object.entries(files).flatMap(([option, each = []]) => [each].flat().map((file) => ({ option, file })));

/** Returns the path with links resolved; the absolute path of a file that doesn't exist, or of a pipe. */
function resolvedPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

/** @throws FileError when the file can't be read, CommandError when it isn't a baseline */
function loadBaseline(file: string): Baseline {
  const content = Baseline.parse(readText(file));
  if (content) return content;
  throw new CommandError(
    `${file} isn't a baseline: write one with \`monitoring audit --write-baseline ${file}\``,
  );
}
