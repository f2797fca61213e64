/** Names the exit codes of all commands. The help of each command describes their meaning. */
export const exitCodes = {
  success: 0,
  /** The command ran and reports a failure, such as findings or a failed preview. */
  failed: 1,
  /** Invalid usage or configuration. */
  invalid: 2,
  /** The service or a part of the requested objects could not be read, or the comment could not be written. */
  unread: 3,
} as const;
