/** Performs the commands of the protocol for a preview: one read of each incident, and no post. */
import { type Connection } from "../connection/connections";
import { type Event, type Task } from "../protocol";
import { type Notes } from "./notes";
import {
  type IncidentWithHistory,
  Performer,
  readIncidentWithHistory,
  type Request,
  toEvent,
} from "./performer";

/** The reads of an incident for previews: one for each account. */
export type PreviewReads = Map<Connection, Promise<IncidentWithHistory>>;

export class PreviewPerformer extends Performer {
  readonly nonce = "preview";
  /** What an `up` would do before it has the update. */
  effect: "posts" | "waits" | undefined;
  /** The name of the incident, once it was read. */
  incidentName: string | undefined;
  readonly #reads: PreviewReads;
  #waitedUntil = 0;

  constructor(connection: Connection, notes: Notes, reads: PreviewReads) {
    super(connection, notes);
    this.#reads = reads;
  }

  async perform(command: Request, task: Task): Promise<Event> {
    if (command.do === "post") return this.#post(task);
    if (command.do === "read" && command.again && command.until === undefined) return { on: "timeUp" };
    const { deadlineMs } = this.connection;
    const read = async () =>
      command.do === "read" ? this.#read(task) : this.readUpdate(command.id, task, deadlineMs);
    const event = await toEvent(read, (text) => {
      if (command.do === "read") this.noResponse ??= text;
    });
    if (command.do === "read" && command.until !== undefined) {
      this.effect = "waits";
      this.#waitedUntil = command.until;
    }
    // What an `up` waits for counts as absent from then on.
    return "now" in event ? { ...event, now: Math.max(event.now, this.#waitedUntil) } : event;
  }

  async #read(task: Task): Promise<Event> {
    const { connection } = this;
    const reading =
      this.#reads.get(connection) ?? readIncidentWithHistory(connection, task.declared.incidentId);
    this.#reads.set(connection, reading);
    const incident = await reading;
    this.incidentName = incident.name;
    return this.historyOf(incident, task);
  }

  async #post({ declared, resource }: Task): Promise<Event> {
    this.effect ??= "posts";
    const { status, description, publicIncidentUpdateDate } = declared;
    const id = `preview of ${resource}`;
    const created_at = new Date().toISOString();
    const update = { id, status, description, publicIncidentUpdateDate, created_at };
    return Promise.resolve({ on: "posted", update });
  }
}
