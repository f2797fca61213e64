/**
 * Remembers the findings of an earlier audit: they are reported apart from the others and don't fail, so that only new
 * ones do.
 */
import { z } from "zod";
import { jsonIn } from "../provider/texts";
import { channelKey, isId } from "./channel";
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
    const audited = new Set(channels.map(channelKey));
    return this.#entries.filter((entry) => {
      const { fingerprint, rule } = entry;
      if (present.has(fingerprint) || unjudged.some((start) => fingerprint.startsWith(start))) return false;
      return fingerprint.startsWith(`${rule}/all/`) ? isComplete : isOfOne(entry, audited);
    }).length;
  }

  /** Returns the known findings of channels that a report on all channels of the account doesn't have. */
  goneFrom({ channels, excluded, notEvaluable }: AuditReport): readonly Entry[] {
    const present = [...channels, ...[...excluded, ...notEvaluable].flatMap(({ channel = [] }) => channel)];
    const keys = new Set(present.map(channelKey));
    // An unread part of the list, or an entry without an id, may be the channel.
    if (notEvaluable.some(({ channel, blocks }) => blocks && !isId(channel?.id ?? ""))) return [];
    return this.#entries.filter((entry) => entry.channel !== undefined && !isOfOne(entry, keys));
  }
}

/** Returns true if the finding is of one of these channels, whose keys may contain slashes. */
function isOfOne({ fingerprint, rule }: Entry, keys: ReadonlySet<string>): boolean {
  const rest = fingerprint.slice(rule.length + 1);
  return [...rest.matchAll(/\//g)].some(({ index }) => keys.has(rest.slice(0, index)));
}

function entryOf({ fingerprint, rule, channel }: Finding): Entry {
  return { fingerprint, rule, ...(channel && { channel: channel.name ?? String(channel.id) }) };
}
