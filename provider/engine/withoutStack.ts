/**
 * Makes Pulumi print only the message of an error. Pulumi prints other errors with their stack, which takes up to 25 s on
 * current Node.js versions when the stack contains a frame of Pulumi. Sets the marker of `pulumi.RunError`, so that the
 * error keeps its class.
 */
export function withoutStack<E extends Error>(error: E): E {
  Reflect.deleteProperty(error, "stack");
  Object.defineProperty(error, "stack", { value: undefined, configurable: true });
  // Otherwise Pulumi prepends "error serializing property" for each property that depends on the failed one.
  const { message } = error;
  Object.defineProperty(error, "message", { get: () => message, set: () => undefined, configurable: true });
  return Object.defineProperty(error, "__pulumiRunError", { value: true });
}
