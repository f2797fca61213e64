import { pipeline } from "node:stream/promises";
import { types } from "node:util";
import { AuditError } from "../../audit/sources/auditError";
import { errorReason } from "../../provider/texts/errorReason";
import type { Stream } from "./command";

/** Waits for a slow reader, and stops without an error when the reader closes the pipe, as `head` does. */
export async function print(text: string, stdout: Stream): Promise<void> {
  try {
    await pipeline([text], stdout, { end: false });
  } catch (error) {
    if (types.isNativeError(error) && "code" in error && error.code === "EPIPE") return;
    throw new AuditError(`standard output can't be written: ${errorReason(error)}`);
  }
}
