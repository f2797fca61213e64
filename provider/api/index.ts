/** Describes the API as data: its objects with the schemas that read them, its operations, enums, times and the order of updates. */
export * from "./enums";
export * from "./history";
export * from "./objects";
export * from "./operations";
export * from "./outputs";
export * from "./requestBodies";
export * from "./timestamps";
