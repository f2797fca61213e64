/** Compares the requests of a provider process with the requests in the trace, during one call of the engine. */

/**
 * @import { Request } from "./scriptedService"
 * @import { Response } from "./responses"
 * @import { Outcome } from "../../driver/stack"
 *
 * @typedef {{does: string, incident: string, text?: string, date?: string, id?: string | undefined}} Wanted
 */

/** The timeout for a process that doesn't send the expected request. */
const longestMs = 60_000;

/** A difference between a process and the trace. */
class Mismatch extends Error {}

class Exchange {
  /** The result of the engine's call. @type {Promise<Outcome> | undefined} */
  #call;
  /** The last response to each read, because a search or a wait may read more often than in the trace. @type {Map<string, Response>} */
  #last = new Map();
  #service;
  posts = 0;
  /**
   * Returns the incident for reads that the trace doesn't contain, such as the reads of a refresh.
   * @type {((incident: string) => Response) | undefined}
   */
  page;
  /**
   * Returns the update with this ID. A process keeps notes for longer than the model and may read the updates in these notes.
   * @type {(incident: string, id: string) => Response}
   */
  lookup = () => {
    throw new Error("The content of the service isn't known.");
  };

  /** @param {import("./scriptedService").ScriptedService} service */
  constructor(service) {
    this.#service = service;
  }

  /** @param {Promise<Outcome>} call */
  begin(call) {
    this.#call = call;
  }

  /** Waits for the trace's next request and responds to it. @param {Wanted} wanted @param {Response} response */
  async respond({ does, incident, text, date, id }, response) {
    for (;;) {
      const request = await this.#next();
      if (!request) throw new Mismatch(`expected ${does} ${incident}, but ${await this.#said()}`);
      const isWanted = request.does === does && request.incident === incident;
      const known = request.id !== id && this.#last.get(formatKey(request));
      const again = isWanted ? known : this.#usual(request);
      if (again) {
        await this.#send(again, request);
        continue;
      }
      if (!isWanted) throw new Mismatch(`expected ${does} ${incident}, not ${formatKey(request)}`);
      if (request.id !== id)
        throw new Mismatch(`${does}: the ID is ${request.id ?? "missing"}, not ${id ?? "missing"}`);
      if (request.text !== text) throw new Mismatch(`${does}: ${request.text}, not ${text}`);
      if (request.date !== date) throw new Mismatch(`${does}: dated ${request.date}, not ${date}`);
      await this.#send(response, request);
      if (does === "post" || does === "edit") {
        this.posts += Number(does === "post");
        this.#last.clear();
      } else this.#last.set(formatKey(request), response);
      return;
    }
  }

  /**
   * Waits until the process has repeated its last read `looks` times. After that, its next read is the trace's next read.
   * @param {number} looks
   */
  async repeat(looks) {
    for (let left = looks; left > 0;) {
      const request = await this.#next();
      const again = request && this.#usual(request);
      if (!again)
        throw new Mismatch(`expected another read, but ${request ? formatKey(request) : await this.#said()}`);
      await this.#send(again, request);
      if (request.does === "read") left--;
    }
  }

  /** Waits for the end of the call. Until then, the process may only repeat earlier reads. @returns {Promise<Outcome>} */
  async outcome() {
    const call = this.#call;
    if (!call) throw new Mismatch("nothing was requested");
    for (let request = await this.#next(); request; request = await this.#next()) {
      const again = this.#usual(request);
      if (!again) throw new Mismatch(`expected the end, not ${formatKey(request)}`);
      await this.#send(again, request);
    }
    this.#call = undefined;
    this.#last.clear();
    return call;
  }

  /** Discards the call of a process that has ended. */
  end() {
    this.#call = undefined;
    this.#last.clear();
    this.#service.forget();
  }

  /** Sends the response and waits until the process has received all of it. @param {Response} response @param {Request} request */
  async #send(response, request) {
    await Promise.race([response.send(request), this.#call]);
  }

  /** Returns the response to a request that the trace doesn't contain. @param {Request} request */
  #usual(request) {
    const { does, incident, id } = request;
    const known = this.#last.get(formatKey(request)) ?? (does === "read" ? this.page?.(incident) : undefined);
    return known ?? (does === "readUpdate" && id !== undefined ? this.lookup(incident, id) : undefined);
  }

  /** Waits for the next request. Returns undefined if the call ends first. */
  async #next() {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    /** @type {Promise<never>} */
    const tooLong = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Mismatch("the process sent no more requests")), longestMs);
    });
    try {
      return await Promise.race([this.#service.next(this.#call ?? Promise.resolve()), tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #said() {
    const outcome = await this.#call;
    return outcome?.error === undefined ? "it succeeded" : `it failed: ${outcome.error.message}`;
  }
}

/** @param {Request} request */
function formatKey({ does, incident, id = "" }) {
  return `${does} ${incident} ${id}`.trim();
}

module.exports = { Exchange, Mismatch };
