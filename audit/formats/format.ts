/** Makes a format of a report from a function that writes its parts. */
import type { AuditReport } from "../report";

/** Writes a report as one document that ends with a line break. */
export interface ReportFormat<Options = never> {
  (report: AuditReport, options?: Options): string;
  /** The extension of its files. */
  readonly extension: `.${string}`;
  /** Returns the parts of the same document, so that no report of many channels has to be in memory as one text. */
  readonly parts: (report: AuditReport, options?: Options) => Iterable<string>;
}

export function reportFormat<Options = never>(
  extension: ReportFormat["extension"],
  write: ReportFormat<Options>["parts"],
): ReportFormat<Options> {
  const parts: typeof write = (report, options) => batched(write(report, options));
  return Object.assign((...args: Parameters<typeof write>) => [...parts(...args)].join(""), {
    extension,
    parts,
  });
}

const batchLength = 65_536;

/** Joins short parts: each that is written takes a call of the system. */
function* batched(parts: Iterable<string>): Generator<string> {
  let batch = "";
  for (const part of parts) {
    batch += part;
    if (batch.length < batchLength) continue;
    yield batch;
    batch = "";
  }
  yield batch;
}
