/** Publishes declared updates: the protocol's decisions, one declaration of an incident at a time. The state of one run. */
import { type Connection } from "../connection/connections";
import { isMonitoringError } from "../client";
import {
  begin,
  comparedIncident,
  type Comparison,
  type Declaration,
  diff,
  type Difference,
  type Notice,
  type Posted,
  type Recorded,
  recheck,
  type Refusal,
  type Result,
  type SearchMiss,
  step,
  type Task,
  type Unconfirmed,
  type UpdateContent,
  withHistory,
} from "../protocol";
import { noticeText, refusalText } from "../protocol/messages";
import { type Previewed } from "../protocol/previewText";
import { type PublishingContext } from "./context";
import { type Incident, Incidents, serviceOf } from "./incidents";
import { LockDirectory } from "./lock";
import { type Performer, readIncidentWithHistory, toEvent } from "./performer";
import { UpPerformer } from "./perform";
import { PreviewPerformer } from "./preview";

/** What the state has to record. Without success, why it failed. */
export type Published = { readonly kind: "done"; readonly posted: Posted } | Failed;

interface Failed {
  readonly kind: "failed";
  readonly why: Refusal["why"];
  readonly text: string;
  readonly keep: Recorded | undefined;
}

/** A declaration, and the unconfirmed update that the state records. */
interface PublishRequest {
  readonly connection: Connection;
  readonly context: PublishingContext;
  readonly declared: Declaration;
  readonly unsettled?: Unconfirmed | undefined;
}

type Beginning = Omit<Parameters<typeof begin>[1], "nonce">;

export class Publishing {
  readonly #incidents = new Incidents();
  readonly #locks = new Map<string | undefined, LockDirectory>();
  /** Services that did not respond to a preview. */
  readonly #silent = new Set<string>();
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

  /** Publishes a declaration, after it has settled the unconfirmed update that the state records, if any. */
  async publish(request: PublishRequest): Promise<Published> {
    const { connection, context, declared } = request;
    this.#warnOfCheckpoints(context);
    const directory = this.#directory(connection);
    const lockContext = { notice: noticeIn(context), signal: context.signal };
    return this.#declare(request, async (incident, beginning) =>
      directory.withLock(incident.key, lockContext, async (notes) => {
        const performer = new UpPerformer(connection, notes, context);
        const { result, task } = await this.#steps(incident, performer, beginning, (notice) =>
          context.notice(noticeText(notice, declared)),
        );
        for (const { nonce, id } of task.applied) notes.learned(nonce, { id });
        if (result.kind === "failed" && result.keep?.kind === "unconfirmed")
          notes.learned(result.keep.nonce, { isReported: true });
        if (result.kind === "failed" && delaysOthers(result.refusal, performer)) incident.turns.skipWaiting();
        return result;
      }),
    );
  }

  /** Says what `publish` would do, and whether it would fail because there is no such incident. */
  async preview(request: PublishRequest): Promise<Previewed & { readonly isMissing?: boolean | undefined }> {
    const { connection, context } = request;
    // One failure is enough: a preview would wait for each incident as long.
    const service = serviceOf(connection);
    if (this.#silent.has(service)) return { notices: [], noResponse: "", failure: undefined };
    let seen: Awaited<ReturnType<Publishing["preview"]>> = { notices: [] };
    const published = await this.#declare(request, async (incident, beginning) => {
      const notes = this.#directory(connection).read(incident.key, noticeIn(context));
      const performer = new PreviewPerformer(connection, notes, incident.previewReads);
      const { ids, plans } = incident.ledger;
      const plan = plans.get(beginning.resource);
      const { result, task } = await this.#steps(incident, performer, beginning);
      // Nothing was posted, so nothing was learned about ids.
      if (performer.effect !== undefined) incident.ledger = { ...incident.ledger, ids };
      seen = {
        notices: [...seen.notices, ...task.notices],
        effect: performer.effect ?? seen.effect,
        isBehind: incident.isUnsettled,
        incidentName: performer.incidentName,
        replaced: plan?.kind === "replaces" ? publicContent(plan.recorded) : undefined,
        noResponse: performer.noResponse ?? seen.noResponse,
        isMissing: task.readProblem?.incidentMissing,
      };
      incident.isUnsettled ||= result.kind === "failed" && result.refusal.why === "unconfirmed";
      return result;
    });
    // The previews of one incident may have begun together.
    const noResponse = seen.noResponse !== undefined && this.#silent.has(service) ? "" : seen.noResponse;
    if (noResponse !== undefined) this.#silent.add(service);
    return { ...seen, noResponse, failure: published.kind === "failed" ? published : undefined };
  }

  async #declare(
    { connection, context, declared, unsettled: given }: PublishRequest,
    run: (incident: Incident, beginning: Beginning) => Promise<Result>,
  ): Promise<Published> {
    const resource = this.#nameOf(context.resource);
    // The engine may repeat a call that failed, with the state from before it.
    const plan = this.#incidents.of(connection, declared.incidentId).ledger.plans.get(resource);
    const unsettled = plan?.kind === "unsettled" ? plan.recorded : given;
    const take = (incidentId: string, beginning: Beginning): Promise<Result> => {
      const incident = this.#incidents.of(connection, incidentId);
      const work = async (): Promise<Result> => {
        context.signal?.throwIfAborted();
        return run(incident, beginning);
      };
      return incident.turns.take(work, () => skipped(incidentId)).catch(toFailure);
    };
    const first = unsettled?.declared.incidentId ?? declared.incidentId;
    let result = await take(first, { resource, declared, unsettled });
    if (result.kind === "settled") {
      result = await take(declared.incidentId, { resource, declared, from: result });
    }
    if (result.kind === "done") return { kind: "done", posted: result.posted };
    if (result.kind === "settled") throw new Error("An update was settled twice.");
    const { refusal, keep = unsettled } = result;
    return {
      kind: "failed",
      why: refusal.why,
      text: refusalText(refusal, declared, unsettled?.declared),
      keep,
    };
  }

  /** Looks once for an unconfirmed update. */
  async recheck(
    connection: Connection,
    context: PublishingContext,
    id: string,
    unsettled: Unconfirmed,
  ): Promise<{ found?: Posted; miss: SearchMiss }> {
    const { incidentId } = unsettled.declared;
    const incident = this.#incidents.of(connection, incidentId);
    const look = async () => {
      context.signal?.throwIfAborted();
      const read = await toEvent(() => readIncidentWithHistory(connection, incidentId));
      if ("on" in read) return { miss: { readProblem: read } };
      const known = withHistory(incident.ledger, read.incidentUpdates);
      const { ledger, ...result } = recheck(known, `read ${id}`, unsettled);
      incident.ledger = ledger;
      return result;
    };
    return incident.turns.take(look, () => ({ miss: {} }));
  }

  async #steps(
    incident: Incident,
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

  #warnOfCheckpoints(context: PublishingContext): void {
    if (this.#wasWarned || !/^(1|t|true)$/i.test(process.env["PULUMI_SKIP_CHECKPOINTS"] ?? "")) return;
    this.#wasWarned = true;
    context.notice(
      "IncidentUpdate: PULUMI_SKIP_CHECKPOINTS is set, so the state of a killed run lacks what it posted, and the next run may " +
        "post it again. Unset it for stacks that post updates.",
    );
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

const noticeIn = (context: PublishingContext) => (text: string) => context.notice(`IncidentUpdate: ${text}`);

/** What the public page shows of it, as far as the state knows; undefined when a refresh didn't find it. */
function publicContent({ missing, published, declared }: Posted): UpdateContent | undefined {
  return missing ? undefined : (published ?? declared);
}

/** Whether the service did not respond, so that others would wait in vain. */
function delaysOthers({ why }: Refusal, { noResponse }: Performer): boolean {
  return why === "lost" || why === "unconfirmed" || (why === "failed" && noResponse !== undefined);
}

function toFailure(error: unknown): Result {
  if (!isMonitoringError(error)) throw error;
  return failure(error.message);
}

function failure(text: string): Result {
  return { kind: "failed", refusal: { why: "failed", text } };
}

function skipped(incidentId: string): Result {
  return failure(
    `IncidentUpdate on incident ${incidentId}: not posted, because the previous update of this incident failed or ` +
      "its result is unknown. Run `pulumi up` again.",
  );
}
