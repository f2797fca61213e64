/** Audits more channels than the service allows in a minute, with a clock that jumps forward when all requests wait. */
import { readRules } from "../../audit";
import { auditPlanned, planAudit } from "../../audit/sources/service";
import { createClient, send, serve } from "../client/services";
import "../lifecycles/idleClock";
import { silence } from "./channels";

const [allowed, minute, latencyMs] = [600, 60_000, 100];

/** Returns true if the service accepts a request at this time in milliseconds. */
type Limit = (now: number) => boolean;

function fixedWindow(): Limit {
  let [ends, count] = [0, 0];
  return (now) => {
    if (now >= ends) [ends, count] = [now + minute, 0];
    return ++count <= allowed;
  };
}

function tokenBucket(): Limit {
  let [tokens, at] = [allowed, 0];
  return (now) => {
    tokens = Math.min(allowed, tokens + ((now - at) * allowed) / minute);
    at = now;
    return tokens >= 1 && tokens-- > 0;
  };
}

test.each([
  [700, fixedWindow, 70],
  [700, tokenBucket, 40],
])(
  "an audit of %i channels at 600 requests a minute finishes: %p",
  async (count, limit, maxRejected) => {
    const takes = limit();
    const service = await serve((response, { url }) => {
      const isTaken = takes(performance.now());
      const id = Number(url.split("/").at(-1));
      setTimeout(
        () => send(response, isTaken ? { id, type: "EMAIL", config: {} } : {}, isTaken ? 200 : 429),
        latencyMs,
      );
    });
    const { client, events } = createClient(service);
    const channels = Array.from({ length: count }, (_, index) => index + 1);
    const plan = await planAudit({ isOfAll: false, channels }, readRules(silence), {}, () =>
      Promise.resolve(undefined),
    );
    const connection = { client, origin: { host: "service.example", path: "/" } };
    const { counts, notEvaluable } = await auditPlanned(plan, {
      connection,
      list: () => Promise.resolve([]),
    });
    expect(notEvaluable.filter(({ rule }) => rule === "channel-read")).toEqual([]);
    expect(counts.channels).toBe(count);
    expect(events.filter(({ status }) => status === 429).length).toBeLessThan(maxRejected);
  },
  60_000,
);
