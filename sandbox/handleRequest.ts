/** Handles one request to the API, from its arrival to its response or fault. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { authorize } from "./http/access";
import { errorResponse, HttpError, type HttpResponse, responseOf } from "./http/httpResponse";
import type { SandboxData } from "./store/data";
import { deliver } from "./faults/brokenResponse";
import type { EndingFault } from "./faults/faultKinds";
import { type Faults, unaffected } from "./faults/faults";
import { type Journal, journalEnding, journalEntry } from "./journal";
import { handlers } from "./handlers";
import { parseJson, readBody } from "./http/request";
import { findRoute } from "./http/routes";
import { replacedResponse } from "./faults/replacedResponse";
import type { Store } from "./store/store";
import type { UpdateIds } from "./updateIds";

/** The parts of a sandbox that its HTTP server uses. */
export interface Service {
  store: Store;
  updateIds: UpdateIds;
  access: SandboxData["access"];
  /** In lower case. */
  accountHeader: string;
  faults: Faults;
  journal: Journal;
  /** Aborts when the sandbox closes: nothing is written after that. */
  closing: AbortSignal;
}

export async function handleRequest(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
): Promise<void> {
  const { store, updateIds, access, accountHeader, faults, journal, closing } = service;
  const { lateWrites } = faults;
  const { headers, method = "" } = request;
  const requestId = randomUUID();
  response.setHeader("x-request-id", requestId);
  const accountId = authorize(headers, access, accountHeader);
  const isKnown = !(accountId instanceof HttpError && accountId.status === 401);
  const entry = journalEntry(requestId, request, path, query);
  if (isKnown) journal.add(entry);
  response.on("close", () => (entry.ended ??= "client left"));

  const finish = async (reply: HttpResponse, fault?: EndingFault) => {
    if (request.socket.destroyed || closing.aborted) return;
    Object.assign(entry, journalEnding(reply, fault));
    await deliver(response, reply, fault, closing);
  };

  try {
    const bytes = await readBody(request);
    if (isKnown) journal.addBody(entry, bytes);
    const route = findRoute(method, path);
    const { operation, ids } = route;
    entry.operation = operation;
    entry.account = accountId instanceof HttpError ? null : accountId;

    const matched = isKnown ? faults.match(operation, entry.account) : unaffected();
    entry.faults = matched.kinds;
    if (matched.latencyMs > 0) await setTimeout(matched.latencyMs, undefined, { signal: closing });

    const applied = matched.ending === undefined || ("applied" in matched.ending && matched.ending.applied);
    const reply = responseOf(() => {
      if (accountId instanceof HttpError) throw accountId;
      const body = () => parseJson(headers["content-type"], bytes);
      const account = store.account(accountId);
      const { delay, history } = matched;
      const call = { store, updateIds, account, query, body, applied, lateWrites, delay, history };
      return handlers[operation](call, ...ids);
    });
    entry.applied = applied && route.method === "POST" && reply.status === 201;
    await finish(matched.ending ? replacedResponse(reply, matched.ending) : reply, matched.ending);
  } catch (error) {
    await finish(errorResponse(error));
  }
}
