/** Tells which settings of an alert channel are credentials, and replaces them with facts that can be shown and stored. */
export { isOnCallMailDomain } from "./hosts";
export { isPlaceholderAddress } from "./placeholders";
export * from "./redact";
export * from "./settings";
