/** Parses the arguments of `monitoring audit`. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Format, formatNames } from "../audit";
import { oneOf, rejectDuplicates, rejectEmpty, type Token } from "./arguments";
import { UsageError } from "./command";

/** A report to write: to a file, or to standard output. */
export interface ReportRequest {
  readonly format: Format;
  readonly file?: string;
}

const failOnLevels = ["error", "warning", "not-evaluable", "never"] as const;

export interface AuditArguments {
  /** The rule file. */
  readonly rules: string;
  /** Ids and names; empty for all channels. */
  readonly channels: readonly string[];
  /** A stack export, instead of the service. */
  readonly state?: string;
  readonly reports: readonly ReportRequest[];
  /** Lowest level of results for which the exit code is 1. What isn't evaluable is below a warning. */
  readonly failOn: (typeof failOnLevels)[number];
}

const options = {
  rules: { type: "string" },
  channel: { type: "string", multiple: true },
  state: { type: "string" },
  format: { type: "string", multiple: true },
  output: { type: "string", multiple: true },
  "fail-on": { type: "string" },
} as const;

/** @throws UsageError, or an error of `parseArgs`, for invalid arguments */
export function readArguments(args: readonly string[]): AuditArguments {
  const { values, tokens } = parseArgs({ args: [...args], options, tokens: true });
  rejectEmpty(tokens);
  rejectDuplicates(tokens, ["channel", "format", "output"]);
  const { rules, channel = [], state } = values;
  if (rules === undefined) throw new UsageError("--rules FILE is required.");
  const reports = reportsIn(tokens);
  rejectOverwriting(reports, { rules, state });
  return {
    rules,
    channels: channel,
    ...(state !== undefined && { state }),
    reports,
    failOn: oneOf(failOnLevels, "--fail-on", values["fail-on"] ?? "error"),
  };
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
  if (reports.length === 0) return [{ format: "text" }];
  rejectSharedOutputs(reports);
  return reports;
}

function rejectOverwriting(
  reports: readonly ReportRequest[],
  sources: Record<string, string | undefined>,
): void {
  for (const [option, source] of Object.entries(sources)) {
    const over = reports.find(({ file }) => file && source && resolvedPath(file) === resolvedPath(source));
    if (over) throw new UsageError(`--output ${over.file} is the file of --${option}.`);
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

function rejectSharedOutputs(reports: readonly ReportRequest[]): void {
  const paths = reports.map(({ file }) => file && resolvedPath(file));
  const duplicate = reports.find((_, index) => paths.indexOf(paths[index]) !== index);
  if (paths.filter((path) => path === undefined).length > 1) {
    throw new UsageError("Only one --format can go to standard output: give the others an --output FILE.");
  }
  if (duplicate) throw new UsageError(`--output ${duplicate.file} is given twice.`);
}
