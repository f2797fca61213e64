import { createContext, Script } from "node:vm";
import { types } from "node:util";

const script = new Script("work()");

/**
 * What some work gives, or undefined when it takes too long: patterns of rule files can backtrack for ever, and
 * nothing but the clock of a virtual machine stops one.
 */
export function within<T>(milliseconds: number, work: () => T): T | undefined {
  let result: T | undefined;
  const context = createContext({ work: () => (result = work()) });
  try {
    script.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  }
  return result;
}

function isTimeout(error: unknown): boolean {
  return types.isNativeError(error) && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
