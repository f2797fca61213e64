/** Reads and writes baselines of `monitoring audit`. */
import type { AuditReport } from "../../audit";
import { type Baseline, baselineOf, fixedIn, parseBaseline, withBaseline } from "../../audit/report/baseline";
import { amount } from "../../provider/texts/amount";
import { AuditError } from "../../audit/sources/auditError";
import { readText, writeFile } from "../../audit/sources/files";

/** @throws AuditError when the file can't be read or isn't a baseline */
export function loadBaseline(file: string): Baseline {
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
export function updateBaseline(
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
