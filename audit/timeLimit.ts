import { createContext, Script } from "node:vm";
import { types } from "node:util";

const script = new Script("run()");

/**
 * The result of a function, or undefined when it takes too long. Regular expressions of rule files can backtrack
 * forever, and only the timeout of a virtual machine interrupts them.
 */
export function runWithTimeLimit<T>(milliseconds: number, run: () => T): T | undefined {
  let result: T | undefined;
  const context = createContext({ run: () => (result = run()) });
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
