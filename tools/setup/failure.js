const { isNativeError } = require("node:util/types");

/** A failure with a message for the user: what failed and what to do. It is shown without a stack. */
class SetupFailure extends Error {}

/**
 * The message of a failure of set-up or of a system call, such as a full disk. Any other error is a bug and is thrown
 * again, with its stack.
 * @param {unknown} error
 * @returns {string}
 */
function reasonOf(error) {
  if (error instanceof SetupFailure || (isNativeError(error) && "syscall" in error)) return error.message;
  throw error;
}

module.exports = { SetupFailure, reasonOf };
