/** Publishes declared updates: turns, the lock and its notes, time limits and requests around what the protocol decides. */
export { forgetNotes } from "./lockDirectory";
export { type PublishingContext } from "./performers";
export { Publishing } from "./publishing";
