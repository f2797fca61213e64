/** All files of this kind. Written by `npm run update`. */
export * from "./getAlertChannel";
export * from "./getAlertChannels";
export * from "./getIncident";
export * from "./getIncidentUpdate";
export * from "./getOpenIncidents";
export * from "./getStatusPage";
export * from "./getStatusPageIncident";
export * from "./getStatusPages";
