import { MonitoringError } from "../provider/client/errors";

/**
 * The same error, as a pipeline log is to show it: its message alone. Pulumi prints other errors with their stack,
 * and on current Node needs up to 25 s for it when a frame of its own is among them. The mark is what
 * `pulumi.RunError` carries; it is set here so that the error keeps its class.
 */
export function withoutStack<E extends Error>(error: E): E {
  Reflect.deleteProperty(error, "stack");
  Object.defineProperty(error, "stack", { value: undefined, configurable: true });
  // Pulumi would put "error serializing property" before it, once for each property that waits for what failed.
  const { message } = error;
  Object.defineProperty(error, "message", { get: () => message, set: () => undefined, configurable: true });
  return Object.defineProperty(error, "__pulumiRunError", { value: true });
}

/**
 * Runs a data source; what it rejects with is fit for a pipeline log.
 *
 * There must be no `throw` here. While Pulumi runs a program it debugs it, and then V8 looks for a handler of each
 * error that is thrown in an async function along every path through the promises that wait for it. Between the
 * outputs of a program there are billions of paths: one that only prints a few of them hung, and filled all memory.
 */
export function withLogErrors<T>(work: () => Promise<T>): Promise<T> {
  const working = work();
  return working.catch((error: unknown) => {
    if (error instanceof MonitoringError) withoutStack(error);
    return working;
  });
}
