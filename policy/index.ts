/** A CrossGuard policy pack: the audit's rules on alert channels, and policies on incident updates. */
export { alertChannelPolicies } from "./alertChannelPolicies";
export { forbiddenWords, mailOnlyFrom, type MailOnlyFromArgs } from "./incidentUpdatePolicies";
export { monitoringPolicyPack, type MonitoringPolicyPackArgs } from "./pack";
