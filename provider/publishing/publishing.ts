/** Publishes declared updates: performs the protocol's decisions, one declaration of an incident at a time. Holds the state of one run. */
import { isMonitoringError } from "../client";
import { type Connection } from "../connection";
import {
  begin,
  comparedIncident,
  type Comparison,
  type Declaration,
  diff,
  type Ending,
  foresee,
  type Ledger,
  newLedger,
  type Notice,
  type Sent,
  step,
  type Task,
} from "../protocol";
import { checkpointsText, noticeText, skippedText, unusedCodesText } from "../wording";
import { WorkQueue } from "../workQueue";
import { LockDirectory, serviceKey } from "./lockDirectory";
import {
  type Performer,
  PreviewPerformer,
  type PreviewReads,
  type PublishingContext,
  UpPerformer,
} from "./performers";

/** A declaration, and the post of an earlier run whose result is unknown. */
interface PublishRequest {
  readonly connection: Connection;
  readonly context: PublishingContext;
  readonly declared: Declaration;
  /** True if the declared text may be a secret. Default: true. */
  readonly isTextSecret?: boolean;
  readonly sent?: Sent | undefined;
}

/** The turn of a declaration on its incident. */
interface Turn {
  readonly incident: RunIncident;
  readonly beginning: Omit<Parameters<typeof begin>[1], "nonce">;
  readonly place: Parameters<LockDirectory["read"]>[0];
}

/** Publishes updates, and holds what a run knows about them. */
export class Publishing {
  readonly #incidents = new Incidents();
  readonly #locks = new Map<string | undefined, LockDirectory>();
  /** Services that did not respond to a preview. */
  readonly #silent = new Set<string>();
  /** True if a question was asked or answered, or a notice says that the codes that are set answered none. */
  #wasAsked = false;
  #unnamed = 0;
  #wasWarned = false;

  /** Compares a declaration with the state. @param connection Undefined if this run learns nothing from it. */
  diff(
    connection: Connection | undefined,
    { resource, ...compared }: Omit<Comparison, "resource"> & { readonly resource: string | undefined },
  ): ReturnType<typeof diff>["difference"] {
    const comparison = { ...compared, resource: this.#nameOf(resource) };
    const incidentId = comparedIncident(comparison);
    // A resource without a name would not be recognized in the next call.
    const isForgotten = resource === undefined && comparison.was.kind !== "posted";
    if (!connection || incidentId === undefined || isForgotten) return diff(comparison).difference;
    const incident = this.#incidents.of(connection, incidentId);
    const { difference, ledger = incident.ledger } = diff(comparison, incident.ledger);
    incident.ledger = ledger;
    return difference;
  }

  /** Publishes a declaration, after it has settled what an earlier run sent for it. */
  async publish(request: PublishRequest): Promise<Ending> {
    const { connection, context, declared } = request;
    this.#warnOfCheckpoints(context);
    const lockContext = { notice: noticeIn(context), signal: context.signal };
    const ending = await this.#inTurn(request, async (turn) =>
      this.#directory(connection).withLock(turn.place, lockContext, async (notes) => {
        const performer = new UpPerformer(connection, notes, context);
        const { ending, task } = await this.#steps(turn, performer, (notice) =>
          context.notice(noticeText(notice, declared)),
        );
        for (const { nonce, id } of task.applied) notes.learned(nonce, { id });
        if ("recorded" in ending && ending.recorded?.kind === "sent")
          notes.learned(ending.recorded.nonce, { isReported: true });
        if (isFailure(ending) && (ending.kind === "unconfirmed" || performer.noResponse !== undefined))
          turn.incident.turns.skipWaiting();
        this.#wasAsked ||= task.used.length > 0 || isQuestion(ending);
        return ending;
      }),
    );
    if (!isFailure(ending)) this.#tellOfUnusedCodes(connection, context);
    return ending;
  }

  /** Says what `publish` would do, and on which incident by name, if it was read. */
  async preview(
    request: PublishRequest,
  ): Promise<{ readonly ending: Ending; readonly incidentName?: string | undefined }> {
    const { connection, context, declared, sent: recorded } = request;
    // One failure is enough: a preview would wait for each incident as long.
    const service = serviceKey(connection.origin);
    if (this.#silent.has(service)) return { ending: foresee({ declared, recorded, unread: "" }) };
    let incidentName: string | undefined;
    const ending = await this.#inTurn(request, async (turn) => {
      const { incident } = turn;
      const notes = this.#directory(connection).read(turn.place, noticeIn(context));
      const performer = new PreviewPerformer(connection, notes, incident.previewReads);
      const { ending } = await this.#steps(turn, performer);
      ({ incidentName } = performer);
      const isBehind = incident.isResultUnknown;
      const hasWaited = ending.remarks.some(({ tell }) => tell === "waits");
      incident.isResultUnknown ||= ending.kind === "unconfirmed" || (isFailure(ending) && hasWaited);
      const { noResponse } = performer;
      // The previews of one incident may have begun together.
      const unread = noResponse !== undefined && this.#silent.has(service) ? "" : noResponse;
      if (unread !== undefined) this.#silent.add(service);
      return foresee({ declared, recorded, unread, isBehind }, ending);
    });
    return { ending, incidentName };
  }

  /** Runs the work when it is the declaration's turn on its incident. A failure before or in it is a refusal. */
  async #inTurn(request: PublishRequest, work: (turn: Turn) => Promise<Ending>): Promise<Ending> {
    const { connection, context, declared, isTextSecret, sent: recorded } = request;
    const resource = this.#nameOf(context.resource);
    const { incidentId } = (recorded ?? { declared }).declared;
    const incident = this.#incidents.of(connection, incidentId);
    const failure = (text: string): Ending => ({
      kind: "refused",
      refusal: { why: "failed", text },
      recorded,
      remarks: [],
    });
    const run = async (): Promise<Ending> => {
      context.signal?.throwIfAborted();
      // The engine may repeat a call that failed, with the state from before it.
      const plan = incident.ledger.plans.get(resource);
      const sent = plan?.kind === "unsettled" ? plan.recorded : recorded;
      const place = { service: connection.origin, incidentId };
      const beginning = { resource, declared, isTextSecret, sent, codes: connection.resend };
      return work({ incident, beginning, place });
    };
    return incident.turns
      .take(run, () => failure(skippedText(incidentId)))
      .catch((error: unknown) => {
        if (!isMonitoringError(error)) throw error;
        return failure(error.message);
      });
  }

  async #steps(
    { incident, beginning }: Turn,
    performer: Performer,
    tell: (notice: Notice) => void = () => undefined,
  ): Promise<{ readonly ending: Ending; readonly task: Task }> {
    let next = begin(incident.ledger, { ...beginning, nonce: performer.nonce });
    for (let told = 0; ;) {
      incident.ledger = next.ledger;
      next.task.remarks.slice(told).forEach(tell);
      told = next.task.remarks.length;
      if (next.command.do === "finish") return { ending: next.command.ending, task: next.task };
      const event = await performer.perform(next.command, next.task);
      // Other calls may have changed the ledger meanwhile.
      next = step(incident.ledger, next.task, event);
    }
  }

  /** A code answers its own question alone, so one that is left over does no harm. */
  #tellOfUnusedCodes({ resend, source }: Connection, context: PublishingContext): void {
    if (this.#wasAsked || resend.length === 0 || this.#incidents.areUnsettled()) return;
    this.#wasAsked = true;
    context.notice(unusedCodesText(resend, source === "provider"));
  }

  #warnOfCheckpoints(context: PublishingContext): void {
    if (this.#wasWarned || !areCheckpointsSkipped()) return;
    this.#wasWarned = true;
    context.notice(checkpointsText);
  }

  /** A resource that isn't identified is like no other. */
  #nameOf(resource: string | undefined): string {
    return resource ?? `?${++this.#unnamed}`;
  }

  #directory({ lockDirectory }: Connection): LockDirectory {
    const directory = this.#locks.get(lockDirectory) ?? new LockDirectory(lockDirectory);
    this.#locks.set(lockDirectory, directory);
    return directory;
  }
}

/** Serializes the updates of an incident, so that they keep their order and each sees the result of the previous one. */
class Turns {
  readonly #queue = new WorkQueue(1);
  #count = 0;
  /** Turns up to this number are skipped, because an earlier one received no response. */
  #skippedUpTo = 0;

  /** Runs the work when its turn comes, or else the alternative. */
  async take<T>(work: () => Promise<T>, skip: () => T): Promise<T> {
    const turn = ++this.#count;
    return this.#queue.run(async () => (turn <= this.#skippedUpTo ? skip() : work()));
  }

  /**
   * Skips those that wait now: otherwise each would wait as long for a service that doesn't respond, and updates would be
   * posted out of order.
   */
  skipWaiting(): void {
    this.#skippedUpTo = this.#count;
  }
}

/** An incident on which a run publishes. */
interface RunIncident {
  /** Holds what the run knows. */
  ledger: Ledger;
  /** The {@link serviceKey}. */
  readonly service: string;
  readonly turns: Turns;
  readonly previewReads: PreviewReads;
  /** True if a preview found an update whose result is unknown: an `up` may keep later ones waiting for it. */
  isResultUnknown: boolean;
}

class Incidents {
  readonly #all = new Map<string, RunIncident>();

  /** True if a post of an earlier run isn't settled yet, which may lead to a question. */
  areUnsettled(): boolean {
    const ledgers = [...this.#all.values()].map(({ ledger }) => ledger);
    return ledgers.some(({ plans }) => [...plans.values()].some(({ kind }) => kind === "unsettled"));
  }

  of(connection: Connection, incidentId: string): RunIncident {
    const service = serviceKey(connection.origin);
    const key = JSON.stringify([service, incidentId]);
    const incident = this.#all.get(key) ?? newIncident(service, connection);
    this.#all.set(key, incident);
    // Support for ids is a fact of the service, not of the incident.
    const isIgnored = [...this.#all.values()].some(
      (other) => other.service === service && other.ledger.ids === "ignored",
    );
    if (isIgnored) incident.ledger = { ...incident.ledger, ids: "ignored" };
    return incident;
  }
}

function newIncident(service: string, { clientIds }: Connection): RunIncident {
  const ledger = newLedger(clientIds ? "used" : "off");
  return { service, ledger, turns: new Turns(), previewReads: new Map(), isResultUnknown: false };
}

/** True if the engine saves the state only at the end of a run, so that a killed run leaves no record of its posts. */
function areCheckpointsSkipped(): boolean {
  return /^(1|t|true)$/i.test(process.env["PULUMI_SKIP_CHECKPOINTS"] ?? "");
}

const noticeIn = (context: PublishingContext) => (text: string) => context.notice(`IncidentUpdate: ${text}`);

type Failed = Extract<Ending, { readonly refusal?: unknown }>;

function isFailure(ending: Ending): ending is Failed {
  return "refusal" in ending;
}

function isQuestion(ending: Ending): boolean {
  if (!isFailure(ending) || !ending.refusal) return false;
  return "codes" in ending.refusal && ending.refusal.codes.length > 0;
}
