/** One request to the API, from its arrival to its answer, or to what a fault makes of that. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { authorise } from "./access";
import { type Answer, answerOf, errorAnswer, Refusal } from "./answers";
import type { SandboxData } from "./data";
import { deliver, ending } from "./delivery";
import type { EndingFault } from "./faultKinds";
import type { Faults } from "./faults";
import type { Journal } from "./journal";
import { type Body, parseJson, readBody } from "./request";
import { findRoute } from "./routes";
import { spoilt } from "./spoiling";
import type { Store } from "./store";

/** The parts of a sandbox that its HTTP side works with. */
export interface Service {
  store: Store;
  access: SandboxData["access"];
  faults: Faults;
  journal: Journal;
  /** Aborts when the sandbox closes: nothing is written after that. */
  closing: AbortSignal;
}

export async function exchange(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
): Promise<void> {
  const { store, access, faults, journal, closing } = service;
  const { lateWrites } = faults;
  const { headers, method = "" } = request;
  const requestId = randomUUID();
  response.setHeader("x-request-id", requestId);
  const entry = journal.open(requestId, request, path, query);
  response.on("close", () => (entry.ended ??= "client left"));

  const finish = async (answer: Answer, fault?: EndingFault) => {
    if (request.socket.destroyed || closing.aborted) return;
    Object.assign(entry, ending(answer, fault));
    await deliver(response, answer, fault, closing);
  };

  try {
    const bytes = await readBody(request);
    entry.body = journalled(bytes);
    const { operation, ids } = findRoute(method, path);
    entry.operation = operation.name;
    const accountId = authorise(headers, access);
    entry.account = accountId instanceof Refusal ? null : accountId;

    const met = faults.meet(operation.name, entry.account);
    entry.faults = met.kinds;
    if (met.latencyMs > 0) await setTimeout(met.latencyMs, undefined, { signal: closing });

    const applied = met.ending === undefined || ("applied" in met.ending && met.ending.applied);
    const answer = answerOf(() => {
      if (accountId instanceof Refusal) throw accountId;
      const body = () => parseJson(headers["content-type"], bytes);
      const account = store.account(accountId);
      return operation.run({ store, account, query, body, applied, lateWrites, late: met.late }, ...ids);
    });
    entry.applied = applied && operation.method === "POST" && answer.status === 201;
    await finish(met.ending ? spoilt(answer, met.ending) : answer, met.ending);
  } catch (error) {
    await finish(errorAnswer(error));
  }
}

/** JSON as such, anything else as text. */
function journalled(bytes: Body): unknown {
  if (bytes === "too large") return "(too large)";
  if (bytes.length === 0) return null;
  try {
    return parseJson("application/json", bytes);
  } catch {
    return bytes.toString();
  }
}
