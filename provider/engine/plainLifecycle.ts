/** A lifecycle for both adapters: with plain values as inputs and outputs. */
import { ConfigurationError, MonitoringError } from "../client";
import { type Context, type DeclaredInputs, type Lifecycle, type Properties } from "../lifecycles/lifecycle";
import { RefreshReads } from "./refreshReads";
import { checkFailure, type CheckFailure, withoutValue } from "./failure";
import { assertSucceeded } from "./partialFailure";
import { plainObject } from "./plain";
import { isUnknown } from "./unknown";

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
