/** Defines the errors of audits. They are in a separate file because every program loads it, and it shouldn't load zod. */
import { type AuditReport, type Finding } from "..";
import { MonitoringError } from "../../provider/client/errors";

/** The audit of an `AlertChannelAudit` can't run because of its rules or a file. */
export class AuditError extends MonitoringError {}

/** A mandatory audit found errors or couldn't read a channel. */
export class AlertChannelAuditError extends MonitoringError {
  /** All findings, errors first. */
  readonly findings: readonly Finding[];

  /** @param text Report for the log of a run. */
  constructor(audit: string, { findings }: Pick<AuditReport, "findings">, text: string) {
    super(`${audit}: the audit failed. No resource that depends on it was changed.\n${text}`);
    this.findings = findings;
  }
}
