import { getSystemErrorMap, types } from "node:util";
import { MonitoringError } from "../../provider/client/errors";

/** Why an audit doesn't take place, in lines that need no explanation. */
export class Refusal extends MonitoringError {
  override get name(): string {
    return "Refusal";
  }
}

/** Why something failed, in the words of the operating system where it was that which failed; one line. */
export function reasonOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  const errno = "errno" in error && typeof error.errno === "number" ? error.errno : undefined;
  const words = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return words ?? error.message.split("\n", 1).join("");
}
