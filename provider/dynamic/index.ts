/** The providers that the state of a stack references, one for each resource type: what its text requires by name. */
import { providerOf } from "./dynamicProvider";

export const AlertChannel = providerOf("AlertChannel");
export const IncidentUpdate = providerOf("IncidentUpdate");
export const StatusPage = providerOf("StatusPage");
