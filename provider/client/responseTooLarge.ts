import { ResponseShapeError } from "./errors";

/** The response is larger than any that this package reads into memory. To users it is what it extends. */
export class ResponseTooLargeError extends ResponseShapeError {}
