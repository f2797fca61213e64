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
  #contextOf({ __resource }: Raw, call?: Pick<Context, "secrets" | "urn" | "previews">): Context {
    const configuration = this.#configuration;
    const resource = typeof __resource === "string" ? __resource : undefined;
    return {
      get connections() {
        return configuration.connections;
      },
      publishing: configuration.publishing,
      resource,
      ...(call ?? this.#plain.lastCheck(resource)?.context),
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

  async check(
    olds: Raw,
    { __preview: preview, __public: publicValues, ...news }: Raw,
  ): Promise<dynamic.CheckResult<Raw>> {
    const previews = isObject(preview);
    const urn = previews && typeof preview["urn"] === "string" ? preview["urn"] : undefined;
    const secrets = this.#secretsOf(news, publicValues);
    const context = this.#contextOf(news, { previews, urn, secrets });
    return toEngineError(async () => {
      const { inputs, failures } = this.#plain.check(olds, news, context, this.#secretsIn(olds));
      const checked = { failures, inputs: { ...inputs, ...this.#marksOf(secrets, news) } };
      // A new resource has no old inputs. The engine checks a replacement a second time without them.
      const isNew = Object.keys(olds).length === 0;
      if (!previews || checked.failures.length > 0) return checked;
      const previewed = () => this.#plain.preview(checked.inputs, undefined, context);
      if (this.#lifecycle.readsOnly) {
        if (!isNew && isDeepStrictEqual(withoutProvider(olds), checked.inputs)) return checked;
        return { ...checked, inputs: { ...checked.inputs, ...(await problemOf(previewed)) } };
      }
      if (isNew) await previewed();
      return checked;
    });
  }

  async diff(id: string, olds: Raw, news: Raw): Promise<dynamic.DiffResult> {
    // A refresh or destroy reads the serialized provider from the outputs, which the native plugin doesn't write.
    const moves = "__provider" in news && !("__provider" in olds);
    const context = this.#contextOf(news);
    return toEngineError(async () => {
      const { mayPost, ...diff } = this.#plain.diff(id, olds, news, context, moves);
      if (mayPost) this.#plain.assertAsChecked(news, context, unseen);
      const previews = !("__problem" in news) && context.previews;
      if (previews && diff.changes && diff.replaces.length === 0)
        await this.#plain.preview(news, { id, outputs: olds }, context);
      return diff;
    });
  }

  /** Returns inputs that may be secret: those whose value the program didn't pass as public, such as one set by a transformation. */
  #secretsOf(news: Raw, publicValues: unknown): ReadonlySet<string> {
    const values = isObject(publicValues) ? publicValues : {};
    return new Set([...this.#lifecycle.secrets].filter((name) => news[name] !== values[name]));
  }

  /** Marks secrets by an input, because the engine doesn't tell a dynamic provider which old inputs are secrets. */
  #marksOf(secrets: ReadonlySet<string>, inputs: Raw): Raw {
    if (this.#lifecycle.secrets.size === 0) return {};
    // Only the value says whether it is a secret. An update plan permits any mark in the place of an unknown one.
    const areUnknown = [...secrets].some((name) => isUnknown(inputs[name]));
    return { __secrets: areUnknown ? unknownValue : [...secrets] };
  }

  /** The native plugin writes no mark. */
  #secretsIn({ __secrets: names }: Raw): ReadonlySet<string> {
    return Array.isArray(names) ? new Set(names) : this.#lifecycle.secrets;
  }

  async create(inputs: Raw): Promise<dynamic.CreateResult<Raw>> {
    return toEngineError(async () => {
      const context = this.#contextOf(inputs);
      this.#plain.assertAsChecked(inputs, context, unseen);
      const { id, outputs } = await this.#plain.create(inputs, context);
      return { id, outs: outputs };
    }, inputs);
  }

  async read(id: string, props: Raw = {}): Promise<dynamic.ReadResult<Raw>> {
    return toEngineError(async () => {
      const { id: readId, outputs } = await this.#plain.read(id, props, this.#contextOf(props));
      return { id: readId, props: outputs };
    });
  }

  async update(id: string, olds: Raw, news: Raw): Promise<dynamic.UpdateResult<Raw>> {
    return toEngineError(async () => {
      return { outs: await this.#plain.update(id, olds, news, this.#contextOf(news)) };
    }, news);
  }

  async delete(id: string, props: Raw): Promise<void> {
    return toEngineError(() => this.#plain.delete(id, props, this.#contextOf(props)));
  }
}

/** The engine doesn't call a dynamic provider in a preview after a policy changed what is declared. */
const unseen = ", so the preview didn't show it";

function withoutProvider({ __provider, ...inputs }: Raw): Raw {
  return inputs;
}

/**
 * Returns a failure as an input, which a preview returns to the program: an error would stop the program before the next resource.
 * The SDK fails the program at its end.
 */
async function problemOf(preview: () => Promise<void>): Promise<{ readonly __problem?: string }> {
  try {
    await preview();
    return {};
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    return { __problem: error.message };
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
      ? new StacklessPartialFailure(error, inputs?.["__provider"])
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

  constructor({ message, state }: PartialFailureError, serializedProvider: unknown) {
    super(message);
    this.id = state.id;
    this.properties = { ...plainObject(state.outputs), __provider: serializedProvider };
    this.reasons = [message];
  }
}
