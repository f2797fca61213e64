import { getSystemErrorMap, types } from "node:util";

/** Why something failed, in one line: the operating system's own description where there is one. */
export function errorReason(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  const errno = "errno" in error && typeof error.errno === "number" ? error.errno : undefined;
  const description = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return description ?? error.message.split("\n", 1).join("");
}
