/** Performs the commands of the protocol: reads, waits and posts, within the time that one update may take. */
import { randomUUID } from "node:crypto";
import {
  ApiError,
  ConnectionError,
  isMonitoringError,
  type MonitoringError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitError,
  ResponseShapeError,
  ServerError,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
  TimeoutError,
} from "../client";
import { type Connection } from "../connection/connections";
import {
  type Command,
  contentKey,
  contentKeys,
  type Event,
  incidentOf,
  type SentPost,
  type Task,
} from "../protocol";
import { type Notes } from "./notes";
import { pause } from "./pause";
import { type PublishingContext } from "./context";

/** Time limit of one update, from its turn on. */
const budgetMs = 45_000;
/** Share of the budget, so that time remains to search for a post without a response. */
const postShare = 20 / 45;
/** Share of the budget: with less, the post would probably time out and its result would be unknown. */
const minPostShare = 5 / 45;
/** With a create, below one minute: the grace period of many CI systems. */
const settleMs = 15_000;
const waitReadMs = 10_000;
/** Delays before the lookups of a search: a service may show a write late. */
const searchDelaysMs = [500, 1_000, 2_000, 4_000, 8_000];
const longestDelayMs = 8_000;

/** The time limit of one declaration, starting with its turn. */
class Budget {
  readonly totalMs: number;
  readonly #ends: number;

  constructor(ms: number) {
    this.totalMs = ms;
    this.#ends = performance.now() + ms;
  }

  /** The remaining time: at least one millisecond, at most this share of the total. */
  leftMs(share = 1): number {
    return Math.max(1, Math.floor(Math.min(this.#ends - performance.now(), this.totalMs * share)));
  }
}

type Request = Exclude<Command, { do: "finish" }>;
type Of<Name extends Request["do"]> = Extract<Request, { do: Name }>;

/** Performs every command of one task but the last. */
export interface Performer {
  /** Identifies the note of the task's post. */
  readonly nonce: string;
  /** Why the last request received no response of the service; undefined when it received one. */
  readonly noResponse: string | undefined;
  perform(command: Request, task: Task): Promise<Event>;
}

export class UpPerformer implements Performer {
  readonly nonce = randomUUID();
  noResponse: string | undefined;
  readonly #connection: Connection;
  readonly #context: PublishingContext;
  readonly #notes: Notes;
  #createBudget: Budget | undefined;
  #settleBudget: Budget | undefined;
  #looks = 0;

  constructor(connection: Connection, context: PublishingContext, notes: Notes) {
    this.#connection = connection;
    this.#context = context;
    this.#notes = notes;
  }

  async perform(command: Request, task: Task): Promise<Event> {
    switch (command.do) {
      case "read":
        return this.#read(command, task);
      case "readUpdate":
        return this.#readUpdate(command, task);
      case "post":
        return this.#post(command, task);
    }
  }

  #budgetOf({ phase }: Task): Budget {
    const { deadlineMs } = this.#connection;
    if (phase === "settle") return (this.#settleBudget ??= new Budget(Math.min(settleMs, deadlineMs)));
    const { timeoutMs = budgetMs } = this.#context;
    return (this.#createBudget ??= new Budget(Math.min(budgetMs, deadlineMs, timeoutMs)));
  }

  async #read({ again, until }: Of<"read">, task: Task): Promise<Event> {
    const budget = this.#budgetOf(task);
    this.#looks = again ? this.#looks + 1 : 0;
    if (again) {
      const ms = delayBefore(this.#looks, until);
      if (ms === undefined || (until === undefined && ms >= budget.leftMs())) return { on: "timeUp" };
      try {
        await pause(ms, this.#context.signal);
      } catch (error) {
        if (!isMonitoringError(error)) throw error;
        return { on: "timeUp", text: error.message };
      }
    }
    return this.#responded(async () => {
      const deadlineMs = until === undefined ? budget.leftMs() : waitReadMs;
      const incident = await readIncidentWithHistory(this.#connection, incidentOf(task), deadlineMs);
      this.#notes.ofIncident(incident.created_at);
      // After a wait for another post, the update has its whole time.
      if (until !== undefined) this.#createBudget = undefined;
      return {
        on: "history",
        shown: incident.incidentUpdates,
        sent: this.#sent(task),
        now: Date.now(),
      };
    });
  }

  #sent({ declared }: Task): SentPost[] {
    return this.#notes.posts(contentKeys(declared));
  }

  async #readUpdate({ id }: Of<"readUpdate">, task: Task): Promise<Event> {
    const deadlineMs = Math.min(waitReadMs, this.#budgetOf(task).leftMs());
    return this.#responded(async () => {
      const update = await readIncidentUpdate(this.#connection, incidentOf(task), id, deadlineMs);
      return { on: "update", id, update, sent: this.#sent(task), now: Date.now() };
    });
  }

  async #responded(read: () => Promise<Event>): Promise<Event> {
    return toEvent(read, (text) => (this.noResponse = text));
  }

  async #post({ id }: Of<"post">, task: Task): Promise<Event> {
    const { declared } = task;
    const { incidentId, status, description, notifySubscribers, publicIncidentUpdateDate, occurrence } =
      declared;
    const budget = this.#budgetOf(task);
    const postBudget = new Budget(budget.leftMs(postShare));
    const beforeSend = async (): Promise<void> => {
      await this.#context.assertEngineAlive();
      this.#context.signal?.throwIfAborted();
      if (postBudget.leftMs() < budget.totalMs * minPostShare) throw noTimeLeft(incidentId);
      const noted = { key: contentKey(declared), occurrence, date: publicIncidentUpdateDate };
      this.#notes.sending(this.nonce, noted, task.consent?.nonce);
    };
    const body = {
      status,
      description,
      notifySubscribers,
      ...(publicIncidentUpdateDate !== undefined && { publicIncidentUpdateDate }),
      ...(id !== undefined && { id }),
    };
    try {
      const options = { deadlineMs: postBudget.leftMs(), beforeSend };
      const update = await this.#connection.client.createIncidentUpdate(incidentId, body, options);
      this.noResponse = undefined;
      return { on: "posted", update };
    } catch (error) {
      if (!isMonitoringError(error)) throw error;
      const { message: text } = error;
      this.noResponse = isWithoutResponse(error) ? text : undefined;
      const status = error instanceof ApiError ? error.status : undefined;
      if (error.applied === "unknown")
        return { on: "unknown", text, isTaken: status === 409 && id !== undefined };
      this.#notes.drop(this.nonce);
      return { on: "notApplied", text, isInvalid: status === 400 || status === 422 };
    } finally {
      this.#context.connections.forgetIncident(incidentId);
    }
  }
}

/** Undefined when a search has looked often enough. */
function delayBefore(look: number, until: number | undefined): number | undefined {
  const ms = searchDelaysMs[look - 1];
  if (until === undefined) return ms;
  return Math.min(ms ?? longestDelayMs, Math.max(1, until - Date.now()));
}

/** The event of a read, or of its failure. @param note Told why the service did not respond; undefined when it did. */
export async function toEvent<Read>(
  read: () => Promise<Read>,
  note: (noResponse: string | undefined) => void,
): Promise<Read | Extract<Event, { on: "readFailed" }>> {
  try {
    const event = await read();
    note(undefined);
    return event;
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    const { message: text } = error;
    note(isWithoutResponse(error) ? text : undefined);
    return { on: "readFailed", incidentMissing: error instanceof NotFoundError, text, now: Date.now() };
  }
}

export type IncidentWithHistory = StatusPageIncident & {
  readonly incidentUpdates: readonly StatusPageIncidentUpdate[];
};

/** Reads the history without a cache. @throws ResponseShapeError without the history, which every decision needs. */
export async function readIncidentWithHistory(
  { client }: Connection,
  incidentId: string,
  deadlineMs: number,
): Promise<IncidentWithHistory> {
  const incident = await client.getStatusPageIncident(incidentId, { shared: false, deadlineMs });
  const { incidentUpdates } = incident;
  if (incidentUpdates) return { ...incident, incidentUpdates };
  throw new ResponseShapeError(
    `getStatusPageIncident ${incidentId}: the response has no incidentUpdates, so it is unknown which ` +
      "updates exist. Nothing was posted. Try again later, or report it to the service.",
  );
}

/** Reads the history once, outside a task. */
export async function readHistory(connection: Connection, incidentId: string) {
  const read = async () => {
    const { incidentUpdates: shown } = await readIncidentWithHistory(
      connection,
      incidentId,
      connection.deadlineMs,
    );
    return { on: "history" as const, shown };
  };
  return toEvent(read, () => undefined);
}

/** Reads one update without a cache; undefined when the service doesn't show it. */
export async function readIncidentUpdate(
  { client }: Connection,
  incidentId: string,
  id: string,
  deadlineMs: number,
) {
  return client.getIncidentUpdate(incidentId, id, { shared: false, deadlineMs }).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}

const withoutResponse = [ConnectionError, OutcomeUnknownError, RateLimitError, ServerError, TimeoutError];

function isWithoutResponse(error: MonitoringError): boolean {
  return withoutResponse.some((kind) => error instanceof kind);
}

function noTimeLeft(incidentId: string): TimeoutError {
  return new TimeoutError(
    `IncidentUpdate on incident ${incidentId}: reading the incident, or waiting for other requests, left too little time ` +
      "to post the update. Nothing was posted. Run `pulumi up` again. If `deadlineMs` or `customTimeouts` is below 45 s, raise it.",
  );
}
