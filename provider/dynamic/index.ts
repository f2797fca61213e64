/** The providers that the state of a stack references (`dynamic/serializedProvider.ts`): one per resource type. Written by `npm run update`. */
import { providerOf } from "./providerOf";

export const AlertChannel = providerOf("AlertChannel");
export const IncidentUpdate = providerOf("IncidentUpdate");
export const StatusPage = providerOf("StatusPage");
