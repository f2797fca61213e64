/** Runs `monitoring audit`. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  auditAlertChannels,
  type Format,
  formatNames,
  formats,
  RulesError,
  type AuditReport,
  type Finding,
} from "../audit";
import {
  type CommandContext,
  oneOf,
  print,
  rejectDuplicates,
  rejectEmpty,
  type Token,
  UsageError,
} from "./command";
import { z } from "zod";
import { channelRead } from "../audit/rules";
import { channelKey } from "../audit/channel";
import { countsOf, fingerprintOf } from "../audit/report";
import { amount } from "../provider/texts";
import { AuditError, checkWritable, loadRules, readText, writeFile } from "../audit/sources";
import { ConfigurationError } from "../provider/client";
import { version } from "../provider/packageManifest";
import { scope, verdict } from "../audit/formats/reportText";
import {
  explanationOf,
  findRuleFile,
  requiredRuleFile,
  ruleFileName,
  ruleList,
  writeRuleFile,
} from "./auditRules";
import { channelsOfService, channelsOfState } from "./auditChannels";
import { exitCodes } from "./exitCodes";

// Parses the arguments of `monitoring audit`.

/** A report to write: to a file, or to standard output. */
interface ReportRequest {
  readonly format: Format;
  readonly file?: string;
}

const failOnLevels = ["error", "warning", "not-evaluable", "never"] as const;

/** What to do instead of an audit. */
const tasks = ["init", "list-rules", "explain", "version"] as const;

interface AuditArguments {
  /** Default: an audit. */
  readonly task?: (typeof tasks)[number];
  /** The rule to explain. */
  readonly explain: string;
  /** The rule file. Default: `audit.yaml` in the working folder or above. */
  readonly rules?: string;
  /** Ids and names; empty for all channels. */
  readonly channels: readonly string[];
  /** A stack export, instead of the service. */
  readonly state?: string;
  readonly reports: readonly ReportRequest[];
  /** Lowest level of results for which the exit code is 1. What isn't evaluable is below a warning. */
  readonly failOn: (typeof failOnLevels)[number];
  /** Number of warnings above which the exit code is 1. */
  readonly maxWarnings: number;
  /** Whether reports leave out warnings. */
  readonly quiet: boolean;
  /** File of known findings. */
  readonly baseline?: string;
  /** What to do with the file: write all findings to it, or remove those that are fixed. */
  readonly baselineChange?: "write" | "prune";
}

const text = { type: "string" } as const;
const list = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;
const options = {
  rules: text,
  channel: list,
  state: text,
  format: list,
  output: list,
  "fail-on": text,
  "max-warnings": text,
  quiet: flag,
  baseline: text,
  "write-baseline": text,
  "prune-baseline": flag,
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
  const { rules, channel = [], state, quiet = false, explain = "" } = values;
  const task = tasks.find((name) => values[name] !== undefined);
  if (task) rejectOthers(task, tokens);
  const reports = reportsIn(tokens);
  const baseline = baselineIn(values);
  if (baseline.baselineChange === "prune" && channel.length > 0)
    throw new UsageError(
      "--prune-baseline can't be combined with --channel: what depends on the other channels stays known.",
    );
  rejectOverwriting(writtenBy({ reports, ...baseline }), {
    ...(state !== undefined && { state }),
    ...(values.baseline !== undefined && { baseline: values.baseline }),
  });
  if (reports.filter(({ file }) => file === undefined).length > 1)
    throw new UsageError("Only one --format can go to standard output: give the others an --output FILE.");
  return {
    ...(task && { task }),
    explain,
    ...(rules !== undefined && { rules }),
    channels: channel,
    ...(state !== undefined && { state }),
    reports,
    failOn: oneOf(failOnLevels, "--fail-on", values["fail-on"] ?? "error"),
    maxWarnings: maxWarningsIn(values["max-warnings"]),
    quiet,
    ...baseline,
  };
}

/** An audit that an option turns off must not look like one that passed. */
function rejectOthers(task: string, tokens: readonly Token[]): void {
  const other = tokens.find(({ kind, name }) => kind === "option" && name !== task && name !== "rules");
  if (other) throw new UsageError(`--${task} can't be combined with --${other.name}.`);
}

function maxWarningsIn(given: string | undefined): number {
  if (given === undefined) return Infinity;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new UsageError(`--max-warnings must be a whole number, not ${JSON.stringify(given)}.`);
}

function baselineIn({
  baseline,
  "write-baseline": written,
  "prune-baseline": prune = false,
}: {
  baseline?: string;
  "write-baseline"?: string;
  "prune-baseline"?: boolean;
}): Pick<AuditArguments, "baseline" | "baselineChange"> {
  if (written !== undefined && (baseline !== undefined || prune))
    throw new UsageError("--write-baseline can't be combined with --baseline or --prune-baseline.");
  if (prune && baseline === undefined) throw new UsageError("--prune-baseline needs --baseline FILE.");
  if (written !== undefined) return { baseline: written, baselineChange: "write" };
  return { ...(baseline !== undefined && { baseline }), ...(prune && { baselineChange: "prune" }) };
}

/** Each `--output` belongs to the `--format` before it. */
function reportsIn(tokens: readonly Token[]): ReportRequest[] {
  const reports: ReportRequest[] = [];
  for (const { kind, name, value = "" } of tokens) {
    if (kind !== "option") continue;
    if (name === "format") reports.push({ format: oneOf(formatNames, "--format", value) });
    if (name !== "output") continue;
    const report = reports.pop();
    if (report === undefined) throw new UsageError(`--output ${value} needs a --format before it.`);
    if (report.file !== undefined)
      throw new UsageError(`--format ${report.format} has more than one --output.`);
    reports.push({ ...report, file: value });
  }
  return reports.length === 0 ? [{ format: "text" }] : reports;
}

interface Written {
  readonly option: "output" | "write-baseline";
  readonly file: string;
}

/** The files that the audit writes anew. */
function writtenBy({
  reports,
  baseline,
  baselineChange,
}: Pick<AuditArguments, "reports" | "baseline" | "baselineChange">): Written[] {
  const files = reports.flatMap(({ file }) =>
    file === undefined ? [] : { option: "output" as const, file },
  );
  if (baselineChange !== "write" || baseline === undefined) return files;
  return [...files, { option: "write-baseline", file: baseline }];
}

/** Each file is written once, and what the audit reads isn't overwritten. @param read By the option that names it. */
function rejectOverwriting(written: readonly Written[], read: Readonly<Record<string, string>>): void {
  const uses = new Map(
    Object.entries(read).map(([option, file]) => [resolvedPath(file), `is the file of --${option}`]),
  );
  for (const { option, file } of written) {
    const path = resolvedPath(file);
    const use = uses.get(path);
    if (use !== undefined) throw new UsageError(`--${option} ${file} ${use}.`);
    uses.set(path, "is given twice");
  }
}

/** The path with links resolved; the absolute path for a file that doesn't exist, or a pipe. */
function resolvedPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

// Known findings of an earlier audit: they are reported as such and don't fail, so that only new ones do.

const entry = z.strictObject({
  fingerprint: z.string(),
  rule: z.string(),
  /** For readers; missing for all channels together. */
  channel: z.string().optional(),
});
const baseline = z.strictObject({ version: z.literal(1), findings: z.array(entry) });

/** The content of a baseline file. */
type Baseline = z.output<typeof baseline>;

/** The baseline in a text, or undefined when it is none. */
function parseBaseline(text: string): Baseline | undefined {
  try {
    return baseline.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A baseline of all findings of a report. */
function baselineOf({ findings }: AuditReport): Baseline {
  const entries = findings.map(entryOf);
  return { version: 1, findings: entries.sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1)) };
}

function entryOf({ fingerprint, rule, channel }: Finding): Baseline["findings"][number] {
  return { fingerprint, rule, ...(channel && { channel: channel.name ?? String(channel.id) }) };
}

/** The report with the findings of the baseline apart from the new ones. */
function withBaseline(report: AuditReport, { findings: known }: Baseline): AuditReport {
  const fingerprints = new Set(known.map(({ fingerprint }) => fingerprint));
  const isKnown = (finding: Finding) => fingerprints.has(finding.fingerprint);
  const findings = report.findings.filter((finding) => !isKnown(finding));
  const baselined = report.findings.filter(isKnown);
  const parted = { ...report, findings, baselined };
  return { ...parted, counts: countsOf(parted) };
}

/** The entries of a baseline whose findings are fixed. One that this audit couldn't evaluate isn't. */
function fixedIn(report: AuditReport, { findings: known }: Baseline): Baseline["findings"] {
  const { findings, baselined, waived, channels, notEvaluable } = report;
  const present = new Set([...findings, ...baselined, ...waived].map(({ fingerprint }) => fingerprint));
  const unjudged = notEvaluable.map(({ rule, channel }) => fingerprintOf(rule, channel, ""));
  const isComplete = !notEvaluable.some(({ rule }) => rule === channelRead.id);
  const audited = channels.map((channel) => `/${channelKey(channel)}/`);
  return known.filter(({ fingerprint, rule }) => {
    if (present.has(fingerprint) || unjudged.some((start) => fingerprint.startsWith(start))) return false;
    const isOfAll = fingerprint.startsWith(`${rule}/all/`);
    return isOfAll ? isComplete : audited.some((key) => fingerprint.startsWith(rule + key));
  });
}

// Reads and writes baselines of `monitoring audit`.

/** @throws AuditError when the file can't be read or isn't a baseline */
function loadBaseline(file: string): Baseline {
  const found = parseBaseline(readText(file));
  if (found) return found;
  throw new AuditError(
    `${file} isn't a baseline: write one with \`monitoring audit --write-baseline ${file}\``,
  );
}

interface Change {
  readonly file: string;
  /** Undefined when a new one is written. */
  readonly known: Baseline | undefined;
  readonly change: "write" | "prune" | undefined;
  /** Whether only some channels were audited: what depends on the others is not known to be fixed. */
  readonly isPartial: boolean;
}

/** The report compared with the baseline, and what to say about the file. */
function updateBaseline(
  report: AuditReport,
  { file, known, change, isPartial }: Change,
): { report: AuditReport; notice?: string } {
  if (known === undefined) {
    const written = baselineOf(report);
    write(file, written);
    const notice = `${file}: ${amount(written.findings.length, "finding")} written as known.`;
    return { report: withBaseline(report, written), notice };
  }
  const compared = withBaseline(report, known);
  const fixed = isPartial ? [] : fixedIn(compared, known);
  if (fixed.length === 0) return { report: compared };
  const count = `${amount(fixed.length, "known finding")} ${fixed.length === 1 ? "is" : "are"} fixed`;
  if (change !== "prune") {
    return { report: compared, notice: `${file}: ${count}: remove with --prune-baseline.` };
  }
  write(file, { ...known, findings: known.findings.filter((entry) => !fixed.includes(entry)) });
  return { report: compared, notice: `${file}: ${count}, and removed.` };
}

function write(file: string, content: Baseline): void {
  writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
}

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
