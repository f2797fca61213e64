/** Keeps out web pages that are open in a browser on this machine: they could use the well-known key. */
import type { IncomingHttpHeaders } from "node:http";
import { HttpError } from "./httpResponse";

/**
 * Every path needs this. A page that has pointed its own host name to this machine sends that name.
 *
 * @throws HttpError for any host name but this machine's
 */
export function rejectForeignHosts({ host = "" }: IncomingHttpHeaders): void {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host))
    throw new HttpError(403, "The sandbox accepts only the hosts 127.0.0.1 and localhost.");
}

/**
 * Not for the status page, to which other pages may link.
 *
 * @throws HttpError for requests of pages other than the sandbox's own
 */
export function rejectForeignOrigins({
  host = "",
  origin,
  "sec-fetch-site": site = "none",
}: IncomingHttpHeaders): void {
  if ((origin !== undefined && origin !== `http://${host}`) || (site !== "none" && site !== "same-origin"))
    throw new HttpError(403, "The sandbox rejects requests from other web pages.");
}
