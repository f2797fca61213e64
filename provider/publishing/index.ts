/** Publishes declared updates: turns, the lock and its notes, time limits and requests around what the protocol decides. */
import { randomUUID } from "node:crypto";
import { isMonitoringError, MonitoringError } from "../client";
import { type Connection, type Containers } from "../connection";
import { doubtsIn, newestUpdate } from "../proofreading";
import {
  begin,
  type Command,
  comparedContainer,
  type Comparison,
  type Declaration,
  deniedBy,
  diff,
  type Ending,
  type Event,
  foresee,
  type Foreseen,
  foreseeWrite,
  newLedger,
  type Notice,
  type Recorded,
  step,
  type Task,
  withNotedEdit,
  withWanted,
} from "../protocol";
import { canonicalId } from "../texts";
import { getNouns, noticeText } from "../wording";
import { WorkQueue } from "../workQueue";
import { LockDirectory, type Place, placeKey, serviceKey } from "./lockDirectory";
import { type Notes } from "./notes";
import {
  type ContainerWithHistory,
  PreviewPerformer,
  type PublishingContext,
  UpPerformer,
} from "./performers";

export { forgetNotes } from "./lockDirectory";
export { type PublishingContext } from "./performers";

interface PublishRequest {
  readonly connection: Connection;
  readonly context: PublishingContext;
  readonly declared: Declaration;
  readonly isTextSecret: boolean;
  /** What the state records, if the result of its post is unknown, or if its incident has another address now. */
  readonly was?: Recorded | undefined;
  readonly isMoved: boolean;
}

/** With the incident as it was read, and what may be a mistake in the declaration. */
type Previewed = Foreseen & {
  readonly container?: ContainerWithHistory | undefined;
  readonly doubts?: readonly string[];
};

type Beginning = Parameters<typeof begin>[1];

/** The publishing of one run: the state that its declarations share. */
export class Publishing {
  readonly #containers = new Map<string, RunContainer>();
  #lockDirectory: LockDirectory | undefined;
  /** Services that did not respond to a preview. */
  readonly #silent = new Set<string>();
  #wasWarned = false;

  /** @param connection Undefined if this run learns nothing from the comparison. */
  diff(connection: Connection | undefined, comparison: Comparison): Omit<ReturnType<typeof diff>, "ledger"> {
    const containerId = comparedContainer(comparison);
    if (!connection || containerId === undefined) return diff(comparison);
    const { statusPageId } = comparison.declared;
    const container = this.#containerOf({ service: connection.origin, containerId, statusPageId });
    const { ledger = container.ledger, ...result } = diff(comparison, container.ledger);
    container.ledger = ledger;
    return result;
  }

  /**
   * The record, with what only the notes of this machine have: a run that was killed may have edited the update, if it is on a page with
   * components.
   */
  withOwnNotes(
    recorded: Recorded,
    { statusPageId }: { readonly statusPageId?: unknown },
    connection: Connection | undefined,
    { resource }: Pick<PublishingContext, "resource">,
  ): Recorded {
    if (!connection || typeof statusPageId !== "string" || recorded.kind !== "posted") return recorded;
    const { declared } = recorded;
    const place = { service: connection.origin, containerId: declared.containerId, statusPageId };
    const notes = this.#directory(connection).peek(place);
    return withNotedEdit(recorded, notes?.posts([declared.words], { resource }) ?? []);
  }

  /** True if a resource of this run has the update. */
  isOwned(containerId: unknown, updateId: unknown): boolean {
    return [...this.#containers.values()].some(
      ({ place, ledger }) =>
        place.containerId === containerId && ledger.owners.has(canonicalId(String(updateId))),
    );
  }

  /** Publishes a declaration, after it has settled what an earlier run sent for it. */
  async publish(request: PublishRequest): Promise<Ending> {
    const { connection, context } = request;
    this.#warnOfCheckpoints(context);
    return this.#inTurn<Ending>(request, randomUUID(), (container, beginning) =>
      this.#directory(connection).withLock(container.place, context, (notes) =>
        this.#publishInTurn(request, container, beginning, notes),
      ),
    );
  }

  async #publishInTurn(
    request: PublishRequest,
    container: RunContainer,
    beginning: Beginning,
    notes: Notes,
  ): Promise<Ending> {
    const { context, declared } = request;
    const performer = new UpPerformer(
      settingOf(request, container, notes, this.#isOpenedHere(container.place)),
    );
    const tell = (notice: Notice): void => context.notice(noticeText(notice, declared));
    const take: Take<{ readonly ending: Ending; readonly task: Task }> = (command, task) => {
      if (command.do === "finish") return { end: { ending: command.ending, task } };
      if (command.do === "post" || command.do === "edit")
        for (const doubt of doubtsOf(declared, container, performer.container, command))
          context.warn(`${context.title}: ${doubt}.`);
      return performer.perform(command, task);
    };
    const { ending, task } = await stepsOf(container, beginning, take, tell);
    for (const { nonce, ...result } of task.applied) notes.learned(nonce, result);
    const denied = deniedBy(task, ending);
    if (denied) notes.drop(denied.nonce);
    if (ending.recorded?.kind === "sent") notes.learned(ending.recorded.nonce, { isReported: true });
    if (ending.kind === "unconfirmed" || ("refusal" in ending && performer.noResponse !== undefined))
      container.skipWaiting();
    return ending;
  }

  async preview(request: PublishRequest): Promise<Previewed> {
    const { connection, declared, was: recorded } = request;
    // One failure is enough: otherwise, a preview would wait as long for each incident.
    if (this.#silent.has(serviceKey(connection.origin))) return foresee({ declared, recorded, unread: "" });
    return this.#inTurn<Previewed>(request, "preview", (container, beginning) =>
      this.#previewInTurn(request, container, beginning),
    );
  }

  async #previewInTurn(
    request: PublishRequest,
    container: RunContainer,
    beginning: Beginning,
  ): Promise<Previewed> {
    const { connection, context, declared, was: recorded } = request;
    const notes = await this.#directory(connection).read(container.place, (text) => context.notice(text));
    const performer = new PreviewPerformer(settingOf(request, container, notes), container.previewReads);
    let doubts: readonly string[] | undefined;
    const ending = await stepsOf<Foreseen>(container, beginning, (command, task) => {
      if (command.do === "finish") return { end: command.ending };
      if (command.do !== "post" && command.do !== "edit") return performer.perform(command, task);
      doubts = doubtsOf(declared, container, performer.container, command);
      return { end: container.foresee(task) };
    });
    const { noResponse, container: shown } = performer;
    const isBehind = container.isResultUnknown;
    const hasWaited = ending.remarks.some(({ tell }) => tell === "waits");
    container.isResultUnknown ||= ending.kind === "unconfirmed" || ("refusal" in ending && hasWaited);
    // Previews of one incident may have begun together.
    const service = serviceKey(connection.origin);
    const unread = noResponse !== undefined && this.#silent.has(service) ? "" : noResponse;
    if (unread !== undefined) this.#silent.add(service);
    return {
      ...foresee({ declared, recorded, unread, isBehind }, ending),
      container: shown,
      doubts: doubts ?? doubtsOf(declared, container, shown),
    };
  }

  /** Runs the work when the declaration's turn on its incident comes. A failure before or in it is a refusal. */
  async #inTurn<Ended>(
    { connection, context, declared, isTextSecret, was, isMoved }: PublishRequest,
    nonce: string,
    work: (container: RunContainer, beginning: Beginning) => Promise<Ended>,
  ): Promise<Ended | Ending> {
    const { resource } = context;
    const { containerId, statusPageId } = declared;
    const container = this.#containerOf({ service: connection.origin, containerId, statusPageId });
    if (!was) container.ledger = withWanted(container.ledger, resource, declared);
    try {
      return await container.inTurn(() => {
        context.signal?.throwIfAborted();
        const codes = connection.resend;
        return work(container, { resource, declared, nonce, isTextSecret, codes, was, isMoved });
      });
    } catch (error) {
      if (!isMonitoringError(error)) throw error;
      const refusal = { why: "failed", text: error.message } as const;
      return { kind: "refused", refusal, recorded: isMoved ? undefined : was, remarks: [] };
    }
  }

  #isOpenedHere({ service, containerId, statusPageId }: Place): boolean {
    if (statusPageId === undefined) return false;
    const page = this.#containers.get(placeKey({ service, containerId: statusPageId, statusPageId }));
    return page?.ledger.owners.has(canonicalId(containerId)) === true;
  }

  /** If the engine saves the state only at the end of a run, a killed run leaves no record of its posts. */
  #warnOfCheckpoints(context: PublishingContext): void {
    if (this.#wasWarned || !/^(1|t|true)$/i.test(process.env["PULUMI_SKIP_CHECKPOINTS"] ?? "")) return;
    this.#wasWarned = true;
    context.notice(
      "PULUMI_SKIP_CHECKPOINTS is set, so the state of a killed run lacks what it posted, and the next run may " +
        "post it again. Unset it for stacks that post updates.",
    );
  }

  #containerOf(place: Place): RunContainer {
    const key = placeKey(place);
    const container = this.#containers.get(key) ?? new RunContainer(place);
    this.#containers.set(key, container);
    return container;
  }

  #directory({ lockDirectory }: Connection): LockDirectory {
    return (this.#lockDirectory ??= new LockDirectory(lockDirectory));
  }
}

/**
 * What may be a mistake in a declaration that is about to be sent: on the incident as this run has read and made it, or expects to make it,
 * so that a preview warns of what the `up` after it will.
 */
function doubtsOf(
  declared: Declaration,
  { ledger }: RunContainer,
  read: ContainerWithHistory | undefined,
  write?: { readonly do: string; readonly id?: string | undefined },
): string[] {
  const now = Date.now();
  const isEdit = write?.do === "edit";
  // What is new on a page follows no other incident of it.
  if (declared.name !== undefined) return doubtsIn({ declared, now, isEdit });
  // The rules that compare an update with the newest one hold if it is edited itself.
  if (!read || (isEdit && newestUpdate(read)?.id !== write.id)) return doubtsIn({ declared, now, isEdit });
  const incident = { ...read, incidentUpdates: [...ledger.view.updates] };
  return doubtsIn({ declared, incident, now, isEdit });
}

function settingOf(
  { connection, context, declared }: PublishRequest,
  container: RunContainer,
  notes: Notes,
  isOpenedHere = false,
): ConstructorParameters<typeof UpPerformer>[0] {
  const { name, containerId, statusPageId } = declared;
  const containers =
    name === undefined ? connection.incidentsOn(statusPageId) : connection.openingsOn(containerId, name);
  return { connection, containers, context, notes, isOpenedHere, ledger: () => container.ledger };
}

/** Performs a command, or ends the steps. */
type Take<End> = (command: Command, task: Task) => Promise<Event> | { readonly end: End };

/** @param tell Tells the user at once. A preview reports all at its end. */
async function stepsOf<End>(
  container: RunContainer,
  beginning: Beginning,
  take: Take<End>,
  tell?: (notice: Notice) => void,
): Promise<End> {
  let next = begin(container.ledger, beginning);
  for (let reported = 0; ;) {
    const { ledger, task, command } = next;
    container.ledger = ledger;
    task.remarks.slice(reported).forEach((notice) => tell?.(notice));
    reported = task.remarks.length;
    const taken = take(command, task);
    if ("end" in taken) return taken.end;
    const event = await taken;
    // Other calls may have changed the ledger meanwhile.
    next = step(container.ledger, task, event);
  }
}

/** An incident on which a run publishes one update at a time: in their order, and each sees the result of the previous one. */
class RunContainer {
  ledger = newLedger();
  readonly previewReads = new Map<Containers, Promise<ContainerWithHistory>>();
  /** True if a preview found an update whose result is unknown, for which an `up` may keep later ones waiting. */
  isResultUnknown = false;
  readonly #queue = new WorkQueue(1);
  #turns = 0;
  /** Turns up to this number are skipped, because an earlier one received no response. */
  #skippedUpTo = 0;

  constructor(readonly place: Place) {}

  /** Goes on in a preview as if the task's write had been done. */
  foresee(task: Task): Foreseen {
    const { ledger, foreseen } = foreseeWrite(this.ledger, task);
    this.ledger = ledger;
    return foreseen;
  }

  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = ++this.#turns;
    const { containerId, statusPageId } = this.place;
    // A page is the container of its incidents.
    const nouns = getNouns(containerId === statusPageId ? { name: "" } : {});
    return this.#queue.run(async () => {
      if (turn <= this.#skippedUpTo)
        throw new MonitoringError(
          `${nouns.type} on ${nouns.container} ${containerId}: not ${nouns.posted}, because the previous ${nouns.entry} of this ` +
            `${nouns.container} failed or its result is unknown. Run \`pulumi up\` again.`,
        );
      return work();
    });
  }

  /**
   * Skips the turns that wait now. Otherwise, each would wait as long for a service that doesn't respond, and updates would be posted out
   * of order.
   */
  skipWaiting(): void {
    this.#skippedUpTo = this.#turns;
  }
}
