"use strict";

const { isNativeError } = require("node:util/types");

/** What went wrong and what to do, in words for the person at the terminal: shown without a stack. */
class SetupFailure extends Error {}

/**
 * The reason in a failure that comes from the machine (a full disk, a folder that can't be written) or from
 * set-up itself. Anything else is a mistake in our code and is thrown on, with its stack.
 * @param {unknown} error
 * @returns {string}
 */
function reasonOf(error) {
  if (error instanceof SetupFailure || (isNativeError(error) && "syscall" in error)) return error.message;
  throw error;
}

module.exports = { SetupFailure, reasonOf };
