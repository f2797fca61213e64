/** Records the latest requests to the API with a valid API key, and their results. */
import { type IncomingMessage } from "node:http";
import { type ServedOperation } from "./data";
import { type Fault } from "./faults";
import { parseJson } from "./http";

const maxEntries = 10_000;

export interface JournalEntry {
  /** The `x-request-id` of the response. */
  requestId: string;
  /** Time of arrival, as an ISO date-time. */
  time: string;
  method: string;
  /** Path as the client sent it, percent-encoded and without the query. */
  path: string;
  query: Record<string, string>;
  /** Headers as the client sent them, with the API key masked, as in `Bearer ****cdef`. */
  headers: Record<string, string | string[] | undefined>;
  /** ID of the account; null if the account header was rejected. */
  account: string | null;
  /** The operation; null if the method and the path match no operation. */
  operation: ServedOperation | null;
  /** The body as parsed JSON, or as text if it isn't JSON; null if the request has no body. */
  body: unknown;
  /** The status of the response; null if no response was sent. */
  status: number | null;
  /** `answered`, or the fault or the client that ended the request; null while it is in progress. */
  ended: "answered" | "cut" | "hang" | "reset" | "client left" | null;
  /** True if the request changed the service's data. */
  applied: boolean;
  faults: Fault["kind"][];
}

export class Journal {
  /** The entries, oldest first. */
  readonly entries: JournalEntry[] = [];

  /** Adds an entry for a request that has arrived. */
  begin(
    requestId: string,
    { method = "", headers }: Pick<IncomingMessage, "method" | "headers">,
    path: string,
    query: URLSearchParams,
  ): JournalEntry {
    const entry: JournalEntry = {
      requestId,
      time: new Date().toISOString(),
      method,
      path,
      query: Object.fromEntries(query),
      headers: { ...headers, ...maskKey(headers.authorization) },
      account: null,
      operation: null,
      body: null,
      status: null,
      ended: null,
      applied: false,
      faults: [],
    };
    if (this.entries.push(entry) > maxEntries) this.entries.shift();
    return entry;
  }

  /** Adds the body to an entry. It is parsed each time it is read, because parsed JSON may be 20 times as large as its text. */
  addBody(entry: JournalEntry, bytes: Buffer): void {
    Object.defineProperty(entry, "body", { enumerable: true, get: () => parseJournalBody(bytes) });
  }

  clear(): void {
    this.entries.length = 0;
  }
}

function parseJournalBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return null;
  try {
    return parseJson("application/json", bytes);
  } catch {
    return bytes.toString();
  }
}

/** Masks an API key. The last four characters remain, which is enough to distinguish keys but not enough to use one. */
function maskKey(authorization: string | undefined) {
  if (authorization === undefined) return {};
  const [scheme = "", key = ""] = authorization.split(/ +/);
  return { authorization: key.length > 8 ? `${scheme} ****${key.slice(-4)}` : "****" };
}
