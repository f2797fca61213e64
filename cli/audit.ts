/**
 * Runs `monitoring audit`: reads the channels and the rules, compares the findings with a baseline, writes the reports, and
 * turns the result into an exit code.
 */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  auditAlertChannels,
  type AuditReport,
  Baseline,
  type Format,
  formatNames,
  formats,
  RulesError,
  summaryOf,
} from "../audit";
import { checkWritable, documentOf, loadRules, readText, writeFile } from "../audit/sources";
import { ConfigurationError } from "../provider/client";
import { amount } from "../provider/texts";
import { channelsToAudit } from "./auditChannels";
import { requiredRuleFile, type Task, tasks } from "./auditTasks";
import {
  choiceOf,
  type CommandContext,
  CommandError,
  isCommandFailure,
  print,
  rejectDuplicates,
  rejectEmpty,
  type Token,
  UsageError,
} from "./command";
import { exitCodes } from "./exitCodes";

/** @throws what `readArguments` throws */
export async function runAudit(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = readArguments(args);
  try {
    if (parsed.task) {
      await print(parsed.task.text(parsed, context.environment), context.stdout);
      return exitCodes.success;
    }
    const report = await audit(parsed, context);
    await writeReports(parsed.quiet ? withoutWarnings(report) : report, parsed, context);
    return exitCodeFor(report, parsed);
  } catch (error) {
    if (!(isCommandFailure(error) || error instanceof RulesError || error instanceof ConfigurationError))
      throw error;
    context.stderr.write(`${error.message}\n`);
    return exitCodes.invalid;
  }
}

async function audit(
  { rules = requiredRuleFile(), channels, state, stack, reports, baseline, newBaseline }: AuditArguments,
  { environment, stderr, now }: CommandContext,
): Promise<AuditReport> {
  rejectOverwriting(outputsOf({ reports, newBaseline }), { rules });
  const ruleSet = loadRules(rules);
  checkWritable(reports.flatMap(({ file }) => file ?? []));
  const accepted = baseline === undefined ? undefined : loadBaseline(baseline);
  const source = await channelsToAudit({ channels, state, stack }, ruleSet, environment, stderr);
  const partial = channels.length > 0;
  const report = auditAlertChannels(source.channels, source.ruleSet, { partial, now });
  if (newBaseline !== undefined) {
    const written = Baseline.of(report);
    writeFile(newBaseline, written.text);
    stderr.write(`${newBaseline}: ${amount(written.size, "finding")} written as known.\n`);
    return written.compare(report);
  }
  if (baseline === undefined || accepted === undefined) return report;
  const compared = accepted.compare(report);
  // Findings of channels that this audit left out may persist.
  const fixed = partial ? 0 : accepted.fixedIn(compared);
  if (fixed > 0) {
    const count = `${amount(fixed, "known finding")} ${fixed === 1 ? "is" : "are"} fixed`;
    stderr.write(`${baseline}: ${count}: write the file again with --write-baseline.\n`);
  }
  return compared;
}

async function writeReports(
  report: AuditReport,
  { reports, suppressed }: AuditArguments,
  { environment, stdout, stderr }: CommandContext,
): Promise<void> {
  for (const { format, file } of reports)
    if (file !== undefined) writeFile(file, documentOf(format, report, suppressed));
  const printed = reports.find(({ file }) => file === undefined)?.format;
  const colour = stdout.isTTY === true && !environment.NO_COLOR;
  if (printed === undefined) stderr.write(`${summaryOf(report.counts)}\n`);
  else if (printed === "text") await print(formats.text(report, { colour }), stdout);
  else await print(documentOf(printed, report, suppressed), stdout);
}

/** Removes warnings from the findings, but not from the counts, on which the exit code depends. */
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

/** A report to write: to a file, or to standard output. */
interface ReportRequest {
  readonly format: Format;
  readonly file?: string;
}

const failOnLevels = ["error", "warning", "not-evaluable", "never"] as const;

interface AuditArguments {
  /** Task to do instead of an audit. */
  readonly task?: Task;
  /** The rule to explain. */
  readonly explain: string;
  /** The rule file. Default: the one that `requiredRuleFile` finds. */
  readonly rules?: string;
  /** Ids and names; empty for all channels. */
  readonly channels: readonly string[];
  /** A stack export, instead of the service. */
  readonly state?: string;
  /** The stack whose settings count too. Default: the environment variables alone. */
  readonly stack?: string;
  readonly reports: readonly ReportRequest[];
  /** Lowest level of results for which the exit code is 1. A result that isn't evaluable is below a warning. */
  readonly failOn: (typeof failOnLevels)[number];
  /** Number of warnings above which the exit code is 1. */
  readonly maxWarnings: number;
  /** True if reports leave out warnings. */
  readonly quiet: boolean;
  /** True if SARIF has waived and known findings, with a suppression. */
  readonly suppressed: boolean;
  /** File of known findings. */
  readonly baseline?: string;
  /** File to which all findings are written as known. */
  readonly newBaseline?: string;
}

const text = { type: "string" } as const;
const list = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;
const options = {
  rules: text,
  channel: list,
  state: text,
  stack: text,
  format: list,
  output: list,
  "fail-on": text,
  "max-warnings": text,
  quiet: flag,
  suppressed: flag,
  baseline: text,
  "write-baseline": text,
  init: flag,
  "list-rules": flag,
  explain: text,
  version: flag,
} as const;

/** @throws UsageError, or an error of `parseArgs`, for invalid arguments */
function readArguments(args: readonly string[]): AuditArguments {
  const { values, tokens } = parseArgs({ args: [...args], options, tokens: true });
  rejectEmpty(tokens);
  rejectDuplicates(tokens, ["channel", "format", "output"]);
  const {
    rules,
    channel = [],
    state,
    stack,
    quiet = false,
    suppressed = false,
    explain = "",
    baseline,
  } = values;
  const newBaseline = values["write-baseline"];
  const task = tasks.find(({ name }) => values[name] !== undefined);
  if (task) rejectOthers(task.name, tokens);
  if (newBaseline !== undefined && baseline !== undefined)
    throw new UsageError("--write-baseline can't be combined with --baseline.");
  if (newBaseline !== undefined && channel.length > 0)
    throw new UsageError("--write-baseline takes all channels: it can't be combined with --channel.");
  if (state !== undefined && stack !== undefined)
    throw new UsageError("--state reads no settings: it can't be combined with --stack.");
  const reports = reportsIn(tokens);
  rejectOverwriting(outputsOf({ reports, newBaseline }), {
    ...(state !== undefined && { state }),
    ...(baseline !== undefined && { baseline }),
  });
  if (reports.filter(({ file }) => file === undefined).length > 1)
    throw new UsageError("Only one --format can go to standard output: give the others an --output FILE.");
  return {
    ...(task && { task }),
    explain,
    ...(rules !== undefined && { rules }),
    channels: channel,
    ...(state !== undefined && { state }),
    ...(stack !== undefined && { stack }),
    reports,
    failOn: choiceOf(failOnLevels, "--fail-on", values["fail-on"] ?? "error"),
    maxWarnings: maxWarningsIn(values["max-warnings"]),
    quiet,
    suppressed,
    ...(baseline !== undefined && { baseline }),
    ...(newBaseline !== undefined && { newBaseline }),
  };
}

/** Rejects options beside a task: an audit that doesn't run must not look like one that passed. */
function rejectOthers(task: string, tokens: readonly Token[]): void {
  const other = tokens.find(({ kind, name }) => kind === "option" && name !== task && name !== "rules");
  if (other) throw new UsageError(`--${task} can't be combined with --${other.name}.`);
}

function maxWarningsIn(text: string | undefined): number {
  if (text === undefined) return Infinity;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--max-warnings must be a whole number, not ${JSON.stringify(text)}.`);
}

/** Each `--output` belongs to the `--format` before it. */
function reportsIn(tokens: readonly Token[]): ReportRequest[] {
  const reports: ReportRequest[] = [];
  for (const { kind, name, value = "" } of tokens) {
    if (kind !== "option") continue;
    if (name === "format") reports.push({ format: choiceOf(formatNames, "--format", value) });
    if (name !== "output") continue;
    const report = reports.pop();
    if (report === undefined) throw new UsageError(`--output ${value} needs a --format before it.`);
    if (report.file !== undefined)
      throw new UsageError(`--format ${report.format} has more than one --output.`);
    reports.push({ ...report, file: value });
  }
  return reports.length === 0 ? [{ format: "text" }] : reports;
}

interface OutputFile {
  readonly option: "output" | "write-baseline";
  readonly file: string;
}

/** The files that the audit writes. */
function outputsOf({
  reports,
  newBaseline,
}: {
  readonly reports: readonly ReportRequest[];
  readonly newBaseline: string | undefined;
}): OutputFile[] {
  const files = reports.flatMap(({ file }) =>
    file === undefined ? [] : { option: "output" as const, file },
  );
  return newBaseline === undefined ? files : [...files, { option: "write-baseline", file: newBaseline }];
}

/** Rejects a file that is written twice, or that the audit also reads. @param inputs Files by the option that names them. */
function rejectOverwriting(outputs: readonly OutputFile[], inputs: Readonly<Record<string, string>>): void {
  const uses = new Map(
    Object.entries(inputs).map(([option, file]) => [resolvedPath(file), `is the file of --${option}`]),
  );
  for (const { option, file } of outputs) {
    const path = resolvedPath(file);
    const use = uses.get(path);
    if (use !== undefined) throw new UsageError(`--${option} ${file} ${use}.`);
    uses.set(path, "is given twice");
  }
}

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
