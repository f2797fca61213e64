/** A clock that moves only when a test moves it. Sockets, and the services at their other ends, go on as ever. */
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

/** What a call comes to when the clock jumps over each wait that the hook `onRequest` tells of. */
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
