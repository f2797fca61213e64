/** Defines the errors of audits and of their files, apart from both: every program and command loads this file, so it needs no zod. */
import { type AuditReport, type Finding } from "..";
import { MonitoringError } from "../../provider/client/errors";

/** A file can't be read, written or loaded. The message names the file and says why. */
export class FileError extends MonitoringError {}

/** The audit of an `AlertChannelAudit` can't run, because of its rules or of a file. */
export class AuditError extends MonitoringError {}

/** A mandatory audit found errors or couldn't read a channel. */
export class AlertChannelAuditError extends MonitoringError {
  /** All findings, errors first. */
  readonly findings: readonly Finding[];

  /** @param text The report, for the log of a run. */
  constructor(audit: string, { findings }: Pick<AuditReport, "findings">, text: string) {
    super(`${audit}: the audit failed. No resource that depends on it was changed.\n${text}`);
    this.findings = findings;
  }
}
