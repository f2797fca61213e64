/** Equal reads in flight are one request. */

interface Flight {
  readonly answer: Promise<unknown>;
  readonly stop: AbortController;
  passengers: number;
}

export class Sharing {
  readonly #flights = new Map<string, Flight>();

  /** Joins the read with this key that is under way, or starts it. It stops when nobody waits for it any longer. */
  async join(
    key: string,
    start: (signal: AbortSignal) => Promise<unknown>,
    signals: readonly AbortSignal[],
  ): Promise<unknown> {
    for (const signal of signals) signal.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#takeOff(key, start);
    flight.passengers += 1;
    const leaving = new AbortController();
    try {
      return await new Promise((resolve, reject) => {
        for (const signal of signals) {
          signal.addEventListener("abort", () => reject(signal.reason as Error), { signal: leaving.signal });
        }
        flight.answer.then(resolve, reject);
      });
    } finally {
      leaving.abort();
      flight.passengers -= 1;
      if (flight.passengers === 0) this.#land(key, flight);
    }
  }

  #takeOff(key: string, start: (signal: AbortSignal) => Promise<unknown>): Flight {
    const stop = new AbortController();
    const flight = { answer: start(stop.signal), stop, passengers: 0 };
    this.#flights.set(key, flight);
    return flight;
  }

  #land(key: string, flight: Flight): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
    flight.stop.abort();
  }
}
