/** Publishes declared updates: performs the protocol's decisions, one declaration of an incident at a time. Holds the state of one run. */
import { isMonitoringError } from "../client";
import { type Connection } from "../connection";
import {
  begin,
  checkpointsText,
  comparedIncident,
  type Comparison,
  type Declaration,
  diff,
  type Difference,
  type Ledger,
  newLedger,
  type Notice,
  noticeText,
  type Posted,
  type Previewed,
  type Recorded,
  type Refusal,
  refusalText,
  replacedBy,
  type Result,
  type Sent,
  skippedText,
  step,
  type Task,
  unusedCodesText,
} from "../protocol";
import { WorkQueue } from "../workQueue";
import { LockDirectory, serviceKey } from "./lockDirectory";
import {
  type Performer,
  PreviewPerformer,
  type PreviewReads,
  type PublishingContext,
  UpPerformer,
} from "./performers";

/** The state has to record this. Without success, it says why it failed. */
type Published = { readonly kind: "done"; readonly posted: Posted } | Failed;

interface Failed {
  readonly kind: "failed";
  readonly why: Refusal["why"];
  readonly text: string;
  readonly keep: Recorded | undefined;
}

/** A declaration, and the post of an earlier run whose result is unknown. */
interface PublishRequest {
  readonly connection: Connection;
  readonly context: PublishingContext;
  readonly declared: Declaration;
  /** Whether the declared text may be a secret. Default: true. */
  readonly isTextSecret?: boolean;
  readonly sent?: Sent | undefined;
}

type Place = Parameters<LockDirectory["read"]>[0];
type Beginning = Omit<Parameters<typeof begin>[1], "nonce">;

/** What a run publishes, and knows about it. */
export class Publishing {
  readonly #incidents = new Incidents();
  readonly #locks = new Map<string | undefined, LockDirectory>();
  /** Services that did not respond to a preview. */
  readonly #silent = new Set<string>();
  /** Whether a question was asked or answered, or a notice says that the codes that are set answered none. */
  #wasAsked = false;
  #unnamed = 0;
  #wasWarned = false;

  /** Compares a declaration with the state. @param connection Undefined where this run learns nothing from it. */
  diff(
    connection: Connection | undefined,
    { resource, ...compared }: Omit<Comparison, "resource"> & { readonly resource: string | undefined },
  ): Difference {
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
  async publish(request: PublishRequest): Promise<Published> {
    const { connection, context, declared, isTextSecret = true, sent } = request;
    this.#warnOfCheckpoints(context);
    const directory = this.#directory(connection);
    const lockContext = { notice: noticeIn(context), signal: context.signal };
    const ended = await this.#declare(request, async (incident, beginning, place) =>
      directory.withLock(place, lockContext, async (notes) => {
        const performer = new UpPerformer(connection, notes, context);
        const { result, task } = await this.#steps(incident, performer, beginning, (notice) =>
          context.notice(noticeText(notice, declared)),
        );
        for (const { nonce, id } of task.applied) notes.learned(nonce, { id });
        if (result.kind === "failed" && result.keep?.kind === "sent")
          notes.learned(result.keep.nonce, { isReported: true });
        if (result.kind === "failed" && delaysOthers(result.refusal, performer.noResponse))
          incident.turns.skipWaiting();
        this.#wasAsked ||= task.used.length > 0 || isQuestion(result);
        return result;
      }),
    );
    if (ended.kind === "done") {
      this.#tellOfUnusedCodes(connection, context);
      return { kind: "done", posted: ended.posted };
    }
    const { refusal, keep = sent } = ended;
    const text = refusalText(refusal, declared, { answer: howToAnswer(connection), isTextSecret });
    return { kind: "failed", why: refusal.why, text, keep };
  }

  /** Says what `publish` would do, and whether it would fail because there is no such incident. */
  async preview(request: PublishRequest): Promise<Previewed & { readonly isMissing?: boolean | undefined }> {
    const { connection, context, declared } = request;
    // One failure is enough: a preview would wait for each incident as long.
    const service = serviceKey(connection.origin);
    if (this.#silent.has(service)) return { noResponse: "" };
    let seen: Awaited<ReturnType<Publishing["preview"]>> = {};
    const ended = await this.#declare(request, async (incident, beginning, place) => {
      const notes = this.#directory(connection).read(place, noticeIn(context));
      const performer = new PreviewPerformer(connection, notes, incident.previewReads);
      const before = incident.ledger;
      const { result, task } = await this.#steps(incident, performer, beginning);
      // Nothing was posted, so nothing was learned about ids.
      if (performer.effect !== undefined) incident.ledger = { ...incident.ledger, ids: before.ids };
      seen = {
        notices: task.notices,
        effect: performer.effect,
        isBehind: incident.isResultUnknown,
        incidentName: performer.incidentName,
        replaced: replacedBy(before, task),
        noResponse: performer.noResponse,
        isMissing: result.kind === "failed" && result.refusal.why === "failed" && result.refusal.isMissing,
      };
      incident.isResultUnknown ||=
        result.kind === "failed" && (result.refusal.why === "unconfirmed" || performer.effect === "waits");
      return result;
    });
    // The previews of one incident may have begun together.
    const noResponse = seen.noResponse !== undefined && this.#silent.has(service) ? "" : seen.noResponse;
    if (noResponse !== undefined) this.#silent.add(service);
    if (ended.kind === "done") return { ...seen, noResponse };
    const { refusal } = ended;
    const text = refusalText(refusal, declared, { answer: howToAnswer(connection) });
    return { ...seen, noResponse, failure: { why: refusal.why, text } };
  }

  async #declare(
    { connection, context, declared, isTextSecret, sent: recorded }: PublishRequest,
    run: (incident: RunIncident, beginning: Beginning, place: Place) => Promise<Result>,
  ): Promise<Result> {
    const resource = this.#nameOf(context.resource);
    const { incidentId } = (recorded ?? { declared }).declared;
    const incident = this.#incidents.of(connection, incidentId);
    const work = async (): Promise<Result> => {
      context.signal?.throwIfAborted();
      // The engine may repeat a call that failed, with the state from before it.
      const plan = incident.ledger.plans.get(resource);
      const sent = plan?.kind === "unsettled" ? plan.recorded : recorded;
      const place = { service: connection.origin, incidentId };
      return run(incident, { resource, declared, isTextSecret, sent, codes: connection.resend }, place);
    };
    return incident.turns.take(work, () => failure(skippedText(incidentId))).catch(toFailure);
  }

  async #steps(
    incident: RunIncident,
    performer: Performer,
    beginning: Beginning,
    tell: (notice: Notice) => void = () => undefined,
  ): Promise<{ readonly result: Result; readonly task: Task }> {
    let next = begin(incident.ledger, { ...beginning, nonce: performer.nonce });
    for (let told = 0; ;) {
      incident.ledger = next.ledger;
      next.task.notices.slice(told).forEach(tell);
      told = next.task.notices.length;
      if (next.command.do === "finish") return { result: next.command.result, task: next.task };
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

/** Whether a post before them may still appear, or the service did not respond, so that others would wait in vain. */
function delaysOthers({ why }: Refusal, noResponse: string | undefined): boolean {
  return why === "lost" || why === "unconfirmed" || noResponse !== undefined;
}

/** An incident on which a run publishes. */
interface RunIncident {
  /** Holds what the run knows. */
  ledger: Ledger;
  /** The {@link serviceKey}. */
  readonly service: string;
  readonly turns: Turns;
  readonly previewReads: PreviewReads;
  /** Whether a preview found an update whose result is unknown: an `up` may keep later ones waiting for it. */
  isResultUnknown: boolean;
}

class Incidents {
  readonly #all = new Map<string, RunIncident>();

  /** Whether a post of an earlier run isn't settled yet, which may lead to a question. */
  areUnsettled(): boolean {
    const ledgers = [...this.#all.values()].map(({ ledger }) => ledger);
    return ledgers.some(({ plans }) => [...plans.values()].some(({ kind }) => kind === "unsettled"));
  }

  of(connection: Connection, incidentId: string): RunIncident {
    const service = serviceKey(connection.origin);
    const key = JSON.stringify([service, incidentId]);
    const incident = this.#all.get(key) ?? newIncident(service, connection);
    this.#all.set(key, incident);
    // What the service does with ids is a fact of the service, not of the incident.
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

/** Whether the engine saves the state only at the end of a run, so that a killed one leaves nothing of its posts. */
function areCheckpointsSkipped(): boolean {
  return /^(1|t|true)$/i.test(process.env["PULUMI_SKIP_CHECKPOINTS"] ?? "");
}

const noticeIn = (context: PublishingContext) => (text: string) => context.notice(`IncidentUpdate: ${text}`);

function isQuestion(result: Result): boolean {
  return result.kind === "failed" && "codes" in result.refusal && result.refusal.codes.length > 0;
}

function howToAnswer({ source }: Connection): ((codes: string) => string) | undefined {
  // Quoted: in YAML, a code may read as a number.
  return source === "provider" ? (codes) => `pass resend "${codes}" to its Provider` : undefined;
}

function toFailure(error: unknown): Result {
  if (!isMonitoringError(error)) throw error;
  return failure(error.message);
}

function failure(text: string): Result {
  return { kind: "failed", refusal: { why: "failed", text } };
}
