/** The latest 10,000 requests to the API, and how each ended. */
import type { IncomingMessage } from "node:http";
import type { Fault } from "./faultKinds";
import type { OperationName } from "./handlers";

const maxEntries = 10_000;

export interface JournalEntry {
  /** The response's `x-request-id`. */
  requestId: string;
  /** When it arrived, as an ISO date-time. */
  time: string;
  method: string;
  /** As it was sent, percent-encoding included, without the query. */
  path: string;
  query: Record<string, string>;
  /** As they were sent, with the API key masked, as in `Bearer ****cdef`. */
  headers: Record<string, string | string[] | undefined>;
  /** The id of the account; null when the key or the account header was rejected. */
  account: string | null;
  /** Null when method and path match no operation. */
  operation: OperationName | null;
  /** The parsed JSON; the text when it isn't JSON; null without a body. */
  body: unknown;
  /** The status of the response; null without one. */
  status: number | null;
  /** How it ended: `answered`, or by the fault of that name; null while it is in progress. */
  ended: "answered" | "cut" | "hang" | "reset" | "client left" | null;
  /** Whether it changed the service's data. */
  applied: boolean;
  /** The kinds of the faults that affected it. */
  faults: Fault["kind"][];
}

export class Journal {
  /** Oldest first. */
  readonly entries: JournalEntry[] = [];

  open(requestId: string, request: IncomingMessage, path: string, query: URLSearchParams): JournalEntry {
    const entry: JournalEntry = {
      requestId,
      time: new Date().toISOString(),
      method: request.method ?? "",
      path,
      query: Object.fromEntries(query),
      headers: { ...request.headers, ...maskedKey(request.headers.authorization) },
      account: null,
      operation: null,
      body: null,
      status: null,
      ended: null,
      applied: false,
      faults: [],
    };
    this.entries.push(entry);
    if (this.entries.length > maxEntries) this.entries.shift();
    return entry;
  }

  clear(): void {
    this.entries.length = 0;
  }
}

/** Enough to distinguish keys, not enough to use one. */
function maskedKey(authorization: string | undefined) {
  if (authorization === undefined) return {};
  const [scheme = "", key = ""] = authorization.split(/ +/);
  return { authorization: key.length > 8 ? `${scheme} ****${key.slice(-4)}` : "****" };
}
