/** A lifecycle in the shape of Pulumi's dynamic providers, with their quirks taken care of here once. */
import { type dynamic } from "@pulumi/pulumi";
import { ConfigurationError } from "../client";
import { type Declared, type Lifecycle, type Properties, type Context } from "../lifecycles/lifecycle";
import { notice } from "../notice";
import { Configuration } from "./configuration";
import { Drift } from "../engine/drift";
import { assertEngineAlive } from "./engine";
import { checkFailure, toEngineError, withoutValue } from "./failure";
import { plainObject } from "../engine/plain";
import { isUnknown } from "../engine/unknown";

type Raw = Record<string, unknown>;

export class DynamicProvider implements dynamic.ResourceProvider<Raw, Raw> {
  readonly #lifecycle: Lifecycle;
  readonly #configuration: Configuration;
  readonly #context: Context;
  readonly #contextAfterRefresh: Context;
  readonly #drift = new Drift();

  constructor(lifecycle: Lifecycle, configuration = new Configuration()) {
    this.#lifecycle = lifecycle;
    this.#configuration = configuration;
    const contextWith = (tell: Context["notice"], afterRefresh: boolean): Context => ({
      get connections() {
        return configuration.connections;
      },
      notice: tell,
      assertEngineAlive: () => assertEngineAlive(),
      afterRefresh,
    });
    this.#context = contextWith(notice, false);
    this.#contextAfterRefresh = contextWith(() => undefined, true);
  }

  /** Concurrent first calls don't wait for this, so it takes effect before it returns. */
  configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    this.#configuration.accept(config);
    return Promise.resolve();
  }

  async check(olds: Raw, news: Raw): Promise<dynamic.CheckResult<Raw>> {
    return toEngineError(() => {
      const declared = declaredIn(news);
      const { inputs, problems, announcement } = this.#lifecycle.check(declared);
      const failures = [
        ...problems.map((problem) => checkFailure(problem, declared.known, this.#lifecycle)),
        ...this.#connectionProblems(declared),
      ];
      // A new resource has no old inputs; one that is replaced is checked once more without them.
      if (Object.keys(olds).length === 0 && failures.length === 0 && announcement) notice(announcement);
      const stillUnknown = Object.entries(news).filter(([name]) => declared.unknown.has(name));
      return {
        inputs: { ...plainObject(inputs), ...Object.fromEntries(stillUnknown) },
        failures,
      };
    });
  }

  async diff(id: string, olds: Raw, news: Raw): Promise<dynamic.DiffResult> {
    return toEngineError(() => {
      const drift = this.#drift.answer(id);
      // What there is to tell about what was read, `read` has told.
      const context = drift === undefined ? this.#context : this.#contextAfterRefresh;
      const { changes, replaces } = this.#lifecycle.diff(id, own(olds), declaredIn(news), context);
      return { changes: changes || drift === true, replaces: [...replaces] };
    });
  }

  async create(inputs: Raw): Promise<dynamic.CreateResult<Raw>> {
    return toEngineError(async () => {
      const { id, outputs } = await this.#lifecycle.create(own(inputs), this.#context);
      return { id, outs: plainObject(outputs) };
    }, inputs);
  }

  async read(id: string, props: Raw = {}): Promise<dynamic.ReadResult<Raw>> {
    return toEngineError(async () => {
      const remembered = own(props);
      const found = await this.#lifecycle.read(id, remembered, this.#context);
      const outputs = plainObject(found.outputs);
      // What `get` reads is no drift, and `diff` isn't asked about it: of that nothing is remembered yet but its inputs.
      if ("origin" in remembered) this.#drift.noteRead(found.id, remembered, outputs);
      return { id: found.id, props: outputs };
    });
  }

  async update(id: string, olds: Raw, news: Raw): Promise<dynamic.UpdateResult<Raw>> {
    return toEngineError(async () => {
      const outputs = await this.#lifecycle.update(id, own(olds), own(news), this.#context);
      return { outs: plainObject(outputs) };
    }, news);
  }

  async delete(id: string, props: Raw): Promise<void> {
    return toEngineError(() => this.#lifecycle.delete(id, own(props), this.#context));
  }

  /** What stands in the way of a connection, as failures of `check`: the engine shows those without a stack. */
  #connectionProblems({ known, unknown }: Declared): dynamic.CheckFailure[] {
    const { account } = known;
    if (unknown.has("account") || (account !== undefined && typeof account !== "string")) return [];
    try {
      const reason = this.#configuration.connections.accountProblem(account);
      return reason === undefined ? [] : [{ property: "account", reason }];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return error.problems.map(withoutValue);
    }
  }
}

/** The text of this provider, which the engine keeps beside the properties, is none of them. */
function own({ __provider, ...properties }: Raw): Properties {
  return properties;
}

function declaredIn(news: Raw): Declared {
  const entries = Object.entries(own(news));
  return {
    known: Object.fromEntries(entries.filter(([, value]) => !isUnknown(value))),
    unknown: new Set(entries.filter(([, value]) => isUnknown(value)).map(([name]) => name)),
  };
}
