/** A clock that moves only when a test moves it. It doesn't affect sockets and services. */
import { until, type Watched } from "./services";

beforeEach(() => {
  jest.useFakeTimers({
    doNotFake: [
      "clearImmediate",
      "clearInterval",
      "hrtime",
      "nextTick",
      "queueMicrotask",
      "setImmediate",
      "setInterval",
    ],
  });
});

afterEach(() => {
  jest.useRealTimers();
});

export async function advance(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
}

/** Returns the result of a call. The clock skips each wait that `onRequest` reports. */
export async function skipWaits<T>(watched: Watched, call: (watched: Watched) => Promise<T>): Promise<T> {
  let settled = false;
  const result = call(watched).finally(() => (settled = true));
  result.catch(() => undefined);
  let seen = 0;
  await until(async () => {
    const event = watched.events[seen];
    if (event) seen += 1;
    if (event?.waitMs !== undefined) await advance(event.waitMs + 1);
    return settled;
  });
  return result;
}
