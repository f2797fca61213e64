/** Starts a service that lists objects, and connects to it. */
import { pageSize } from "../../provider/api";
import { Connections } from "../../provider/connection";
import { apiKey, notFound, send, serve } from "../client/services";

export const connectionsTo = ({ url }: { url: string }, more: Readonly<Record<string, string>> = {}) =>
  new Connections(
    undefined,
    { MONITORING_API_KEY: apiKey, MONITORING_BASE_URL: url, ...more },
    { maxAttempts: 1 },
  );

/** The objects of a list, an HTTP status, the start of a response that ends too early, or any response. */
export type Listed = readonly object[] | number | string | { readonly status: number; readonly body: string };

/** Lists by path. A function receives the number of the request for the list, starting with 1. */
export type Lists = Readonly<Record<string, Listed | ((turn: number) => Listed)>>;

/** Starts a service with these lists. @param others The response for any other list. */
export async function serveLists(lists: Lists, others: Listed = 404) {
  const turns = new Map<string, number>();
  return serve((response, { url }) => {
    const { pathname, searchParams } = new URL(url, "http://a");
    const turn = (turns.get(pathname) ?? 0) + 1;
    turns.set(pathname, turn);
    const list = lists[pathname] ?? others;
    const found = typeof list === "function" ? list(turn) : list;
    const start = Number(searchParams.get("nextId") ?? 0);
    const end = start + Number(searchParams.get("limit") ?? pageSize.usual);
    if (typeof found === "number") send(response, { ...notFound, statusCode: found }, found);
    else if (typeof found === "string") response.end(found);
    else if ("status" in found) response.writeHead(found.status).end(found.body);
    else {
      const entries = found.slice(start, end);
      const nextId = end < found.length ? String(end) : null;
      send(response, { entries, length: entries.length, nextId });
    }
  });
}

export const withCards = "/v1/status-pages";
export const withComponents = "/v3/status-pages";
