/** Exports a provider for each resource type. The code in the state of a stack requires the provider by this name. */
import { createProviders, serveEngine } from "./dynamicProvider";

serveEngine();

export const { AlertChannel, Incident, IncidentUpdate, StatusPage } = createProviders();
