/** What `monitoring audit` was asked for. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Format, formatNames } from "../audit";
import { UsageError } from "./command";

/** A report to write: to a file, or to standard output. */
export interface WantedReport {
  readonly format: Format;
  readonly file?: string;
}

const failOnLevels = ["error", "warning", "never"] as const;

export interface AuditArguments {
  /** The rule file. */
  readonly rules: string;
  /** Ids and names; empty for all channels. */
  readonly channels: readonly string[];
  /** A stack export, instead of the service. */
  readonly state?: string;
  readonly reports: readonly WantedReport[];
  /** From which findings on the exit code is 1. */
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

/** @throws UsageError, or what `parseArgs` throws, for arguments that can't be meant */
export function readArguments(args: readonly string[]): AuditArguments {
  const { values, tokens } = parseArgs({ args: [...args], options, tokens: true });
  refuseEmpty(tokens);
  refuseSecond(tokens);
  const { rules, channel = [], state } = values;
  if (rules === undefined) throw new UsageError("--rules FILE is missing.");
  const reports = reportsIn(tokens);
  refuseOverwriting(reports, { rules, state });
  return {
    rules,
    channels: channel,
    ...(state !== undefined && { state }),
    reports,
    failOn: oneOf(failOnLevels, "--fail-on", values["fail-on"] ?? "error"),
  };
}

interface Token {
  readonly kind: string;
  readonly name?: string;
  readonly value?: string;
}

/** Each `--output` belongs to the `--format` before it. */
function reportsIn(tokens: readonly Token[]): WantedReport[] {
  const reports: WantedReport[] = [];
  for (const { kind, name, value = "" } of tokens) {
    if (kind !== "option") continue;
    if (name === "format") reports.push({ format: oneOf(formatNames, "--format", value) });
    if (name !== "output") continue;
    const report = reports.pop();
    if (report === undefined) throw new UsageError(`--output ${value} needs a --format before it.`);
    if (report.file !== undefined)
      throw new UsageError(`--output ${value} is the second one of --format ${report.format}.`);
    reports.push({ ...report, file: value });
  }
  if (reports.length === 0) return [{ format: "text" }];
  refuseMixing(reports);
  return reports;
}

function refuseEmpty(tokens: readonly Token[]): void {
  const empty = tokens.find(({ kind, value }) => kind === "option" && value === "");
  if (empty) throw new UsageError(`--${empty.name} must not be empty.`);
}

const repeatable: readonly string[] = ["channel", "format", "output"];

/** The last one would win, and an audit by half of the rules looks like good news. */
function refuseSecond(tokens: readonly Token[]): void {
  const given = new Set<string>();
  for (const { name, value } of tokens) {
    if (name === undefined || repeatable.includes(name)) continue;
    if (given.has(name)) throw new UsageError(`--${name} ${value} is the second one: give one.`);
    given.add(name);
  }
}

function refuseOverwriting(
  reports: readonly WantedReport[],
  sources: Record<string, string | undefined>,
): void {
  for (const [option, source] of Object.entries(sources)) {
    const over = reports.find(({ file }) => file && source && placeOf(file) === placeOf(source));
    if (over) throw new UsageError(`--output ${over.file} is the file of --${option}.`);
  }
}

/** Where a file is in truth: links lead elsewhere. What isn't there yet, or is a pipe, has no such place. */
function placeOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

function refuseMixing(reports: readonly WantedReport[]): void {
  const places = reports.map(({ file }) => file && placeOf(file));
  const twice = reports.find((_, index) => places.indexOf(places[index]) !== index);
  if (places.filter((place) => place === undefined).length > 1) {
    throw new UsageError("Only one --format can go to standard output: give the others an --output FILE.");
  }
  if (twice) throw new UsageError(`--output ${twice.file} is given twice.`);
}

function oneOf<const Values extends readonly string[]>(
  values: Values,
  option: string,
  value: string,
): Values[number] {
  const found = values.find((one) => one === value);
  if (found !== undefined) return found;
  throw new UsageError(`${option} must be one of ${values.join(", ")}, not ${JSON.stringify(value)}.`);
}
