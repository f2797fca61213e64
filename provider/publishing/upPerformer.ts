/** Performs the commands of the protocol in an `up`: reads, waits and posts, within the time that one update may take. */
import { randomUUID } from "node:crypto";
import { ApiError, isMonitoringError, TimeoutError } from "../client";
import { searchAdvice } from "../client/interpretResponse";
import { type Connection } from "../connection/connections";
import { type Command, contentKey, type Event, type Task } from "../protocol";
import { type PublishingContext } from "./context";
import { type Notes } from "./notes";
import { pause } from "./pause";
import { isWithoutResponse, Performer, readIncidentWithHistory, type Request, toEvent } from "./performer";

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

type Of<Name extends Request["do"]> = Extract<Command, { do: Name }>;

export class UpPerformer extends Performer {
  readonly nonce = randomUUID();
  readonly #context: PublishingContext;
  #createBudget: Budget | undefined;
  #settleBudget: Budget | undefined;
  #looks = 0;

  constructor(connection: Connection, notes: Notes, context: PublishingContext) {
    super(connection, notes);
    this.#context = context;
  }

  async perform(command: Request, task: Task): Promise<Event> {
    switch (command.do) {
      case "read":
        return this.#read(command, task);
      case "readUpdate": {
        const deadlineMs = Math.min(waitReadMs, this.#budgetOf(task).leftMs());
        return this.#responded(async () => this.readUpdate(command.id, task, deadlineMs));
      }
      case "post":
        return this.#post(command, task);
    }
  }

  #budgetOf({ phase }: Task): Budget {
    const { deadlineMs } = this.connection;
    if (phase.at === "settle") return (this.#settleBudget ??= new Budget(Math.min(settleMs, deadlineMs)));
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
      const incident = await readIncidentWithHistory(this.connection, task.declared.incidentId, deadlineMs);
      // After a wait for another post, the update has its whole time.
      if (until !== undefined) this.#createBudget = undefined;
      return this.historyOf(incident, task);
    });
  }

  async #responded(read: () => Promise<Event>): Promise<Event> {
    return toEvent(read, (text) => (this.noResponse = text));
  }

  async #post({ id, denied }: Of<"post">, task: Task): Promise<Event> {
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
      this.notes.sending(this.nonce, noted, denied);
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
      const update = await this.connection.client.createIncidentUpdate(incidentId, body, options);
      this.noResponse = undefined;
      return { on: "posted", update };
    } catch (error) {
      if (!isMonitoringError(error)) throw error;
      const text = error.message.replace(` ${searchAdvice}`, "");
      this.noResponse = isWithoutResponse(error) ? text : undefined;
      const status = error instanceof ApiError ? error.status : undefined;
      if (error.applied === "unknown") return { on: "unknown", text };
      this.notes.drop(this.nonce);
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

function noTimeLeft(incidentId: string): TimeoutError {
  return new TimeoutError(
    `IncidentUpdate on incident ${incidentId}: reading the incident, or waiting for other requests, left too little time ` +
      "to post the update. Nothing was posted. Run `pulumi up` again. If `deadlineMs` or `customTimeouts` is below 45 s, raise it.",
  );
}
