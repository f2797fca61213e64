/**
 * Adapts a run to Pulumi's dynamic providers: the providers of one process share it, and their errors are a message for the user, without a
 * stack. It knows what this engine doesn't tell or ask: the program tells it which resource a call is about, and in a preview the engine
 * calls nothing but `check` and `diff`.
 */
import { isDeepStrictEqual } from "node:util";
import { type dynamic } from "@pulumi/pulumi";
import { isObject } from "../api";
import { connectLater, Connections, tellLimit } from "../connection";
import {
  assertEngineAlive,
  endWithEngine,
  engineEndpoint,
  fromProgram,
  isUnknown,
  notice,
  plainObject,
  programInput,
  type ResourceType,
  unknownValue,
  warnOfSecretsInLogs,
} from "../engine";
import { lifecycles, ownProperties } from "../lifecycles";
import { type Answer, type Call, type Failure, Run } from "../run";
import { nameOf } from "../wording";

export function createProviders() {
  const configuration = new Configuration();
  const run = new Run({
    get connections() {
      return configuration.connections;
    },
    address: engineEndpoint(),
    notice: (text, urn) => notice(typeof text === "string" ? named(text, urn) : text),
    // Pulumi displays all output of a dynamic provider as information, so the text itself says that it is a warning.
    warn: (text, urn) => notice(`warning: ${named(text, urn)}`),
    assertAlive: assertEngineAlive,
  });
  const of = (type: ResourceType) => new DynamicProvider(type, run, configuration);
  return {
    AlertChannel: of("AlertChannel"),
    IncidentUpdate: of("IncidentUpdate"),
    StatusPage: of("StatusPage"),
  } satisfies Record<ResourceType, DynamicProvider>;
}

/** Names the resource of a notice, because Pulumi shows what a dynamic provider prints under the stack. */
function named(text: string, urn: string): string {
  if (urn === "") return text;
  return text.replace(
    /^(AlertChannel|IncidentUpdate|StatusPage)(: | on | (?!"))/,
    (_, type: string, then: string) => `${type} ${nameOf(urn)}${then === " " ? ", " : then}`,
  );
}

/** Prepares this process to serve the engine that started it. */
export function serveEngine(): void {
  endWithEngine();
  printErrorsOnce();
  warnOfSecretsInLogs(notice);
}

type Raw = Record<string, unknown>;

export class DynamicProvider implements dynamic.ResourceProvider<Raw, Raw> {
  readonly #type: ResourceType;
  readonly #run: Run;
  readonly #configuration: Configuration;

  constructor(type: ResourceType, run: Run, configuration: Configuration) {
    this.#type = type;
    this.#run = run;
    this.#configuration = configuration;
  }

  /** Takes effect synchronously, because concurrent first calls don't wait for it. */
  configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    this.#configuration.accept(config);
    return Promise.resolve();
  }

  async check(olds: Raw, { [programInput]: input, ...news }: Raw): Promise<dynamic.CheckResult<Raw>> {
    const program = fromProgram(input);
    if (program?.urn === undefined) return { failures: [notOfProgram] };
    const { urn, previews, shown } = program;
    const { facts } = lifecycles[this.#type];
    // What the program doesn't pass as public may be secret, such as what a transformation set. What isn't known yet has no text.
    const hidden = new Set([...facts.secrets].filter((name) => news[name] !== shown[name]));
    const secrets = new Set([...hidden].filter((name) => !isUnknown(news[name])));
    const old = this.#opened(olds);
    const call = { urn, news, secrets };
    const answer = await this.#ask({
      ...call,
      verb: "check",
      olds: old.values,
      oldSecrets: old.secrets,
      program,
    });
    const { inputs = {}, problems: failures = [] } = answer;
    const isValid = answer.problem === undefined && failures.length === 0;
    const problem = previews && isValid ? await this.#previewed(call, olds, inputs) : answer.problem;
    const stored = {
      urn,
      ...(facts.secrets.size > 0 && { secrets: marksOf(hidden, news) }),
      ...(problem !== undefined && { problem }),
    };
    return { inputs: { ...inputs, [programInput]: stored }, failures };
  }

  /** Previews what the engine asks no more about in a preview. Returns what is wrong with it, if the program collects that. */
  async #previewed(
    call: Pick<Call, "urn" | "news" | "secrets">,
    olds: Raw,
    inputs: Raw,
  ): Promise<string | undefined> {
    // A new resource has no old inputs. The engine checks a replacement a second time without them.
    const isNew = Object.keys(olds).length === 0;
    const isChanged = !isDeepStrictEqual(ownProperties(olds), ownProperties(inputs));
    if (!isNew && !(lifecycles[this.#type].readsOnly && isChanged)) return undefined;
    const verb = isNew ? "create" : "update";
    return (await this.#ask({ ...call, verb, isPreview: true, news: inputs })).problem;
  }

  async diff(id: string, olds: Raw, news: Raw): Promise<dynamic.DiffResult> {
    const old = this.#opened(olds).values;
    const { values, urn, problem } = this.#opened(news);
    // A refresh or destroy reads the serialized provider from the outputs, which the native plugin doesn't write.
    const moves = "__provider" in news && !("__provider" in olds);
    const call = { urn, id, olds: old, news: values };
    const { changes = false, replaces = [] } = await this.#ask({ ...call, verb: "diff", moves });
    const isPreviewed =
      this.#run.isPreviewed(urn) && problem === undefined && changes && replaces.length === 0;
    if (isPreviewed) failWith(await this.#ask({ ...call, verb: "update", isPreview: true }));
    return { changes, replaces };
  }

  async create(inputs: Raw): Promise<dynamic.CreateResult<Raw>> {
    const { values, urn } = this.#opened(inputs);
    const { id = "", outputs = {} } = await this.#ask({ verb: "create", urn, news: values }, inputs);
    return { id, outs: { ...outputs, [programInput]: { urn } } };
  }

  async read(id: string, props: Raw = {}): Promise<dynamic.ReadResult<Raw>> {
    const { values, urn } = this.#opened(props);
    const { id: readId = id, outputs = {} } = await this.#ask({ verb: "read", urn, id, olds: values });
    return { id: readId, props: urn === "" ? { ...outputs } : { ...outputs, [programInput]: { urn } } };
  }

  async update(id: string, olds: Raw, news: Raw): Promise<dynamic.UpdateResult<Raw>> {
    const { values, urn } = this.#opened(news);
    const call = { urn, id, olds: this.#opened(olds).values, news: values };
    const { outputs = {} } = await this.#ask({ verb: "update", ...call }, news);
    return { outs: { ...outputs, [programInput]: { urn } } };
  }

  async delete(id: string, props: Raw): Promise<void> {
    const { values, urn } = this.#opened(props);
    await this.#ask({ verb: "delete", urn, id, olds: values });
  }

  /** @param inputs The raw inputs of a create or update. The engine requires their serialized provider in the result. */
  async #ask(call: Omit<Call, "type">, inputs?: Raw): Promise<Answer> {
    const answer = await this.#run.handle({ ...call, type: this.#type });
    const { failure } = answer;
    if (failure?.keeps) throw new StacklessPartialFailure(failure, failure.keeps, inputs);
    if (failure) throw new StacklessError(failure.text);
    return answer;
  }

  /** Takes off what this adapter stores beside the properties. */
  #opened({ [programInput]: stored, ...values }: Raw) {
    const { urn, secrets, problem } = isObject(stored) ? stored : {};
    return {
      values,
      // Neither the native plugin nor what a program only reads has it.
      urn: typeof urn === "string" ? urn : "",
      secrets: Array.isArray(secrets) ? new Set<string>(secrets) : lifecycles[this.#type].facts.secrets,
      problem,
    };
  }
}

/** A program is told of a problem only by what it declares: what is unchanged in it stops the preview. */
function failWith({ problem }: Answer): void {
  if (problem !== undefined) throw new StacklessError(problem);
}

/** Marks secrets by an input, because the engine doesn't tell a dynamic provider which old inputs are secrets. */
function marksOf(secrets: ReadonlySet<string>, inputs: Raw): unknown {
  // Only the value says whether it is a secret. An update plan permits any mark in the place of an unknown one.
  return [...secrets].some((name) => isUnknown(inputs[name])) ? unknownValue : [...secrets];
}

const notOfProgram = {
  property: "",
  reason: `${programInput} is set by pulumi-monitoring-service alone: a transformation of the program changed or removed it`,
};

/** The configuration of a provider process. All resource types share it, with its clients and their limits. */
class Configuration {
  #connections: (() => Connections) | undefined;

  /** Reads the configuration on the first call: the engine sends the same one to each resource type. */
  accept(config: dynamic.Config): void {
    const options = { onRequest: tellLimit(notice) };
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
 * Replaces the stack of an error: Pulumi's server prints the stack of an error of `check`, `diff`, `read` or `delete`, and returns it to the
 * engine, which prints the message as well. It hangs or prints "undefined" for what is no error.
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
  readonly properties: Raw;
  readonly reasons: readonly string[];

  constructor({ text }: Failure, { id, outputs }: NonNullable<Failure["keeps"]>, inputs: Raw = {}) {
    super(text);
    const { __provider, [programInput]: stored } = inputs;
    const { urn } = isObject(stored) ? stored : {};
    this.id = id;
    this.properties = { ...plainObject(outputs), __provider, [programInput]: { urn } };
    this.reasons = [text];
  }
}
