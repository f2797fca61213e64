import { MonitoringError } from "../provider/client/errors";

/**
 * The same error, as a pipeline log is to show it: its message alone. Pulumi prints other errors with their stack,
 * and on current Node needs up to 25 s for it when a frame of its own is among them. The mark is what
 * `pulumi.RunError` carries; it is set here so that the error keeps its class.
 */
export function withoutStack<E extends Error>(error: E): E {
  Reflect.deleteProperty(error, "stack");
  Object.defineProperty(error, "stack", { value: undefined, configurable: true });
  return Object.defineProperty(error, "__pulumiRunError", { value: true });
}

/** Runs a data source; what it rejects with is fit for a pipeline log. */
export async function fitForLog<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof MonitoringError ? withoutStack(error) : error;
  }
}
