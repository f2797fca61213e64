/** Exports the providers that the state of a stack references, one for each resource type: its text requires them by name. */
import { createProviders, serveEngine } from "./dynamicProvider";

serveEngine();

export const { AlertChannel, IncidentUpdate, StatusPage } = createProviders();
