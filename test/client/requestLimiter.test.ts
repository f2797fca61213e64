/** A model of the limiter: what holds in each second, whatever the calls are. How clients use it: limits.test.ts. */
import fc from "fast-check";
import { RequestLimiter } from "../../provider/client/requestLimiter";
import { TimeLimit } from "../../provider/client/transport/timeLimit";
import { runs as atLeast } from "../propertySeed";
import { advance } from "./clock";

const second = fc.integer({ min: 0, max: 80 });
const seconds = fc.integer({ min: 0, max: 30 });
const most = fc.integer({ min: 1, max: 4 });
/** When calls are made, how long their requests take, and after which time they are cancelled unless they were sent. */
const call = fc.record({ at: second, seconds, patience: seconds });
const runs = fc.record({
  made: fc.array(call, { minLength: 1, maxLength: 25 }),
  /** The pauses that the service asks for. */
  pauses: fc.array(fc.record({ at: second, seconds }), { maxLength: 2 }),
  atOnce: most,
  /** After how many more turns of promises calls are cancelled; missing where none is. */
  cancelledAfter: fc.option(fc.nat(20), { nil: undefined, freq: 2 }),
});

test("calls are sent in their order, as soon as the limits allow it, and none that was cancelled", async () => {
  const property = fc.asyncProperty(runs, async ({ made, pauses, atOnce, cancelledAfter }) => {
    const limiter = new RequestLimiter(atOnce);
    const began = performance.now();
    const now = () => Math.round((performance.now() - began) / 1000);
    const waiting = new Map<(typeof made)[number], AbortController>();
    const wronglySent: unknown[] = [];
    let [inFlight, pausedUntil] = [0, 0];

    const run = (one: (typeof made)[number]) => {
      const cancel = new AbortController();
      const send = async () => {
        if ([...waiting.keys()][0] !== one || now() < pausedUntil) wronglySent.push(one);
        waiting.delete(one);
        inFlight += 1;
        await new Promise((resolve) => setTimeout(resolve, one.seconds * 1000));
        inFlight -= 1;
      };
      waiting.set(one, cancel);
      const limit = new TimeLimit(3_600_000, [cancel.signal]);
      limiter.run(send, limit).catch(() => waiting.delete(one));
    };

    while (now() < 90 || waiting.size > 0) {
      for (const { at, seconds } of pauses) {
        if (at !== now()) continue;
        limiter.pause(seconds * 1000);
        pausedUntil = Math.max(pausedUntil, at + seconds);
      }
      made.filter(({ at }) => at === now()).forEach(run);
      for (let turn = 0; turn < (cancelledAfter ?? 0); turn++) await Promise.resolve();
      for (const [{ at, patience }, cancel] of waiting)
        if (cancelledAfter !== undefined && at + patience === now()) cancel.abort();
      await advance(0);
      const mayWait = inFlight === atOnce || now() < pausedUntil;
      expect([wronglySent, inFlight > atOnce]).toEqual([[], false]);
      expect(mayWait || waiting.size === 0).toBe(true);
      await advance(1000);
    }
  });
  await fc.assert(property, { numRuns: atLeast(40) });
});
