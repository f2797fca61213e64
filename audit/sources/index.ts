/** Connects audits to the service and to the programs that declare them. */
export { runAlertChannelAudit, createEmptyReport } from "./component";
export { type AuditPlan, auditService } from "./service";
