/** Describes the API as data: its objects with the schemas that read them, its operations, enums and times. */
export * from "./enums";
export * from "./objects";
export * from "./operations";
export * from "./outputs";
export * from "./requestBodies";
export * from "./timestamps";
