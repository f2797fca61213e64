/** A clock that moves only when a test moves it. Sockets and services are not affected. */
import { type RequestEvent } from "../../provider/client";
import { until } from "./services";

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

/** The result of a call when the clock skips each wait that `onRequest` reports. */
export async function skipWaits<T>(call: Promise<T>, events: readonly RequestEvent[]): Promise<T> {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  call.then(settle, settle);
  let seen = 0;
  await until(async () => {
    const event = events[seen];
    if (event) seen += 1;
    if (event?.waitMs !== undefined) await advance(event.waitMs + 1);
    return settled;
  });
  return call;
}
