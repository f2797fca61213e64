import { MonitoringError } from "../../provider/client/errors";
import { withoutStack } from "../../provider/engine/withoutStack";

/**
 * Runs a data source, and removes the stack of its errors.
 *
 * Must not use `throw`. Pulumi attaches a debugger to the program, and V8 then searches for a handler of each error that an
 * async function throws, along every path through the waiting promises. The outputs of a program form billions of paths,
 * so that a small program hung and exhausted its memory.
 */
export function withLogErrors<T>(work: () => Promise<T>): Promise<T> {
  const working = work();
  return working.catch((error: unknown) => {
    if (error instanceof MonitoringError) {
      withoutStack(error);
      withoutLateWarnings();
    }
    return working;
  });
}

/**
 * Stops Node's `PromiseRejectionHandledWarning`: the outputs of a failed data source reject one by one, and Pulumi handles
 * some of them after Node has reported them, so that the warnings would surround the message.
 */
function withoutLateWarnings(): void {
  if (!process.listeners("rejectionHandled").includes(ignoreLate)) process.on("rejectionHandled", ignoreLate);
}

function ignoreLate(): void {
  // A listener suffices: Node warns only where there is none.
}
