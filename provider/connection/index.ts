/** Connects a run to the service: from settings and variables to clients, whose reads are shared and cached. */
export * from "./connections";
export * from "./environment";
export * from "./reads";
export * from "./settings";
