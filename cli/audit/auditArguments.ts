/** Parses the arguments of `monitoring audit`. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Format, formatNames } from "../../audit";
import { oneOf, rejectDuplicates, rejectEmpty, type Token } from "../command/commandArguments";
import { UsageError } from "../command/command";

/** A report to write: to a file, or to standard output. */
export interface ReportRequest {
  readonly format: Format;
  readonly file?: string;
}

const failOnLevels = ["error", "warning", "not-evaluable", "never"] as const;

/** What to do instead of an audit. */
const tasks = ["init", "list-rules", "explain", "version"] as const;

export interface AuditArguments {
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
export function readArguments(args: readonly string[]): AuditArguments {
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
export function writtenBy({
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
export function rejectOverwriting(written: readonly Written[], read: Readonly<Record<string, string>>): void {
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
