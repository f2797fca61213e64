/** Serializes the updates of an incident, so that they keep their order and each sees the result of the previous one. */
import PQueue from "p-queue";
import {
  ConnectionError,
  MonitoringError,
  OutcomeUnknownError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from "../client";
import { type Connection } from "../connection";
import { serviceKey } from "./claims";
import { type Context, PartialFailureError } from "./lifecycle";

interface Turns {
  readonly queue: PQueue;
  /** Number of requested turns. */
  count: number;
  /** Turns up to this number fail immediately, because an earlier one received no response. */
  skippedUpTo: number;
}

const turnsByKey = new Map<string, Turns>();

/**
 * Runs the work when its turn comes. When the service doesn't respond, the waiting turns fail immediately: otherwise each
 * would wait as long, and updates would be posted out of order.
 */
export async function inTurn<T>(
  connection: Connection,
  incidentId: string,
  { signal }: Pick<Context, "signal">,
  work: () => Promise<T>,
): Promise<T> {
  const key = serviceKey(connection, incidentId);
  const turns = turnsByKey.get(key) ?? {
    queue: new PQueue({ concurrency: 1 }),
    count: 0,
    skippedUpTo: 0,
  };
  turnsByKey.set(key, turns);
  const turn = ++turns.count;
  return turns.queue.add(async () => {
    signal?.throwIfAborted();
    if (turn <= turns.skippedUpTo) {
      throw new MonitoringError(
        `IncidentUpdate on incident ${incidentId}: not posted, because the previous update of this incident failed or ` +
          "its result is unknown. Run `pulumi up` again.",
      );
    }
    try {
      return await work();
    } catch (error) {
      if (hadNoResponse(error)) turns.skippedUpTo = turns.count;
      throw error;
    }
  });
}

const withoutResponse = [
  ConnectionError,
  OutcomeUnknownError,
  RateLimitError,
  ServerError,
  TimeoutError,
  PartialFailureError,
];

function hadNoResponse(error: unknown): boolean {
  return withoutResponse.some((kind) => error instanceof kind);
}
