/**
 * Remembers the findings of an earlier audit: they are reported apart from the others and don't fail, so that only new
 * ones do.
 */
import { z } from "zod";
import { channelKey } from "./channel";
import { type AuditReport, countsOf, type Finding, fingerprintOf } from "./report";
import { metaRule } from "./rules";

const entry = z.strictObject({
  fingerprint: z.string(),
  rule: z.string(),
  /** Name for readers; missing for all channels together. */
  channel: z.string().optional(),
});
const baselineFile = z.strictObject({ version: z.literal(1), findings: z.array(entry) });

/** The content of a baseline file. */
export type Baseline = z.output<typeof baselineFile>;

/** The baseline in a text; undefined when it is none. */
export function parseBaseline(text: string): Baseline | undefined {
  try {
    return baselineFile.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A baseline of all findings of a report. */
export function baselineOf({ findings }: AuditReport): Baseline {
  const entries = findings.map(entryOf);
  return { version: 1, findings: entries.sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1)) };
}

function entryOf({ fingerprint, rule, channel }: Finding): Baseline["findings"][number] {
  return { fingerprint, rule, ...(channel && { channel: channel.name ?? String(channel.id) }) };
}

/** Moves the findings of the baseline apart from the new ones. */
export function withBaseline(report: AuditReport, { findings: entries }: Baseline): AuditReport {
  const fingerprints = new Set(entries.map(({ fingerprint }) => fingerprint));
  const isBaselined = ({ fingerprint }: Finding) => fingerprints.has(fingerprint);
  const findings = report.findings.filter((finding) => !isBaselined(finding));
  const compared = { ...report, findings, baselined: report.findings.filter(isBaselined) };
  return { ...compared, counts: countsOf(compared) };
}

/** Counts the entries of a baseline whose findings are fixed. One that this audit couldn't evaluate isn't. */
export function fixedCount(report: AuditReport, { findings: entries }: Baseline): number {
  const { findings, baselined, waived, channels, notEvaluable } = report;
  const present = new Set([...findings, ...baselined, ...waived].map(({ fingerprint }) => fingerprint));
  const unjudged = notEvaluable.map(({ rule, channel }) => fingerprintOf(rule, channel, ""));
  const isComplete = !notEvaluable.some(({ rule }) => rule === metaRule.channelRead.id);
  const audited = channels.map((channel) => `/${channelKey(channel)}/`);
  return entries.filter(({ fingerprint, rule }) => {
    if (present.has(fingerprint) || unjudged.some((start) => fingerprint.startsWith(start))) return false;
    const isOfAll = fingerprint.startsWith(`${rule}/all/`);
    return isOfAll ? isComplete : audited.some((key) => fingerprint.startsWith(rule + key));
  }).length;
}
