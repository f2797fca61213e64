/** Performs the commands of the protocol for a preview: one read of each incident, and no post. */
import { type Connection } from "../connection/connections";
import { type Command, contentKeys, type Event, incidentOf, type SentPost, type Task } from "../protocol";
import { type Notes } from "./notes";
import {
  type IncidentWithHistory,
  type Performer,
  readIncidentWithHistory,
  readIncidentUpdate,
  toEvent,
} from "./perform";

/** The reads of an incident for previews: one for each account. */
export type PreviewReads = Map<Connection, Promise<IncidentWithHistory>>;

export class PreviewPerformer implements Performer {
  readonly nonce = "preview";
  noResponse: string | undefined;
  /** What an `up` would do before it has the update. */
  effect: "posts" | "waits" | undefined;
  /** The name of the incident, once it was read. */
  incidentName: string | undefined;
  readonly #connection: Connection;
  readonly #reads: PreviewReads;
  readonly #notes: Notes;
  #waitedUntil = 0;

  constructor(connection: Connection, reads: PreviewReads, notes: Notes) {
    this.#connection = connection;
    this.#reads = reads;
    this.#notes = notes;
  }

  async perform(command: Exclude<Command, { do: "finish" }>, task: Task): Promise<Event> {
    if (command.do === "post") return this.#post(task);
    if (command.do === "read" && command.again && command.until === undefined) return { on: "timeUp" };
    const read = () => (command.do === "read" ? this.#read(task) : this.#readUpdate(command.id, task));
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
    const incidentId = incidentOf(task);
    const connection = this.#connection;
    const reading =
      this.#reads.get(connection) ?? readIncidentWithHistory(connection, incidentId, connection.deadlineMs);
    this.#reads.set(connection, reading);
    const { name, incidentUpdates: shown, created_at: createdAt } = await reading;
    this.incidentName = name;
    this.#notes.ofIncident(createdAt);
    return { on: "history", shown, sent: this.#sent(task), now: Date.now() };
  }

  async #readUpdate(id: string, task: Task): Promise<Event> {
    const update = await readIncidentUpdate(
      this.#connection,
      incidentOf(task),
      id,
      this.#connection.deadlineMs,
    );
    return { on: "update", id, update, sent: this.#sent(task), now: Date.now() };
  }

  #sent({ declared }: Task): SentPost[] {
    return this.#notes.posts(contentKeys(declared));
  }

  async #post({ declared, resource }: Task): Promise<Event> {
    this.effect ??= "posts";
    const { status, description, publicIncidentUpdateDate } = declared;
    // Not the id of our own, which would show that the service honours it.
    const id = `preview of ${resource}`;
    const created_at = new Date().toISOString();
    const update = { id, status, description, publicIncidentUpdateDate, created_at };
    return Promise.resolve({ on: "posted", update });
  }
}
