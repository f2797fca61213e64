/**
 * Stops stack traces until the returned function is called. When a resource registers, Pulumi records four of them for
 * each property, to debug promises that never settle, and maps every frame to its source: in a program with hundreds of
 * resources, a third of its time.
 */
export function pauseStacks(): () => void {
  const { stackTraceLimit } = Error;
  // With this variable, Pulumi shows them.
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"] === undefined) Error.stackTraceLimit = 0;
  return () => {
    Error.stackTraceLimit = stackTraceLimit;
  };
}
