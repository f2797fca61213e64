/** Errors as the engine is to get them from a dynamic provider: a message for the user, and nothing else. */
import { messageOf } from "../engine/failure";
import { plainObject } from "../engine/plain";
import { PartialFailureError } from "../lifecycles/lifecycle";

/**
 * Runs one verb. Pulumi prints the stack of what it rejects with, and hangs or says "undefined" when that is no
 * error, so it always rejects with a bare one.
 *
 * @param inputs The raw inputs of a create or update: the engine wants its text of the provider back from there.
 */
export async function toEngineError<T>(
  verb: () => T | Promise<T>,
  inputs?: Record<string, unknown>,
): Promise<T> {
  try {
    return await verb();
  } catch (error) {
    throw error instanceof PartialFailureError
      ? new BarePartialFailure(error, inputs?.["__provider"])
      : new Bare(messageOf(error));
  }
}

class Bare extends Error {
  override readonly name = "";
  override readonly stack = "";
}

/** With an id, the engine records the resource although the run fails, and calls `update` in the next one. */
class BarePartialFailure extends Bare {
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
