/** Exports a provider for each resource type, under the name by which the code in the state of a stack requires it. */
import { createProviders, serveEngine } from "./dynamicProvider";

serveEngine();

export const { AlertChannel, Incident, IncidentUpdate, StatusPage } = createProviders();
