/** What goes back over HTTP: an answer, or a refusal in the service's error body. */
import { STATUS_CODES } from "node:http";
import { reasonOf } from "./errors";

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function jsonAnswer(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(value),
  };
}

interface RefusalDetails {
  /** Which part of the request was refused, and its fields. */
  validation?: { source: "payload" | "query" | "params" | "headers"; keys: string[] };
}

/** The body of an error as the service words it. */
export function errorBody(status: number, message: string, details: RefusalDetails = {}) {
  return { statusCode: status, error: STATUS_CODES[status] ?? "Unknown", message, ...details };
}

/** Thrown to answer a request with an error. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    message: string,
    private readonly details: RefusalDetails = {},
    private readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }

  get answer(): Answer {
    return jsonAnswer(this.status, errorBody(this.status, this.message, this.details), this.headers);
  }
}

/** The answer that an error calls for: what isn't a refusal is a failure of the service. */
export function errorAnswer(error: unknown): Answer {
  return error instanceof Refusal ? error.answer : jsonAnswer(500, errorBody(500, reasonOf(error)));
}

export function answerOf(make: () => Answer): Answer {
  try {
    return make();
  } catch (error) {
    return errorAnswer(error);
  }
}
