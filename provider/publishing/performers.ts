/**
 * Carries out the commands of a task. `pulumi up` has a time limit for each update. A preview reads each incident once, and a page once
 * for each declared incident. It doesn't post. Neither uses a cache.
 */
import {
  type AnyIncident,
  type Connection,
  type Connections,
  type Containers,
  ignoreNotFound,
} from "../connection";
import { type StatusPageIncidentUpdate } from "../api";
import {
  ConnectionError,
  isMonitoringError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitError,
  RequestError,
  ResponseShapeError,
  searchAdvice,
  ServerError,
  TimeoutError,
  type WriteOptions,
} from "../client";
import {
  type Command,
  type Declaration,
  getOccurrence,
  listContentKeys,
  type Event,
  type Ledger,
  type ShownUpdate,
  normalizeUpdate,
  type Task,
} from "../protocol";
import { computeBeginning } from "../proofreading";
import { getNouns, type Label } from "../wording";
import { type Notes } from "./notes";
import { listenMs, pause, searchDelaysMs, settleMs, updateMs, waitReadMs } from "./time";

export interface PublishingContext {
  readonly connections: Connections;
  /** The URN of the resource. */
  readonly resource: string;
  /** The address of the engine, which calls all provider processes of a run. */
  readonly engine?: string | undefined;
  /** The title of the resource in messages, with its place in a timeline. */
  readonly title: string;
  /** Returns the start of a notice about the resource. */
  readonly label: Label;
  notice(text: string): void;
  warn(text: string): void;
  assertEngineAlive(): Promise<void>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

type Request = Exclude<Command, { kind: "finish" }>;

/** The dependencies of a performer. */
interface PerformerContext {
  readonly connection: Connection;
  readonly containers: Containers;
  readonly notes: Notes;
  readonly context: PublishingContext;
  /** True if a resource of this run opened the incident, because reads may not find the incident at first. */
  readonly isOpenedHere: boolean;
  /** Returns the current ledger of the run. */
  ledger(): Ledger;
}

/** Carries out all commands of one task, except the last one. */
abstract class Performer {
  /** The error if the service didn't respond to the last request. */
  noResponse: string | undefined;
  /** The incident from the last read. */
  container: ContainerWithHistory | undefined;
  readonly #beganAt = Date.now() - performance.now();

  constructor(protected readonly setting: PerformerContext) {}

  /** Returns the Unix time in milliseconds. Uses the monotonic clock, so that setting the system clock back can't extend a wait. */
  protected now(): number {
    return Math.round(this.#beganAt + performance.now());
  }

  /** @param tells True if the result of the read updates `noResponse`. */
  protected async readEvent(read: () => Promise<Event>, tells = true): Promise<Event> {
    try {
      const event = await read();
      if (tells) this.noResponse = undefined;
      return event;
    } catch (error) {
      if (!isMonitoringError(error)) throw error;
      const { message: text } = error;
      if (tells) this.noResponse = isWithoutResponse(error) ? text : undefined;
      return { kind: "readFailed", containerMissing: error instanceof NotFoundError, text, now: this.now() };
    }
  }

  protected toHistoryEvent(container: ContainerWithHistory, task: Task): Event {
    this.setting.notes.setContainerCreatedAt(container.created_at);
    const shown = container.incidentUpdates.map((update) => this.normalizeUpdate(update, task));
    // Pages with components reject updates that are dated before their incident.
    const isOnCards = this.setting.containers.statusPageId === undefined;
    const isPage = task.declared.name !== undefined;
    const began = isOnCards || isPage ? undefined : computeBeginning(container);
    return { kind: "history", shown, began, ...this.#getReadContext(task, shown) };
  }

  protected async readUpdate(id: string, task: Task, deadlineMs: number): Promise<Event> {
    const options = { shared: false, deadlineMs };
    const reading = this.setting.containers.uncached.readUpdate(task.declared.containerId, id, options);
    const update = await ignoreNotFound(reading);
    return {
      kind: "update",
      update: update && this.normalizeUpdate(update, task),
      ...this.#getReadContext(task),
    };
  }

  /** Normalizes an update. Reuses the content keys that the run has already computed. */
  protected normalizeUpdate(update: StatusPageIncidentUpdate, { declared }: Task): ShownUpdate {
    return normalizeUpdate(update, [declared, ...this.setting.ledger().view.updates]);
  }

  /** @throws ResponseShapeError if the response doesn't contain the history, because every decision requires it. */
  protected async readHistory(
    { declared: { containerId, name, contentKey } }: Task,
    deadlineMs: number,
  ): Promise<ContainerWithHistory> {
    const { containers, notes } = this.setting;
    const sent = notes.listPosts([contentKey]).filter(({ id }) => id === undefined);
    const sentAt = sent.map(({ at }) => at);
    const shown = await containers.uncached.read(containerId, { shared: false, deadlineMs }, sentAt);
    const { incidentUpdates } = shown;
    if (incidentUpdates) return { ...shown, incidentUpdates };
    const { container, entry, posted } = getNouns({ name });
    throw new ResponseShapeError(
      `Reading ${container} ${containerId}: the response contains no ${entry}s, so the provider can't tell which ones exist. Nothing was ` +
        `${posted}. Try again later, or report the response to the service.`,
    );
  }

  #getReadContext(task: Task, shown: readonly ShownUpdate[] = []) {
    const keys = listContentKeys(task, this.setting.ledger(), shown);
    return { notes: this.setting.notes.listPosts(keys, this.setting.context), now: this.now() };
  }
}

export type ContainerWithHistory = AnyIncident & {
  readonly incidentUpdates: readonly StatusPageIncidentUpdate[];
};

const withoutResponse = [ConnectionError, OutcomeUnknownError, RateLimitError, ServerError, TimeoutError];

function isWithoutResponse(error: unknown): boolean {
  return withoutResponse.some((kind) => error instanceof kind);
}

export class PreviewPerformer extends Performer {
  readonly #reads: Map<Containers, Promise<ContainerWithHistory>>;
  #waitedUntil = 0;

  constructor(setting: PerformerContext, reads: Map<Containers, Promise<ContainerWithHistory>>) {
    super(setting);
    this.#reads = reads;
  }

  async perform(command: Exclude<Request, { kind: "post" | "edit" }>, task: Task): Promise<Event> {
    if (command.kind === "listen") await pause(listenMs, this.setting.context.signal);
    if (command.kind === "read") {
      if (command.until !== undefined) this.#waitedUntil = command.until;
      else if (command.again) return { kind: "timeUp", now: this.now() };
    }
    const { deadlineMs } = this.setting.connection;
    const read = async () =>
      command.kind === "readUpdate" ? this.readUpdate(command.id, task, deadlineMs) : this.#read(task);
    // A search continues even if a single update can't be read.
    return this.readEvent(read, command.kind !== "readUpdate" || task.phase.kind === "decide");
  }

  /** Returns the time after the simulated wait, so that a preview decides like `pulumi up` if the post doesn't appear. */
  protected override now(): number {
    return Math.max(super.now(), this.#waitedUntil);
  }

  async #read(task: Task): Promise<Event> {
    const { containers } = this.setting;
    const { deadlineMs } = this.setting.connection;
    const { containerId } = task.declared;
    const read = () => containers.addLocationHint(containerId, this.readHistory(task, deadlineMs));
    const reading = this.#reads.get(containers) ?? read();
    this.#reads.set(containers, reading);
    const container = await reading;
    this.container = container;
    return this.toHistoryEvent(container, task);
  }
}

type CommandOf<Name extends Request["kind"]> = Extract<Command, { kind: Name }>;

/** The share of an update's time that a post may use. The rest is for a search if the post receives no response. */
const postShare = 20 / 45;
/** The minimum share of the time for sending a post. With less time, the post would probably time out, and its result would be unknown. */
const minPostShare = 5 / 45;

export class UpPerformer extends Performer {
  #createLimit: TimeLeft | undefined;
  #settleLimit: TimeLeft | undefined;
  #looks = 0;

  async perform(command: Request, task: Task): Promise<Event> {
    switch (command.kind) {
      case "read":
        return this.#read(command, task);
      case "listen":
        return (await this.#pause(listenMs)) ?? this.#read({ again: false }, task);
      case "readUpdate": {
        const deadlineMs = Math.min(waitReadMs, this.#getTimeLimit(task).leftMs());
        return this.readEvent(() => this.readUpdate(command.id, task, deadlineMs));
      }
      case "post":
        return this.#post(command, task);
      case "edit":
        return this.#edit(command, task);
    }
  }

  #getTimeLimit({ phase }: Task): TimeLeft {
    const { deadlineMs } = this.setting.connection;
    if (phase.kind === "settle") return (this.#settleLimit ??= new TimeLeft(Math.min(settleMs, deadlineMs)));
    const { timeoutMs = updateMs } = this.setting.context;
    return (this.#createLimit ??= new TimeLeft(Math.min(updateMs, deadlineMs, timeoutMs)));
  }

  async #read({ again, until }: Omit<CommandOf<"read">, "kind">, task: Task): Promise<Event> {
    const limit = this.#getTimeLimit(task);
    this.#looks = again ? this.#looks + 1 : 0;
    if (again) {
      const ms = computeDelay(this.#looks, until && until - this.now());
      if (ms === undefined || (until === undefined && ms >= limit.leftMs()))
        return { kind: "timeUp", now: this.now() };
      const cancelled = await this.#pause(ms);
      if (cancelled) return cancelled;
    }
    const look = (): Promise<Event> => this.#look(until, limit, task);
    let event = await look();
    for (let looks = 1; this.setting.isOpenedHere && isMissing(event); looks++) {
      const ms = computeDelay(looks, undefined);
      if (ms === undefined || ms >= limit.leftMs()) return event;
      event = (await this.#pause(ms)) ?? (await look());
    }
    return event;
  }

  #look(until: number | undefined, limit: TimeLeft, task: Task): Promise<Event> {
    return this.readEvent(async () => {
      const deadlineMs = until === undefined ? limit.leftMs() : waitReadMs;
      const container = await this.readHistory(task, deadlineMs);
      this.container = container;
      // After waiting for another post, restart the time limits of this update.
      if (until !== undefined) this.#createLimit = this.#settleLimit = undefined;
      return this.toHistoryEvent(container, task);
    });
  }

  /** Returns undefined, or an event if the run is canceled during the pause. */
  async #pause(ms: number): Promise<Event | undefined> {
    try {
      await pause(ms, this.setting.context.signal);
      return undefined;
    } catch (error) {
      if (!isMonitoringError(error)) throw error;
      return { kind: "timeUp", text: error.message, now: this.now() };
    }
  }

  async #post({ id, denied }: CommandOf<"post">, task: Task): Promise<Event> {
    const { declared, nonce, applied } = task;
    const { containerId, status, description, notifySubscribers, publicIncidentUpdateDate } = declared;
    const { connection, containers } = this.setting;
    const sendsId = connection.clientIds && containers.statusPageId === undefined;
    const body = { status, description, notifySubscribers, publicIncidentUpdateDate, ...(sendsId && { id }) };
    const content = toNoteContent(declared, publicIncidentUpdateDate);
    const writeNote = () =>
      this.setting.notes.recordPost(nonce, content, { denied, applied, sender: this.setting.context });
    const send = async (options: WriteOptions): Promise<Event> => {
      const update = await containers.uncached.post(containerId, body, options);
      return { kind: "posted", update: this.normalizeUpdate(update, task) };
    };
    return this.#sendWrite(task, writeNote, send, sendsId ? idRejected : "");
  }

  async #edit({ id, date }: CommandOf<"edit">, task: Task): Promise<Event> {
    const { declared, nonce, applied } = task;
    const { containerId, status, description } = declared;
    const body = { status, description, publicIncidentUpdateDate: date };
    // Record the edit, because after it, an earlier run's post can only be identified by its ID, and the edit must survive a kill.
    const content = toNoteContent(declared, date);
    const writeNote = () =>
      this.setting.notes.recordPost(nonce, content, { applied, sender: this.setting.context, edits: id });
    return this.#sendWrite(task, writeNote, async (options) => {
      const update = await this.setting.containers.uncached.edit(containerId, id, body, options);
      return { kind: "edited", update: this.normalizeUpdate(update, task) };
    });
  }

  /**
   * Sends a write once.
   * @param note Runs immediately before the request.
   * @param ifInvalid An explanation that is added if the service rejects the content.
   */
  async #sendWrite(
    task: Task,
    note: () => Promise<void> | void,
    send: (options: WriteOptions) => Promise<Event>,
    ifInvalid = "",
  ): Promise<Event> {
    const { containerId } = task.declared;
    const limit = this.#getTimeLimit(task);
    const writeLimit = new TimeLeft(limit.leftMs(postShare));
    let at: number | undefined;
    const beforeSend = async (): Promise<void> => {
      await this.setting.context.assertEngineAlive();
      this.setting.context.signal?.throwIfAborted();
      if (writeLimit.leftMs() < limit.totalMs * minPostShare) throw createNoTimeLeftError(task.declared);
      await note();
      at = this.now();
    };
    try {
      const event = await send({ deadlineMs: writeLimit.leftMs(), beforeSend });
      this.noResponse = undefined;
      return event;
    } catch (error) {
      if (!isMonitoringError(error)) throw error;
      const text = error.message.replace(searchAdvice, "");
      this.noResponse = isWithoutResponse(error) ? text : undefined;
      if (error.applied === "unknown") return { kind: "unknown", text, ...(at !== undefined && { at }) };
      this.setting.notes.drop(task.nonce);
      const isInvalid = error instanceof RequestError && [400, 422].includes(error.status);
      return { kind: "notApplied", text: isInvalid ? `${text}${ifInvalid}` : text };
    } finally {
      this.setting.context.connections.forgetIncident(containerId);
    }
  }
}

const toNoteContent = (declared: Declaration, date: string | undefined) => ({
  contentKey: declared.contentKey,
  occurrence: getOccurrence(declared),
  date,
});

const isMissing = (event: Event): boolean => event.kind === "readFailed" && event.containerMissing;

const idRejected =
  " If the service rejected the ID of the update and not its content, an update with this ID may already be public. Check the public page. " +
  "Only if the update isn't there, set monitoring:clientIds to false.";

class TimeLeft {
  readonly totalMs: number;
  readonly #ends: number;

  constructor(ms: number) {
    this.totalMs = ms;
    this.#ends = performance.now() + ms;
  }

  /** Returns the remaining time: at least one millisecond, at most the given share of the total. */
  leftMs(share = 1): number {
    return Math.max(1, Math.floor(Math.min(this.#ends - performance.now(), this.totalMs * share)));
  }
}

const longestDelayMs = 8_000;

function computeDelay(look: number, leftMs: number | undefined): number | undefined {
  const ms = searchDelaysMs[look - 1];
  if (leftMs === undefined) return ms;
  return Math.min(ms ?? longestDelayMs, Math.max(1, leftMs));
}

function createNoTimeLeftError({ containerId, name }: Declaration): TimeoutError {
  const { type, container, entry, posted } = getNouns({ name });
  return new TimeoutError(
    `${type} on ${container} ${containerId}: reading the ${container} or waiting for other requests left too little time to send the ` +
      `${entry}. Nothing was ${posted}. Run \`pulumi up\` again. If \`deadlineMs\` or \`customTimeouts\` is below 45 s, raise it.`,
  );
}
