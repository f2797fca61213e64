/** What performs the commands of a task, in an `up` or in a preview: both read alike, and without a cache. */
import {
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
import { undefinedIfAbsent } from "../connection/undefinedIfAbsent";
import { type Command, contentKeys, type Event, type Noted, type Task } from "../protocol";
import { type Notes } from "./notes";

export type Request = Exclude<Command, { do: "finish" }>;

/** Performs every command of one task but the last. */
export abstract class Performer {
  /** Identifies the note of the task's post. */
  abstract readonly nonce: string;
  /** Why the last request received no response of the service; undefined when it received one. */
  noResponse: string | undefined;
  protected readonly connection: Connection;
  protected readonly notes: Notes;

  constructor(connection: Connection, notes: Notes) {
    this.connection = connection;
    this.notes = notes;
  }

  abstract perform(command: Request, task: Task): Promise<Event>;

  protected historyOf({ created_at, incidentUpdates }: IncidentWithHistory, task: Task): Event {
    this.notes.ofIncident(created_at);
    return { on: "history", shown: incidentUpdates, ...this.#noted(task) };
  }

  protected async readUpdate(id: string, task: Task, deadlineMs: number): Promise<Event> {
    const options = { shared: false, deadlineMs };
    const reading = this.connection.client.getIncidentUpdate(task.declared.incidentId, id, options);
    return { on: "update", id, update: await undefinedIfAbsent(reading), ...this.#noted(task) };
  }

  #noted({ declared }: Task): Noted {
    return { noted: this.notes.posts(contentKeys(declared)), now: Date.now() };
  }
}

/** The event of a read, or of its failure. @param note Told why the service did not respond; undefined when it did. */
export async function toEvent<Read>(
  read: () => Promise<Read>,
  note: (noResponse: string | undefined) => void = () => undefined,
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

/** @throws ResponseShapeError without the history, which every decision needs. */
export async function readIncidentWithHistory(
  { client, deadlineMs: longestMs }: Connection,
  incidentId: string,
  deadlineMs = longestMs,
): Promise<IncidentWithHistory> {
  const incident = await client.getStatusPageIncident(incidentId, { shared: false, deadlineMs });
  const { incidentUpdates } = incident;
  if (incidentUpdates) return { ...incident, incidentUpdates };
  throw new ResponseShapeError(
    `getStatusPageIncident ${incidentId}: the response has no incidentUpdates, so it is unknown which ` +
      "updates exist. Nothing was posted. Try again later, or report it to the service.",
  );
}

const withoutResponse = [ConnectionError, OutcomeUnknownError, RateLimitError, ServerError, TimeoutError];

export function isWithoutResponse(error: MonitoringError): boolean {
  return withoutResponse.some((kind) => error instanceof kind);
}
