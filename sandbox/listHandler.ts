/** Operations that list objects: pages of at most a limit, and cursors between them. */
import { z } from "zod";
import { pageSize } from "../provider/api/listPage";
import type { SandboxAccount } from "./store/data";
import { type HttpResponse, jsonResponse } from "./http/httpResponse";
import { ListCursors } from "./listCursor";
import { queryValues, validate } from "./http/request";

/** What a list needs of a call. */
interface ListCall {
  readonly account: SandboxAccount;
  readonly query: URLSearchParams;
}

const { least, most, usual } = pageSize;
const listQuery = z.strictObject({
  limit: z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .transform(Number)
    .default(usual),
  nextId: z.string().optional(),
});

/**
 * What an operation does that lists objects.
 *
 * @param all All objects of the list.
 * @param shown Some of them, as a read returns them. Default: as they are stored.
 */
export function listHandler<Call extends ListCall, Entry extends object>(
  operation: string,
  all: (call: Call) => readonly Entry[],
  shown: (entries: readonly Entry[], call: Call) => readonly object[] = (entries) => entries,
): (call: Call) => HttpResponse {
  return (call) => {
    const { limit, nextId } = validate(listQuery, queryValues(call.query), "query");
    const objects = all(call);
    const cursors = new ListCursors(operation, call.account, objects.length);
    const start = nextId === undefined ? 0 : cursors.decode(nextId);
    const entries = shown(objects.slice(start, start + limit), call);
    return jsonResponse(200, {
      length: entries.length,
      entries,
      nextId: cursors.at(start + limit),
    });
  };
}
