/** Errors that a dynamic provider returns to the engine: a message for the user, without a stack. */
import { plainObject } from "../engine/plain";
import { messageOf, PartialFailureError } from "../engine/partialFailure";

/**
 * Runs one verb, and converts each rejection to an error without a stack: Pulumi prints the stack of an error, and hangs or
 * prints "undefined" for any other value.
 *
 * @param inputs The raw inputs of a create or update. The engine requires their serialized provider in the result.
 */
export async function toEngineError<T>(
  verb: () => T | Promise<T>,
  inputs?: Record<string, unknown>,
): Promise<T> {
  try {
    return await verb();
  } catch (error) {
    throw error instanceof PartialFailureError
      ? new StacklessPartialFailure(error, inputs?.["__provider"])
      : new StacklessError(messageOf(error));
  }
}

/**
 * In place of a stack. Pulumi's server prints an error of `check`, `diff`, `read` or `delete` with its stack, and returns it
 * to the engine, which prints the message as well.
 */
const shownByEngine = "(shown by the engine)";

class StacklessError extends Error {
  override readonly name = "";
  override readonly stack = shownByEngine;
}

/** Drops what Pulumi's server prints of the errors of this package: the engine shows each of them. */
export function printErrorsOnce(): void {
  const { error: print } = console;
  const error = (...printed: unknown[]): void => {
    const [text] = printed;
    if (typeof text !== "string" || !text.endsWith(shownByEngine)) print(...printed);
  };
  Object.assign(console, { error });
}

/** With an id, the engine records the resource although the run fails, and calls `update` in the next run. */
class StacklessPartialFailure extends StacklessError {
  readonly id: string;
  readonly properties: Record<string, unknown>;
  readonly reasons: readonly string[];

  constructor({ message, remembered }: PartialFailureError, serializedProvider: unknown) {
    super(message);
    this.id = remembered.id;
    this.properties = { ...plainObject(remembered.outputs), __provider: serializedProvider };
    this.reasons = [message];
  }
}
