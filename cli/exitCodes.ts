/** The exit codes of all commands; the help of each says when it has which. */
export const exitCodes = {
  success: 0,
  /** What was examined isn't as it should be, such as findings, or a preview that fails. */
  failed: 1,
  /** Wrong usage or configuration. */
  invalid: 2,
  /** The service, or a part of what was asked for, could not be read. */
  unread: 3,
} as const;
