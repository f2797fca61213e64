/** Runs `monitoring audit`. */
import { pipeline } from "node:stream/promises";
import { types } from "node:util";
import { ConfigurationError } from "../provider/client";
import { auditAlertChannels, type AuditReport, RulesError } from "../audit";
import { pieces } from "../audit/formats";
import { scope, verdict } from "../audit/formats/words";
import { batches, checkWritable, writeOutputs } from "../audit/sources/reportFiles";
import { reasonOf, Refusal } from "../audit/sources/usageMistake";
import { loadRules } from "../audit/sources/loadRules";
import { type AuditArguments, readArguments, type WantedReport } from "./auditArguments";
import type { Stream } from "./auditProgress";
import { fromService, fromState } from "./auditSources";

/** What a command has around it. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly now: Date;
}

const exitCodes = { clean: 0, findings: 1, refused: 2, unreadable: 3 } as const;

/** @throws what `readArguments` throws */
export async function runAudit(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const wanted = readArguments(args);
  try {
    const report = await audit(wanted, surroundings);
    await deliver(report, wanted.reports, surroundings);
    return exitCodeFor(report, wanted.failOn);
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof RulesError || error instanceof ConfigurationError))
      throw error;
    surroundings.stderr.write(`${error.message}\n`);
    return exitCodes.refused;
  }
}

async function audit(
  { rules, channels: asked, state, reports }: AuditArguments,
  { environment, stderr, now }: Surroundings,
): Promise<AuditReport> {
  const ruleSet = loadRules(rules);
  checkWritable(reports.flatMap(({ file }) => file ?? []));
  const channels =
    state === undefined
      ? await fromService(asked, ruleSet, environment, stderr)
      : fromState(state, asked, ruleSet);
  return auditAlertChannels(channels, ruleSet, { partial: asked.length > 0, now });
}

async function deliver(
  report: AuditReport,
  reports: readonly WantedReport[],
  { environment, stdout, stderr }: Surroundings,
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

/** Waits for a slow reader, and leaves it at that when the reader leaves, as `head` does. */
async function print(text: Iterable<string>, stdout: Stream): Promise<void> {
  try {
    await pipeline(batches(text), stdout, { end: false });
  } catch (error) {
    if (types.isNativeError(error) && "code" in error && error.code === "EPIPE") return;
    throw new Refusal(`standard output can't be written: ${reasonOf(error)}`);
  }
}

function exitCodeFor({ counts }: AuditReport, failOn: AuditArguments["failOn"]): number {
  if (counts.unreadable > 0) return exitCodes.unreadable;
  const counted = { error: counts.errors, warning: counts.errors + counts.warnings, never: 0 }[failOn];
  return counted > 0 ? exitCodes.findings : exitCodes.clean;
}
