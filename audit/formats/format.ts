/** Makes a format of a report from a function that writes it. */
import type { AuditReport } from "../report";

/** Writes a report as one document that ends with a line break. */
export interface ReportFormat<Options = object> {
  (report: AuditReport, options?: Options): string;
  /** The extension of its files. */
  readonly extension: `.${string}`;
}

export function reportFormat<Options = object>(
  extension: ReportFormat["extension"],
  write: (report: AuditReport, options?: Options) => string,
): ReportFormat<Options> {
  return Object.assign(write, { extension });
}
