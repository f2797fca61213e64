/** Calls a listener. Its errors, now or later, must not hide the result of a write. */
export function notify<T>(listener: (event: T) => unknown, event: T): void {
  new Promise((resolve) => resolve(listener(event))).catch(() => undefined);
}
