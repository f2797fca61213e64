/**
 * Remembers the findings of an earlier audit: they are reported apart from the others and don't fail, so that only new
 * ones do.
 */
import { z } from "zod";
import { jsonIn } from "../provider/texts";
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

type Entry = z.output<typeof entry>;

/** The known findings. */
export class Baseline {
  readonly #entries: readonly Entry[];

  private constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  /** Parses the content of a file; undefined if it isn't a baseline. */
  static parse(text: string): Baseline | undefined {
    const { data } = baselineFile.safeParse(jsonIn(text));
    return data && new Baseline(data.findings);
  }

  /** Creates a baseline of all findings of a report. */
  static of({ findings }: AuditReport): Baseline {
    return new Baseline(findings.map(entryOf).sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1)));
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Returns the content of a file. */
  get text(): string {
    const content: z.output<typeof baselineFile> = { version: 1, findings: [...this.#entries] };
    return `${JSON.stringify(content, null, 2)}\n`;
  }

  /** Moves the known findings of a report apart from the new ones. */
  compare(report: AuditReport): AuditReport {
    const fingerprints = new Set(this.#entries.map(({ fingerprint }) => fingerprint));
    const isKnown = ({ fingerprint }: Finding) => fingerprints.has(fingerprint);
    const findings = report.findings.filter((finding) => !isKnown(finding));
    const compared = { ...report, findings, baselined: report.findings.filter(isKnown) };
    return { ...compared, counts: countsOf(compared) };
  }

  /** Counts the known findings that are fixed. A finding that this audit couldn't evaluate isn't. */
  fixedIn(report: AuditReport): number {
    const { findings, baselined, waived, channels, notEvaluable } = report;
    const present = new Set([...findings, ...baselined, ...waived].map(({ fingerprint }) => fingerprint));
    const unjudged = notEvaluable.map(({ rule, channel }) => fingerprintOf(rule, channel, ""));
    const isComplete = !notEvaluable.some(({ rule }) => rule === metaRule.channelRead.id);
    const audited = channels.map((channel) => `/${channelKey(channel)}/`);
    return this.#entries.filter(({ fingerprint, rule }) => {
      if (present.has(fingerprint) || unjudged.some((start) => fingerprint.startsWith(start))) return false;
      const isOfAll = fingerprint.startsWith(`${rule}/all/`);
      return isOfAll ? isComplete : audited.some((key) => fingerprint.startsWith(rule + key));
    }).length;
  }
}

function entryOf({ fingerprint, rule, channel }: Finding): Entry {
  return { fingerprint, rule, ...(channel && { channel: channel.name ?? String(channel.id) }) };
}
