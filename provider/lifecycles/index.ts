/** The lifecycles of the resource types, which both adapters run with plain values. */
export * from "./lifecycle";
export * from "./plainLifecycle";
