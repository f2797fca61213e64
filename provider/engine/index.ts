/** Pulumi's engine: its resource types, the values that it passes, its process, and what runs without it. */
export * from "./process";
export * from "./resourceTypes";
export * from "./wire";
export * from "./withoutStack";
