/**
 * Adapts lifecycles to Pulumi's dynamic providers: the providers of one process share its configuration, and their errors are a
 * message for the user, without a stack.
 */
import { isDeepStrictEqual } from "node:util";
import { type dynamic } from "@pulumi/pulumi";
import { isObject } from "../api";
import { isMonitoringError } from "../client";
import { connectLater, Connections, tellLongWait } from "../connection";
import {
  assertEngineAlive,
  byType,
  endWithEngine,
  isUnknown,
  notice,
  plainObject,
  unknownValue,
  warnOfSecretsInLogs,
} from "../engine";
import {
  type Context,
  type Lifecycle,
  lifecycles,
  messageOf,
  PartialFailureError,
  PlainLifecycle,
} from "../lifecycles";
import { recordError } from "../previewFacts";
import { fromProgram, programInput } from "../programInput";
import { Publishing } from "../publishing";

/** Returns new providers, one for each resource type. */
export function createProviders() {
  const configuration = new Configuration();
  return byType((type) => new DynamicProvider(lifecycles[type], configuration));
}

/** Prepares this process to serve the engine that started it. */
export function serveEngine(): void {
  endWithEngine();
  printErrorsOnce();
  warnOfSecretsInLogs(notice);
}

type Raw = Record<string, unknown>;

export class DynamicProvider implements dynamic.ResourceProvider<Raw, Raw> {
  readonly #lifecycle: Lifecycle;
  readonly #plain: PlainLifecycle;
  readonly #configuration: Configuration;

  constructor(lifecycle: Lifecycle, configuration: Configuration) {
    this.#lifecycle = lifecycle;
    this.#plain = new PlainLifecycle(lifecycle);
    this.#configuration = configuration;
  }

  /** @param call What the program passes to `check` beside the inputs. Default: what it passed to the last one. */
  #contextOf(
    resource: string,
    call: Pick<Context, "secrets" | "program"> = this.#plain.lastCheck(resource)?.context ?? {},
  ): Context {
    const configuration = this.#configuration;
    return {
      get connections() {
        return configuration.connections;
      },
      publishing: configuration.publishing,
      resource,
      ...call,
      notice,
      // Pulumi displays all output of a dynamic provider as information, so the text itself says that it is a warning.
      warn: (text) => notice(`warning: ${text}`),
      assertEngineAlive,
    };
  }

  /** Takes effect synchronously, because concurrent first calls don't wait for it. */
  configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    this.#configuration.accept(config);
    return Promise.resolve();
  }

  async check(olds: Raw, { [programInput]: hidden, ...news }: Raw): Promise<dynamic.CheckResult<Raw>> {
    return toEngineError(async () => {
      const program = fromProgram(hidden);
      if (program?.urn === undefined) return { failures: [notOfProgram] };
      const { urn, previews } = program;
      const secrets = this.#secretsOf(news, program.shown);
      const context = this.#contextOf(urn, { secrets, program });
      const { values: old, secrets: oldSecrets } = this.#opened(olds);
      const { inputs, failures } = this.#plain.check(old, news, context, oldSecrets);
      const checked = this.#closed(inputs, urn, this.#marksOf(secrets, news));
      // A new resource has no old inputs. The engine checks a replacement a second time without them.
      const isNew = Object.keys(olds).length === 0;
      if (!previews || failures.length > 0) return { inputs: checked, failures };
      const previewed = () => this.#plain.preview(inputs, undefined, context);
      if (this.#lifecycle.readsOnly) {
        if (!isNew && isDeepStrictEqual(withoutProvider(old), inputs)) return { inputs: checked, failures };
        return { inputs: { ...checked, ...(await problemOf(previewed, checked[programInput])) }, failures };
      }
      if (isNew) await previewed();
      return { inputs: checked, failures };
    });
  }

  async diff(id: string, olds: Raw, news: Raw): Promise<dynamic.DiffResult> {
    // A refresh or destroy reads the serialized provider from the outputs, which the native plugin doesn't write.
    const moves = "__provider" in news && !("__provider" in olds);
    const { values: old } = this.#opened(olds);
    const { values, urn, problem } = this.#opened(news);
    const context = this.#contextOf(urn);
    return toEngineError(async () => {
      const diff = this.#plain.diff(id, old, values, context, moves);
      const previews = problem === undefined && context.program?.previews;
      if (previews && diff.changes && diff.replaces.length === 0)
        await this.#plain.preview(values, { id, outputs: old }, context);
      return diff;
    });
  }

  /** Takes off what this adapter stores beside the properties. */
  #opened({ [programInput]: stored, ...values }: Raw): Opened {
    const { urn, secrets, problem } = isObject(stored) ? stored : {};
    return {
      values,
      urn: typeof urn === "string" ? urn : "",
      // The native plugin writes no mark.
      secrets: Array.isArray(secrets) ? new Set(secrets) : this.#lifecycle.secrets,
      problem,
    };
  }

  /** Adds what the engine doesn't tell a dynamic provider of a resource of the state. */
  #closed(values: Raw, urn: string, secrets: unknown): Raw {
    return { ...values, [programInput]: { urn, ...(secrets !== undefined && { secrets }) } };
  }

  /** Returns inputs that may be secret: those whose value the program didn't pass as public, such as one set by a transformation. */
  #secretsOf(news: Raw, values: Raw): ReadonlySet<string> {
    return new Set([...this.#lifecycle.secrets].filter((name) => news[name] !== values[name]));
  }

  /** Marks secrets by an input, because the engine doesn't tell a dynamic provider which old inputs are secrets. */
  #marksOf(secrets: ReadonlySet<string>, inputs: Raw): unknown {
    if (this.#lifecycle.secrets.size === 0) return undefined;
    // Only the value says whether it is a secret. An update plan permits any mark in the place of an unknown one.
    const areUnknown = [...secrets].some((name) => isUnknown(inputs[name]));
    return areUnknown ? unknownValue : [...secrets];
  }

  async create(inputs: Raw): Promise<dynamic.CreateResult<Raw>> {
    const { values, urn } = this.#opened(inputs);
    return toEngineError(async () => {
      const { id, outputs } = await this.#plain.create(values, this.#contextOf(urn));
      return { id, outs: this.#closed(outputs, urn, undefined) };
    }, inputs);
  }

  async read(id: string, props: Raw = {}): Promise<dynamic.ReadResult<Raw>> {
    const { values, urn } = this.#opened(props);
    return toEngineError(async () => {
      const { id: readId, outputs } = await this.#plain.read(id, values, this.#contextOf(urn));
      return { id: readId, props: programInput in props ? this.#closed(outputs, urn, undefined) : outputs };
    });
  }

  async update(id: string, olds: Raw, news: Raw): Promise<dynamic.UpdateResult<Raw>> {
    const { values, urn } = this.#opened(news);
    return toEngineError(async () => {
      const outputs = await this.#plain.update(id, this.#opened(olds).values, values, this.#contextOf(urn));
      return { outs: this.#closed(outputs, urn, undefined) };
    }, news);
  }

  async delete(id: string, props: Raw): Promise<void> {
    const { values, urn } = this.#opened(props);
    return toEngineError(() => this.#plain.delete(id, values, this.#contextOf(urn)));
  }
}

/** The properties of a resource, without what this adapter stores beside them. */
interface Opened {
  readonly values: Raw;
  /** Empty if the native plugin wrote the state, or for what a program only reads. */
  readonly urn: string;
  readonly secrets: ReadonlySet<string>;
  readonly problem: unknown;
}

const notOfProgram = {
  property: "",
  reason: `${programInput} is set by pulumi-monitoring-service alone: a transformation of the program changed or removed it`,
};

function withoutProvider({ __provider, ...inputs }: Raw): Raw {
  return inputs;
}

/**
 * Returns a failure as an input, which a preview returns to the program: an error would stop the program before the next resource.
 * The SDK fails the program at its end.
 */
async function problemOf(preview: () => Promise<void>, stored: unknown): Promise<Raw> {
  try {
    await preview();
    return {};
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    return { [programInput]: { ...(isObject(stored) && stored), problem: error.message } };
  }
}

/** The configuration of a provider process. All resource types share it, with its clients and their limits. */
class Configuration {
  readonly publishing = new Publishing();
  #connections: (() => Connections) | undefined;

  /** Reads the configuration on the first call: the engine sends the same one to each resource type. */
  accept(config: dynamic.Config): void {
    const options = { onRequest: tellLongWait(notice) };
    this.#connections ??= connectLater(
      () => new Connections((key) => config.get(`monitoring:${key}`), process.env, options),
    );
  }

  /** @throws ConfigurationError with all problems of the configuration. */
  get connections(): Connections {
    if (!this.#connections) throw new Error("The provider was called before it was configured.");
    return this.#connections();
  }
}

/**
 * Runs one verb, and converts each rejection to an error without a stack: Pulumi prints the stack of an error, and hangs or
 * prints "undefined" for any other value.
 *
 * @param inputs The raw inputs of a create or update. The engine requires their serialized provider in the result.
 */
async function toEngineError<T>(verb: () => T | Promise<T>, inputs?: Record<string, unknown>): Promise<T> {
  try {
    return await verb();
  } catch (error) {
    const message = messageOf(error);
    recordError(message);
    throw error instanceof PartialFailureError
      ? new StacklessPartialFailure(error, inputs)
      : new StacklessError(message);
  }
}

/**
 * Replaces the stack of an error. Pulumi's server prints an error of `check`, `diff`, `read` or `delete` with its stack, and
 * returns it to the engine, which prints the message as well.
 */
const printedByEngine = "(shown by the engine)";

class StacklessError extends Error {
  override readonly name = "";
  override readonly stack = printedByEngine;
}

/** Drops the errors of this package from the output of Pulumi's server, because the engine shows each of them. */
function printErrorsOnce(): void {
  const { error: print } = console;
  const error = (...printed: unknown[]): void => {
    const [text] = printed;
    if (typeof text !== "string" || !text.endsWith(printedByEngine)) print(...printed);
  };
  Object.assign(console, { error });
}

/** Carries an id, so that the engine records the resource although the run fails, and calls `update` in the next run. */
class StacklessPartialFailure extends StacklessError {
  readonly id: string;
  readonly properties: Record<string, unknown>;
  readonly reasons: readonly string[];

  constructor({ message, state }: PartialFailureError, inputs: Raw = {}) {
    super(message);
    this.id = state.id;
    const { __provider, [programInput]: stored } = inputs;
    const { urn } = isObject(stored) ? stored : {};
    this.properties = { ...plainObject(state.outputs), __provider, [programInput]: { urn } };
    this.reasons = [message];
  }
}
