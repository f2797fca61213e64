/** A lifecycle for both adapters: with plain values as inputs and outputs. */
import { ConfigurationError, isMonitoringError, MonitoringError, type Problem } from "../client";
import {
  type Context,
  type DeclaredInputs,
  type Failure,
  type Lifecycle,
  type Properties,
  type ResourceState,
} from "./lifecycle";
import { printable } from "../texts";
import { type Connections } from "../connection";
import { type ResourceType, isUnknown, plainObject } from "../engine";
import { isDeepStrictEqual } from "node:util";
import { alertChannel, statusPage } from "./observed";
import { incidentUpdate } from "./incidentUpdate";

// Failures of `check` that the engine shows to the user.

/** A problem of a declaration. Without a property, the reason names it. */
type CheckFailure = Problem;

const maxShownLength = 200;

/**
 * The engine prints the value of the property that a failure names, including secrets and long values. For these, and for
 * unknown properties, which may be misspelt secrets, only the reason names the property.
 */
function checkFailure(
  problem: Problem,
  { [problem.property]: value }: Properties,
  { fields, secrets }: Pick<Lifecycle, "fields" | "secrets">,
): CheckFailure {
  const isPlain = fields.has(problem.property) && !secrets.has(problem.property);
  const maxLength = isPlain ? maxShownLength : 0;
  const mayBeShown =
    typeof value === "string"
      ? value.trim().length <= maxLength
      : typeof value !== "object" || value === null;
  return mayBeShown ? problem : withoutValue(problem);
}

export function withoutValue({ property, reason }: Problem): CheckFailure {
  return { property: "", reason: `${property} ${reason}` };
}

// The errors of a verb, as the adapters get them.

/** Fails the run and still records this state, because the operation may have taken effect. */
export class PartialFailureError extends Error {
  readonly remembered: ResourceState;

  constructor(message: string, remembered: ResourceState) {
    super(printable(message));
    this.remembered = remembered;
  }
}

/** @throws MonitoringError for a failure; PartialFailureError when the state has to record something. */
function assertSucceeded(result: ResourceState | Failure): asserts result is ResourceState {
  if (!("failure" in result)) return;
  if (result.remembered) throw new PartialFailureError(result.failure, result.remembered);
  throw new MonitoringError(result.failure);
}

/** The message for the user. */
export function messageOf(error: unknown): string {
  if (isMonitoringError(error) || error instanceof PartialFailureError) return error.message;
  const what = error instanceof Error ? `${error.name}: ${error.message}` : "an unknown failure";
  return `Internal error in pulumi-monitoring-service; please report it: ${what}`;
}

// The reads of a refresh: which `diff` of the engine follows one, and whether it found drift.

type Outputs = Readonly<Record<string, unknown>>;

/**
 * After each `read` of a refresh, the engine calls `diff` and displays the drift only when `diff` reports a change. In this
 * package an `up` doesn't revert drift, so `diff` has to distinguish the call of a refresh from the call of an `up`.
 */
export class RefreshReads {
  /** Reads that no `diff` has consumed yet, by id: two resources may have the same id. */
  readonly #reads = new Map<string, Read[]>();
  readonly #compared: (outputs: Outputs) => Outputs;

  /** @param compared The part of the outputs in which a difference is drift. */
  constructor(compared: (outputs: Outputs) => Outputs = (outputs) => outputs) {
    this.#compared = compared;
  }

  /** @param resource Undefined in a dynamic provider, which isn't told which resource it reads. */
  noteRead(resource: string | undefined, id: string, before: Outputs, after: Outputs): void {
    // A copy: Pulumi's server of dynamic providers adds the serialized provider to what `read` returns.
    const drifted = !isDeepStrictEqual(this.#compared(before), this.#compared(after));
    const read = { resource, outputs: { ...after }, drifted };
    this.#reads.set(id, [...(this.#reads.get(id) ?? []), read]);
  }

  /**
   * Whether the read before this `diff` found drift; undefined for the `diff` of an `up`. Call once per `diff`. The engine
   * never calls `diff` for what a program only reads (`get`), whose outputs differ from those of a managed resource.
   */
  answer(resource: string | undefined, id: string, olds: Outputs): boolean | undefined {
    const reads = this.#reads.get(id) ?? [];
    const index = reads.findIndex(
      (read) =>
        (read.resource === undefined || read.resource === resource) && isDeepStrictEqual(read.outputs, olds),
    );
    return index < 0 ? undefined : reads.splice(index, 1)[0]?.drifted;
  }
}

interface Read {
  readonly resource: string | undefined;
  readonly outputs: Outputs;
  readonly drifted: boolean;
}

/**
 * The connections of a provider. A configuration error is stored and thrown when a connection is needed: `destroy` needs
 * none, and only one of several concurrent calls would report it earlier.
 */
export class DeferredConnections {
  #connections: (() => Connections) | undefined;

  get isConfigured(): boolean {
    return this.#connections !== undefined;
  }

  configure(connect: () => Connections): void {
    try {
      const connections = connect();
      this.#connections = () => connections;
    } catch (error) {
      this.#connections = () => {
        throw error;
      };
    }
  }

  /** @throws ConfigurationError with all problems of the configuration. */
  get connections(): Connections {
    if (!this.#connections) throw new Error("The provider was called before it was configured.");
    return this.#connections();
  }
}

// Every lifecycle, by the type of its resources. Written by `npm run update`.

export const lifecycles: Readonly<Record<ResourceType, Lifecycle>> = {
  AlertChannel: alertChannel,
  IncidentUpdate: incidentUpdate,
  StatusPage: statusPage,
};

type Plain = Record<string, unknown>;

interface Found {
  readonly id: string;
  readonly outputs: Plain;
}

export class PlainLifecycle {
  readonly #lifecycle: Lifecycle;
  readonly #refreshReads: RefreshReads;
  /** Resources that only move from the other adapter to this one, without a request. */
  readonly #moving = new Set<string>();

  constructor(lifecycle: Lifecycle) {
    this.#lifecycle = lifecycle;
    this.#refreshReads = new RefreshReads(lifecycle.compared);
  }

  check(olds: Properties, news: Properties, context: Context): { inputs: Plain; failures: CheckFailure[] } {
    const declared = declaredIn(news);
    const { inputs, problems } = this.#lifecycle.check(declared);
    const failures = [
      ...problems.map((problem) => checkFailure(problem, declared.known, this.#lifecycle)),
      ...connectionProblems(declared, context),
    ];
    // A new resource has no old inputs.
    if (Object.keys(olds).length > 0 && failures.length === 0) {
      this.#lifecycle.noteChange?.(own(olds), { ...declared, known: inputs }, context);
    }
    const stillUnknown = Object.entries(news).filter(([name]) => declared.unknown.has(name));
    return { inputs: { ...plainObject(inputs), ...Object.fromEntries(stillUnknown) }, failures };
  }

  /** @param moves Whether the other adapter wrote the state, so that it must be written again. */
  diff(
    id: string,
    olds: Properties,
    news: Properties,
    context: Context,
    moves: boolean,
  ): { changes: boolean; replaces: string[] } {
    const drift = this.#refreshReads.answer(context.resource, id, own(olds));
    // `read` has already emitted its notices.
    const diffContext = drift === undefined ? context : afterRefresh(context);
    const { changes, replaces, failure } = this.#lifecycle.diff(id, own(olds), declaredIn(news), diffContext);
    if (failure !== undefined) throw new MonitoringError(failure);
    if (moves && !changes) this.#moving.add(id);
    return { changes: changes || moves || drift === true, replaces: [...replaces] };
  }

  /**
   * Says what an `up` would do, where that can't run in a preview.
   *
   * @param secrets Inputs that are not shown.
   * @throws MonitoringError when the `up` would fail.
   */
  async preview(
    inputs: Properties,
    old: Found | undefined,
    context: Context,
    secrets: ReadonlySet<string>,
  ): Promise<void> {
    if (old && this.#moving.has(old.id)) return;
    const state = old && { ...old, outputs: own(old.outputs) };
    const declared = { ...declaredIn(inputs), secrets };
    const { notices, failure } = await this.#lifecycle.preview(declared, state, context);
    if (failure !== undefined) throw new MonitoringError(failure);
    for (const text of notices) context.notice(text);
  }

  async create(inputs: Properties, context: Context): Promise<Found> {
    const result = await this.#lifecycle.create(own(inputs), context);
    assertSucceeded(result);
    return { id: result.id, outputs: plainObject(result.outputs) };
  }

  async read(id: string, olds: Properties, context: Context): Promise<Found> {
    const remembered = own(olds);
    const found = await this.#lifecycle.read(id, remembered, context);
    const outputs = plainObject(found.outputs);
    this.#refreshReads.noteRead(context.resource, found.id, remembered, outputs);
    return { id: found.id, outputs };
  }

  async update(id: string, olds: Properties, news: Properties, context: Context): Promise<Plain> {
    if (this.#moving.delete(id)) return plainObject(own(olds));
    const result = await this.#lifecycle.update(id, own(olds), own(news), context);
    assertSucceeded(result);
    return plainObject(result.outputs);
  }

  async delete(id: string, olds: Properties, context: Context): Promise<void> {
    return this.#lifecycle.delete(id, own(olds), context);
  }
}

/** Removes the serialized provider, which the engine stores beside the properties. */
function own({ __provider, ...properties }: Properties): Properties {
  return properties;
}

function declaredIn(news: Properties): DeclaredInputs {
  const entries = Object.entries(own(news));
  return {
    known: Object.fromEntries(entries.filter(([, value]) => !isUnknown(value))),
    unknown: new Set(entries.filter(([, value]) => isUnknown(value)).map(([name]) => name)),
  };
}

/** Reads connections lazily: a configuration error is thrown when a connection is needed. */
function afterRefresh(context: Context): Context {
  return {
    get connections() {
      return context.connections;
    },
    publishing: context.publishing,
    resource: context.resource,
    notice: () => undefined,
    assertEngineAlive: () => context.assertEngineAlive(),
    afterRefresh: true,
  };
}

/** Configuration problems as failures of `check`, which the engine shows without a stack. */
function connectionProblems({ known, unknown }: DeclaredInputs, context: Context): CheckFailure[] {
  const { account } = known;
  if (unknown.has("account") || (account !== undefined && typeof account !== "string")) return [];
  try {
    const reason = context.connections.accountProblem(account);
    return reason === undefined ? [] : [{ property: "account", reason }];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(withoutValue);
  }
}
