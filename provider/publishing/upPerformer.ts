/** Performs the commands of the protocol in an `up`: reads, waits and posts, within the time that one update may take. */
import { randomUUID } from "node:crypto";
import { ApiError, isMonitoringError } from "../client";
import { searchAdvice } from "../client/errorTexts";
import { type Connection } from "../connection/connections";
import { type Command, contentKey, type Event, type Task } from "../protocol";
import { type PublishingContext } from "./context";
import { type Notes } from "./notes";
import { noTimeLeft } from "./outOfTime";
import { pause } from "./pause";
import { isWithoutResponse, Performer, readIncidentWithHistory, type Request, toEvent } from "./performer";
import {
  delayBefore,
  leastPostShare,
  postShare,
  settleMs,
  TimeLeft,
  updateMs,
  waitReadMs,
} from "./timeLimits";

type Of<Name extends Request["do"]> = Extract<Command, { do: Name }>;

export class UpPerformer extends Performer {
  readonly nonce = randomUUID();
  readonly #context: PublishingContext;
  #createLimit: TimeLeft | undefined;
  #settleLimit: TimeLeft | undefined;
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
        const deadlineMs = Math.min(waitReadMs, this.#limitOf(task).leftMs());
        return this.#responded(async () => this.readUpdate(command.id, task, deadlineMs));
      }
      case "post":
        return this.#post(command, task);
    }
  }

  #limitOf({ phase }: Task): TimeLeft {
    const { deadlineMs } = this.connection;
    if (phase.at === "settle") return (this.#settleLimit ??= new TimeLeft(Math.min(settleMs, deadlineMs)));
    const { timeoutMs = updateMs } = this.#context;
    return (this.#createLimit ??= new TimeLeft(Math.min(updateMs, deadlineMs, timeoutMs)));
  }

  async #read({ again, until }: Of<"read">, task: Task): Promise<Event> {
    const limit = this.#limitOf(task);
    this.#looks = again ? this.#looks + 1 : 0;
    if (again) {
      const ms = delayBefore(this.#looks, until);
      if (ms === undefined || (until === undefined && ms >= limit.leftMs())) return { on: "timeUp" };
      try {
        await pause(ms, this.#context.signal);
      } catch (error) {
        if (!isMonitoringError(error)) throw error;
        return { on: "timeUp", text: error.message };
      }
    }
    return this.#responded(async () => {
      const deadlineMs = until === undefined ? limit.leftMs() : waitReadMs;
      const incident = await readIncidentWithHistory(this.connection, task.declared.incidentId, deadlineMs);
      // After a wait for another post, the update has its whole time.
      if (until !== undefined) this.#createLimit = undefined;
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
    const limit = this.#limitOf(task);
    const postLimit = new TimeLeft(limit.leftMs(postShare));
    const beforeSend = async (): Promise<void> => {
      await this.#context.assertEngineAlive();
      this.#context.signal?.throwIfAborted();
      if (postLimit.leftMs() < limit.totalMs * leastPostShare) throw noTimeLeft(incidentId);
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
      const options = { deadlineMs: postLimit.leftMs(), beforeSend };
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
