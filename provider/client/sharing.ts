/** Equal reads in flight are one request. */
import { type JsonBody, readBody } from "./body";
import { Limit, unlessAborted } from "./time";

interface Flight {
  readonly answer: Promise<JsonBody>;
  readonly deadline: Limit;
  passengers: number;
}

export class Sharing {
  readonly #flights = new Map<string, Flight>();

  /**
   * The JSON of the equal read that is under way, or of a new one. Each caller gets a copy of its own. The read stops
   * when nobody waits for it any longer.
   */
  async join(
    path: string,
    deadlineMs: number,
    read: (deadline: Limit) => Promise<JsonBody>,
    signals: readonly AbortSignal[],
  ): Promise<unknown> {
    for (const signal of signals) signal.throwIfAborted();
    const key = `${deadlineMs} ${path}`;
    const underWay = this.#flights.get(key);
    const flight = underWay ?? this.#takeOff(key, new Limit(deadlineMs, []), read);
    flight.passengers += 1;
    try {
      const { json, text } = await unlessAborted(flight.answer, signals);
      return underWay === undefined ? json : readBody(text).json;
    } finally {
      flight.passengers -= 1;
      if (flight.passengers === 0 && this.#land(key, flight)) flight.deadline.stop("nobody waits");
    }
  }

  #takeOff(key: string, deadline: Limit, read: (deadline: Limit) => Promise<JsonBody>): Flight {
    const flight = { answer: read(deadline), deadline, passengers: 0 };
    this.#flights.set(key, flight);
    const land = (): boolean => this.#land(key, flight);
    flight.answer.then(land, land);
    return flight;
  }

  /** From now on nobody joins it. Tells whether somebody could have. */
  #land(key: string, flight: Flight): boolean {
    return this.#flights.get(key) === flight && this.#flights.delete(key);
  }
}
