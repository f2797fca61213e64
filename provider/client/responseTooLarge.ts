import { ResponseShapeError } from "./errors";

/** The response is larger than any that this package reads into memory. To users it is what it extends. */
export class ResponseTooLargeError extends ResponseShapeError {
  readonly #fact: string;

  /** @param fact what was too large, as the beginning of a sentence */
  constructor(fact: string, advice: string) {
    super(`${fact}. ${advice}`);
    this.#fact = fact;
  }

  /** The same, when fewer can't be asked for. */
  ofOneStatusPage(): ResponseTooLargeError {
    return new ResponseTooLargeError(
      `${this.#fact}, although one status page was asked for`,
      "Read its incidents one by one, or report it to the service.",
    );
  }
}
