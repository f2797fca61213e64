/** Updates of one incident take turns: their order is kept, and each sees what the one before it did. */
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
import { placeOf } from "./claims";
import { type Context, PartialFailureError } from "./lifecycle";

interface Turns {
  readonly queue: PQueue;
  /** How many were asked for. */
  count: number;
  /** Up to which of them there is no use in trying, because one before them had no response. */
  notTriedUpTo: number;
}

const turnsByPlace = new Map<string, Turns>();

/**
 * Runs the work when its turn comes. When the service doesn't respond to one, those that wait behind it fail at once:
 * otherwise each would take as long, and be posted out of order.
 */
export async function inTurn<T>(
  connection: Connection,
  incidentId: string,
  { signal }: Pick<Context, "signal">,
  work: () => Promise<T>,
): Promise<T> {
  const place = placeOf(connection, incidentId);
  const turns = turnsByPlace.get(place) ?? {
    queue: new PQueue({ concurrency: 1 }),
    count: 0,
    notTriedUpTo: 0,
  };
  turnsByPlace.set(place, turns);
  const turn = ++turns.count;
  return turns.queue.add(async () => {
    signal?.throwIfAborted();
    if (turn <= turns.notTriedUpTo) {
      throw new MonitoringError(
        `IncidentUpdate on incident ${incidentId}: not tried, because the service didn't respond to the update ` +
          "before it in this incident. Nothing was posted for it. Run `pulumi up` again.",
      );
    }
    try {
      return await work();
    } catch (error) {
      if (hadNoResponse(error)) turns.notTriedUpTo = turns.count;
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
