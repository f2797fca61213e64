/** Reads what an audit is about: channels of a service, and rule files; runs the audit of a component. */
export * from "./alertChannelAudit";
export * from "./auditError";
export * from "./loadRules";
export * from "./readChannels";
