/** Every request to the API, as it came and as it ended; the latest 10,000. */
import type { IncomingMessage } from "node:http";
import type { Fault } from "./faultKinds";
import type { OperationName } from "./operations";

const mostEntries = 10_000;

export interface JournalEntry {
  /** The answer's `x-request-id`. */
  requestId: string;
  /** When it arrived, as an ISO date-time. */
  time: string;
  method: string;
  /** As it was sent, percent-encoding included, without the query. */
  path: string;
  query: Record<string, string>;
  /** As they were sent, but of the API key only the last four characters, as in `Bearer ****cdef`. */
  headers: Record<string, string | string[] | undefined>;
  /** The id of the account; null when key or account header were refused. */
  account: string | null;
  /** Null when method and path are none of the six. */
  operation: OperationName | null;
  /** The JSON that was sent; as text if it isn't JSON; null if there was none. */
  body: unknown;
  /** The status of the answer, as far as it got; null without one. */
  status: number | null;
  /** How it ended: `answered`, or as the fault of that name has it; null while it is under way. */
  ended: "answered" | "cut" | "hang" | "reset" | "client left" | null;
  /** Whether it changed what the service keeps. */
  applied: boolean;
  /** The kinds of the faults that it met. */
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
      headers: { ...request.headers, ...hiddenKey(request.headers.authorization) },
      account: null,
      operation: null,
      body: null,
      status: null,
      ended: null,
      applied: false,
      faults: [],
    };
    this.entries.push(entry);
    if (this.entries.length > mostEntries) this.entries.shift();
    return entry;
  }

  clear(): void {
    this.entries.length = 0;
  }
}

/** Enough to tell one key from another, too little to use it. */
function hiddenKey(authorization: string | undefined) {
  if (authorization === undefined) return {};
  const [scheme = "", key = ""] = authorization.split(/ +/);
  return { authorization: key.length > 8 ? `${scheme} ****${key.slice(-4)}` : "****" };
}
