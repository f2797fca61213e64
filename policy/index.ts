/** A CrossGuard policy pack: the audit's rules on alert channels, and rules on incident updates. */
export { alertChannelPolicies } from "./alertChannels";
export { forbiddenWords, mailOnlyFrom, type MailOnlyFromArgs } from "./incidentUpdates";
export { monitoringPolicyPack, type MonitoringPolicyPackArgs } from "./pack";
