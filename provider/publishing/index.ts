/** Performs what the protocol decides: turns, the lock and its notes, time limits, requests. */
export * from "./lockDirectory";
export { type PublishingContext } from "./performers";
export * from "./publishing";
