/** Connects audits to the service and to the programs that declare them. */
export { alertChannelAudit, auditOfNone } from "./component";
export { type AuditPlan, auditService } from "./service";
