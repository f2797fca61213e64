/** All files of this kind. Written by `npm run update`. */
export * from "./AlertChannelAudit";
export * from "./IncidentTimeline";
export * from "./OpenIncidentGate";
