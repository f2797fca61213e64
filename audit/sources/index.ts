/** Connects an audit to the service, and to the programs that declare one. */
export { alertChannelAudit, auditOfNone } from "./component";
export { type AuditPlan, auditService } from "./service";
