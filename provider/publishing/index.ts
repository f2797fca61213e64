/** Publishes declared updates: carries out the protocol's decisions with turns, locks, notes, time limits and requests. */
import { randomUUID } from "node:crypto";
import { type NewComponentImpact } from "../api";
import { isMonitoringError, MonitoringError } from "../client";
import { type Connection, type Containers } from "../connection";
import { findWarnings, findNewest } from "../proofreading";
import {
  begin,
  type Command,
  getComparedContainerId,
  type Comparison,
  type Declaration,
  findDeniedPost,
  diff,
  type TaskResult,
  type Event,
  predict,
  type Prediction,
  predictWrite,
  createLedger,
  type DeclaredIncident,
  findDeclaredIncident,
  type Ledger,
  type Notice,
  normalizeUpdate,
  type ShownUpdate,
  type UpdateRecord,
  step,
  type Task,
  withNotedEdit,
} from "../protocol";
import { normalizeId } from "../texts";
import { getNounsAt, formatNotice } from "../wording";
import { WorkQueue } from "../workQueue";
import { LockDirectory, type IncidentLocation, computeLocationKey, computeServiceKey } from "./lockDirectory";
import { type Notes } from "./notes";
import { getOpenings } from "./openings";
import {
  type ContainerWithHistory,
  PreviewPerformer,
  type PublishingContext,
  UpPerformer,
} from "./performers";

export { deleteNotes } from "./lockDirectory";
export { getOpenings } from "./openings";
export { type PublishingContext } from "./performers";

interface PublishRequest {
  readonly connection: Connection;
  readonly context: PublishingContext;
  readonly declared: Declaration;
  readonly isTextSecret: boolean;
  /** The impacts of an incident. The request that opens it contains them. */
  readonly impacts?: readonly NewComponentImpact[];
  /** The record in the state, if the result of its post is unknown or its update is edited. */
  readonly was?: UpdateRecord | undefined;
}

/** The prediction with the incident as it was read, and possible errors in the declaration. */
type PreviewResult = Prediction & {
  readonly container?: ContainerWithHistory | undefined;
  readonly warnings?: readonly string[];
};

type TaskInput = Parameters<typeof begin>[1];

/** Publishes the declarations of one run, and holds the state that they share. */
export class Publishing {
  readonly #containers = new Map<string, RunContainer>();
  #lockDirectory: LockDirectory | undefined;
  /** Services that didn't respond to a preview. */
  readonly #silent = new Set<string>();
  #wasWarned = false;

  /** @param connection Undefined if the comparison must not change the ledger of this run. */
  diff(connection: Connection | undefined, comparison: Comparison): Omit<ReturnType<typeof diff>, "ledger"> {
    const containerId = getComparedContainerId(comparison);
    if (!connection || containerId === undefined) return diff(comparison);
    const { statusPageId } = comparison.declared;
    const container = this.#getContainer({ service: connection.origin, containerId, statusPageId });
    const { ledger = container.ledger, ...result } = diff(comparison, container.ledger);
    container.ledger = ledger;
    return result;
  }

  /**
   * Returns the record with the edits that only the notes of this machine contain. A killed run may have edited the update if it is on a
   * page with components.
   */
  withOwnNotes(
    recorded: UpdateRecord,
    connection: Connection | undefined,
    { resource }: Pick<PublishingContext, "resource">,
  ): UpdateRecord {
    const { declared } = recorded;
    const { containerId, statusPageId } = declared;
    if (!connection || statusPageId === undefined || recorded.kind !== "posted") return recorded;
    const place = { service: connection.origin, containerId, statusPageId };
    const notes = this.#getLockDirectory(connection).peek(place);
    return withNotedEdit(recorded, notes?.listPosts([declared.contentKey], { resource }) ?? []);
  }

  /**
   * Records in the notes that the resource was removed from the state. Otherwise, another update that is declared under its name soon after
   * would be taken for a change of the removed one.
   */
  async forget(
    connection: Connection,
    { containerId, statusPageId }: Pick<Declaration, "containerId" | "statusPageId">,
    context: PublishingContext,
  ): Promise<void> {
    const place = { service: connection.origin, containerId, statusPageId };
    const lockDirectory = this.#getLockDirectory(connection);
    if (lockDirectory.peek(place)?.hasPost(context) !== true) return;
    await lockDirectory.withLock(place, context, (notes) => {
      notes.disown(context);
      return Promise.resolve();
    });
  }

  /** Reads the entries of the container that a preview compares with a changed declaration. */
  async readEntries(connection: Connection, declared: Declaration): Promise<readonly ShownUpdate[]> {
    const { uncached } = findContainers({ connection, declared });
    const { incidentUpdates } = await uncached.read(declared.containerId);
    return (incidentUpdates ?? []).map((update) => normalizeUpdate(update));
  }

  findDeclaredIncident(
    { origin: service }: Connection,
    statusPageId: unknown,
    resources: readonly string[] | undefined,
    isPosted: boolean,
  ): DeclaredIncident | undefined {
    if (typeof statusPageId !== "string") return undefined;
    const ledger = this.#findPageLedger(service, statusPageId);
    return ledger && findDeclaredIncident(ledger, resources, isPosted);
  }

  /** Returns true if a resource of this run owns the update. */
  isOwned(containerId: unknown, updateId: unknown): boolean {
    return [...this.#containers.values()].some(
      ({ place, ledger }) =>
        place.containerId === containerId && ledger.owners.has(normalizeId(String(updateId))),
    );
  }

  /** Publishes a declaration, after the result of an earlier post of the resource is known. */
  async publish(request: PublishRequest): Promise<TaskResult> {
    const { connection, context } = request;
    this.#warnOfCheckpoints(context);
    return this.#runInTurn<TaskResult>(request, randomUUID(), (container, beginning) =>
      this.#getLockDirectory(connection).withLock(container.place, context, (notes) =>
        this.#publishInTurn(request, container, beginning, notes),
      ),
    );
  }

  async #publishInTurn(
    request: PublishRequest,
    container: RunContainer,
    beginning: TaskInput,
    notes: Notes,
  ): Promise<TaskResult> {
    const { context, declared } = request;
    const performer = new UpPerformer(
      createPerformerContext(request, container, notes, container.ledger.opener !== undefined),
    );
    const tell = (notice: Notice): void => context.notice(formatNotice(notice, declared, context.label));
    const take: CommandHandler<{ readonly result: TaskResult; readonly task: Task }> = (command, task) => {
      if (command.kind === "finish") return { end: { result: command.result, task } };
      if (command.kind === "post" || command.kind === "edit")
        for (const warning of findWarningsOnIncident(declared, container, performer.container, command))
          context.warn(`${context.title}: ${warning}.`);
      return performer.perform(command, task);
    };
    const { result, task } = await runSteps(container, beginning, take, tell);
    for (const { nonce, ...result } of task.applied) notes.recordResult(nonce, result, context);
    const denied = findDeniedPost(task, result);
    if (denied) notes.drop(denied.nonce);
    if (result.recorded?.kind === "sent") notes.recordResult(result.recorded.nonce, { isReported: true });
    if (result.kind === "unconfirmed" || ("rejection" in result && performer.noResponse !== undefined))
      container.skipWaiting();
    return result;
  }

  async preview(request: PublishRequest): Promise<PreviewResult> {
    const { connection, declared, was: recorded } = request;
    // Without this, a preview would wait for the full time limit on each incident.
    if (this.#silent.has(computeServiceKey(connection.origin)))
      return predict({ declared, recorded, unread: "" });
    return this.#runInTurn<PreviewResult>(request, "preview", (container, beginning) =>
      this.#previewInTurn(request, container, beginning),
    );
  }

  async #previewInTurn(
    request: PublishRequest,
    container: RunContainer,
    beginning: TaskInput,
  ): Promise<PreviewResult> {
    const { connection, context, declared, was: recorded } = request;
    const notes = await this.#getLockDirectory(connection).read(container.place, (text) =>
      context.notice(text),
    );
    const performer = new PreviewPerformer(
      createPerformerContext(request, container, notes),
      container.previewReads,
    );
    let warnings: readonly string[] | undefined;
    const prediction = await runSteps<Prediction>(container, beginning, (command, task) => {
      if (command.kind === "finish") return { end: command.result };
      if (command.kind !== "post" && command.kind !== "edit") return performer.perform(command, task);
      warnings = findWarningsOnIncident(declared, container, performer.container, command);
      return { end: container.predictWrite(task) };
    });
    const { noResponse, container: shown } = performer;
    const isBehind = container.isResultUnknown;
    const hasWaited = prediction.notices.some(({ kind }) => kind === "waits");
    container.isResultUnknown ||=
      prediction.kind === "unconfirmed" || ("rejection" in prediction && hasWaited);
    // Several previews may have started at the same time. Only the first one reports the reason.
    const service = computeServiceKey(connection.origin);
    const unread = noResponse !== undefined && this.#silent.has(service) ? "" : noResponse;
    if (unread !== undefined) this.#silent.add(service);
    return {
      ...predict({ declared, recorded, unread, isBehind }, prediction),
      container: shown,
      warnings: warnings ?? findWarningsOnIncident(declared, container, shown),
    };
  }

  /** Runs the work when it is the declaration's turn on its incident. Returns errors of this package as rejections. */
  async #runInTurn<Ended>(
    { connection, context, declared, isTextSecret, was }: PublishRequest,
    nonce: string,
    work: (container: RunContainer, beginning: TaskInput) => Promise<Ended>,
  ): Promise<Ended | TaskResult> {
    const { resource } = context;
    const { containerId, statusPageId } = declared;
    const place = { service: connection.origin, containerId, statusPageId };
    const container = this.#getContainer(place);
    try {
      return await container.runInTurn(() => {
        context.signal?.throwIfAborted();
        container.ledger = { ...container.ledger, opener: this.#findOpener(place) };
        const codes = connection.resend;
        return work(container, { resource, declared, nonce, isTextSecret, codes, was });
      });
    } catch (error) {
      if (!isMonitoringError(error)) throw error;
      const rejection = { kind: "failed", text: error.message } as const;
      return { kind: "refused", rejection, recorded: was, notices: [] };
    }
  }

  /** Finds the resource of this run that declares the incident. */
  #findOpener({ service, containerId: id, statusPageId }: IncidentLocation): Ledger["opener"] {
    if (statusPageId === undefined) return undefined;
    const owner = this.#findPageLedger(service, statusPageId)?.owners.get(normalizeId(id));
    return owner && { by: owner.by, id };
  }

  /** Returns what this run knows of the incidents on a page. Undefined if it has none there. */
  #findPageLedger(service: IncidentLocation["service"], statusPageId: string): Ledger | undefined {
    const place = { service, containerId: statusPageId, statusPageId };
    return this.#containers.get(computeLocationKey(place))?.ledger;
  }

  /** Warns once if the engine saves the state only at the end of a run, because a killed run then leaves no record of its posts. */
  #warnOfCheckpoints(context: PublishingContext): void {
    if (this.#wasWarned || !/^(1|t|true)$/i.test(process.env["PULUMI_SKIP_CHECKPOINTS"] ?? "")) return;
    this.#wasWarned = true;
    context.notice(
      "PULUMI_SKIP_CHECKPOINTS is set, so the state of a killed run doesn't record the updates that it posted, and the next run may " +
        "post them again. Unset it for stacks that post updates.",
    );
  }

  #getContainer(place: IncidentLocation): RunContainer {
    const key = computeLocationKey(place);
    const container = this.#containers.get(key) ?? new RunContainer(place);
    this.#containers.set(key, container);
    return container;
  }

  #getLockDirectory({ lockDirectory }: Connection): LockDirectory {
    return (this.#lockDirectory ??= new LockDirectory(lockDirectory));
  }
}

/**
 * Returns possible errors in a declaration that is about to be sent. The incident includes the changes of this run, or the expected changes
 * in a preview, so that the preview and the following `up` emit the same warnings.
 */
function findWarningsOnIncident(
  declared: Declaration,
  { ledger }: RunContainer,
  read: ContainerWithHistory | undefined,
  write?: { readonly kind: string; readonly id?: string | undefined },
): string[] {
  const now = Date.now();
  const isEdit = write?.kind === "edit";
  // The existing incidents of a page don't matter for a new incident.
  if (declared.name !== undefined) return findWarnings({ declared, now, isEdit });
  // The rules that compare an update with the newest one only apply to an edit of the newest update.
  if (!read || (isEdit && findNewest(read)?.id !== write.id)) return findWarnings({ declared, now, isEdit });
  const incident = { ...read, incidentUpdates: [...ledger.view.updates] };
  const isNewestDeclared = ledger.owners.has(findNewest(incident)?.id ?? "");
  return findWarnings({ declared, incident, now, isEdit, isNewestDeclared });
}

function createPerformerContext(
  request: PublishRequest,
  container: RunContainer,
  notes: Notes,
  isOpenedHere = false,
): ConstructorParameters<typeof UpPerformer>[0] {
  const { connection, context } = request;
  const containers = findContainers(request);
  return { connection, containers, context, notes, isOpenedHere, ledger: () => container.ledger };
}

function findContainers({
  connection,
  declared: { name, containerId, statusPageId },
  impacts = [],
}: Pick<PublishRequest, "connection" | "declared" | "impacts">): Containers {
  return name === undefined
    ? connection.getIncidents(statusPageId)
    : getOpenings(connection.client, containerId, name, impacts);
}

/** Carries out a command, or ends the steps with a result. */
type CommandHandler<End> = (command: Command, task: Task) => Promise<Event> | { readonly end: End };

/** @param tell Receives each notice immediately. Undefined in a preview, which reports all notices at its end. */
async function runSteps<End>(
  container: RunContainer,
  beginning: TaskInput,
  take: CommandHandler<End>,
  tell?: (notice: Notice) => void,
): Promise<End> {
  let next = begin(container.ledger, beginning);
  for (let reported = 0; ;) {
    const { ledger, task, command } = next;
    container.ledger = ledger;
    task.notices.slice(reported).forEach((notice) => tell?.(notice));
    reported = task.notices.length;
    const outcome = take(command, task);
    if ("end" in outcome) return outcome.end;
    const event = await outcome;
    // Other calls may have changed the ledger while the command was carried out, so continue with the current one.
    next = step(container.ledger, task, event);
  }
}

/** An incident on which a run publishes one update at a time, so that each update sees the result of the previous one. */
class RunContainer {
  ledger = createLedger();
  readonly previewReads = new Map<Containers, Promise<ContainerWithHistory>>();
  /** True if a preview found an update with an unknown result. `pulumi up` may let later updates wait for it. */
  isResultUnknown = false;
  readonly #queue = new WorkQueue(1);
  #turns = 0;
  /** Turns up to this number are skipped, because an earlier turn received no response. */
  #skippedUpTo = 0;

  constructor(readonly place: IncidentLocation) {}

  /** Applies the task's write to the ledger of a preview, without sending it. */
  predictWrite(task: Task): Prediction {
    const { ledger, prediction } = predictWrite(this.ledger, task);
    this.ledger = ledger;
    return prediction;
  }

  async runInTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = ++this.#turns;
    const { type, container, entry, posted } = getNounsAt(this.place);
    return this.#queue.run(async () => {
      if (turn <= this.#skippedUpTo)
        throw new MonitoringError(
          `${type} on ${container} ${this.place.containerId}: the previous ${entry} on this ${container} failed, or its result is unknown. ` +
            `Nothing was ${posted}. Run \`pulumi up\` again.`,
        );
      return work();
    });
  }

  /**
   * Skips the turns that are waiting. Without this, each of them would wait for a service that doesn't respond, and updates would be posted
   * out of order.
   */
  skipWaiting(): void {
    this.#skippedUpTo = this.#turns;
  }
}
