/** Known findings of an earlier audit: they are reported as such and don't fail, so that only new ones do. */
import { z } from "zod";
import { channelRead } from "../rules/channelRead";
import { channelKey } from "../channels/channelReference";
import { fingerprintOf } from "./fingerprint";
import { type AuditReport, type Finding } from "./report";
import { countsOf } from "./counts";

const entry = z.strictObject({
  fingerprint: z.string(),
  rule: z.string(),
  /** For readers; missing for all channels together. */
  channel: z.string().optional(),
});
const baseline = z.strictObject({ version: z.literal(1), findings: z.array(entry) });

/** The content of a baseline file. */
export type Baseline = z.output<typeof baseline>;

/** The baseline in a text, or undefined when it is none. */
export function parseBaseline(text: string): Baseline | undefined {
  try {
    return baseline.safeParse(JSON.parse(text)).data;
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

/** The report with the findings of the baseline apart from the new ones. */
export function withBaseline(report: AuditReport, { findings: known }: Baseline): AuditReport {
  const fingerprints = new Set(known.map(({ fingerprint }) => fingerprint));
  const isKnown = (finding: Finding) => fingerprints.has(finding.fingerprint);
  const findings = report.findings.filter((finding) => !isKnown(finding));
  const baselined = report.findings.filter(isKnown);
  const parted = { ...report, findings, baselined };
  return { ...parted, counts: countsOf(parted) };
}

/** The entries of a baseline whose findings are fixed. One that this audit couldn't evaluate isn't. */
export function fixedIn(report: AuditReport, { findings: known }: Baseline): Baseline["findings"] {
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
