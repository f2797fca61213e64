import { ResponseShapeError } from "./errors";

/** The response is larger than the limit of this package. Users know it as the class that it extends. */
export class ResponseTooLargeError extends ResponseShapeError {
  readonly #fact: string;

  /** @param fact what is too large, as the beginning of a sentence */
  constructor(fact: string, advice: string) {
    super(`${fact}. ${advice}`);
    this.#fact = fact;
  }

  /** The same for a page of one status page, which can't be made smaller. */
  ofOneStatusPage(): ResponseTooLargeError {
    return new ResponseTooLargeError(
      `${this.#fact}, although only one status page was requested`,
      "Read its incidents one by one, or report it to the service.",
    );
  }
}
