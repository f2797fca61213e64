/** Tells which settings of an alert channel are credentials, and replaces them with facts that can be shown and stored. */
export * from "./hosts";
export * from "./recognize";
export * from "./redact";
export * from "./services";
