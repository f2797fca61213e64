import { MonitoringError } from "../../provider/client/errors";

/** The audit can't run. The message says why, and needs no stack trace. */
export class AuditError extends MonitoringError {
  override get name(): string {
    return "AuditError";
  }
}
