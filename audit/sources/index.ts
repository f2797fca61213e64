/** Connects an audit to files, to the service, and to the programs that declare one. */
export { FileError } from "./auditErrors";
export { alertChannelAudit, auditOfNone } from "./component";
export { checkWritable, foldersAbove, loadRules, pathInRepository, readText, writeFile } from "./files";
export { type AuditPlan, auditPlanned, planAudit } from "./service";
