/**
 * Adapts a run to Pulumi's dynamic providers. The providers of one process share the run, and their errors are messages for the user,
 * without a stack. Works around two gaps in dynamic providers: calls don't include the URN, so the program passes it as an input, and a
 * preview only calls `check` and `diff`.
 */
import { type dynamic } from "@pulumi/pulumi";
import { isObject } from "../api";
import { Configuration, Connections, tellLimit } from "../connection";
import {
  assertEngineAlive,
  endWithEngine,
  engineEndpoint,
  fromProgram,
  isUnknown,
  notice,
  programInput,
  type ResourceType,
  serializedProvider,
  unknownValue,
  warnOfSecretsInLogs,
} from "../engine";
import { type Properties, type ResourceState } from "../lifecycles";
import { type Answers, type Call, Run, type Verb } from "../run";
import { nameOf } from "../wording";

export function createProviders() {
  // All resource types share the configuration, with its clients and their limits.
  const configuration = new Configuration();
  const run = new Run({
    get connections() {
      return configuration.connections;
    },
    address: engineEndpoint(),
    notice: (text, urn) => notice(typeof text === "string" ? named(text, urn) : text),
    // Pulumi displays all output of a dynamic provider as information, so the text itself must mark a warning.
    warn: (text, urn) => notice(`warning: ${named(text, urn)}`),
    assertAlive: assertEngineAlive,
  });
  const of = (type: ResourceType) => new DynamicProvider(type, run, configuration);
  return {
    AlertChannel: of("AlertChannel"),
    Incident: of("Incident"),
    IncidentUpdate: of("IncidentUpdate"),
    StatusPage: of("StatusPage"),
  } satisfies Record<ResourceType, DynamicProvider>;
}

/** Adds the name of the resource to a notice, because Pulumi shows the output of a dynamic provider under the stack. */
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
    const settingOf = (key: string) => config.get(`monitoring:${key}`);
    const options = { onRequest: tellLimit(notice) };
    this.#configuration.connectOnce(() => new Connections(settingOf, process.env, options));
    return Promise.resolve();
  }

  async check(olds: Raw, news: Raw): Promise<dynamic.CheckResult<Raw>> {
    const of = this.#of(news);
    const answer = await this.#ask({ verb: "check", ...of, olds, news, oldSecrets: secretsIn(olds) });
    const { inputs, problems, problem, hidden } = answer;
    const stored = {
      // The later operations receive either the inputs or the outputs, and the engine doesn't pass them the resource.
      urn: of.urn,
      // The engine doesn't mark the secrets in old inputs either. An update plan permits any value instead of an unknown one.
      ...(hidden && { secrets: hidden.some((name) => isUnknown(inputs[name])) ? unknownValue : hidden }),
      // In a preview, the program receives the inputs as outputs. The problem is never stored in a state.
      ...(problem !== undefined && { problem }),
    };
    return { inputs: { ...inputs, [programInput]: stored }, failures: [...problems] };
  }

  async diff(id: string, olds: Raw, news: Raw): Promise<dynamic.DiffResult> {
    const { changes, replaces } = await this.#ask({ verb: "diff", ...this.#of(news), id, olds, news });
    return { changes, replaces: [...replaces] };
  }

  async create(news: Raw): Promise<dynamic.CreateResult<Raw>> {
    const of = this.#of(news);
    const { id, outputs } = await this.#ask({ verb: "create", ...of, news });
    return { id, outs: stored(outputs, of) };
  }

  async read(id: string, olds: Raw = {}): Promise<dynamic.ReadResult<Raw>> {
    const of = this.#of(olds);
    const read = await this.#ask({ verb: "read", ...of, id, olds });
    return { id: read.id, props: stored(read.outputs, of) };
  }

  async update(id: string, olds: Raw, news: Raw): Promise<dynamic.UpdateResult<Raw>> {
    const of = this.#of(news);
    const { outputs } = await this.#ask({ verb: "update", ...of, id, olds, news });
    return { outs: stored(outputs, of) };
  }

  async delete(id: string, olds: Raw): Promise<void> {
    await this.#ask({ verb: "delete", ...this.#of(olds), id, olds });
  }

  /** The URN is missing for resources of the native plugin, and for resources that a program only reads. */
  #of({ [programInput]: input }: Raw): Resource {
    return { type: this.#type, urn: fromProgram(input)?.urn ?? "" };
  }

  async #ask<V extends Verb>(call: Call<V>): Promise<Answers[V]> {
    const answer = await this.#run.handle(call);
    if (!answer.failure) return answer;
    const { text, keeps } = answer.failure;
    throw keeps ? new StacklessPartialFailure(text, keeps, call) : new StacklessError(text);
  }
}

type Resource = Pick<Call, "type" | "urn">;

/** The properties to store in the state: the outputs, and the URN, because a refresh and a destroy receive nothing else. */
const stored = (outputs: Properties, { urn }: Resource): Raw => ({
  ...outputs,
  ...(urn !== "" && { [programInput]: { urn } }),
});

function secretsIn({ [programInput]: input }: Raw): ReadonlySet<string> | undefined {
  const { secrets } = isObject(input) ? input : {};
  return Array.isArray(secrets) ? new Set<string>(secrets) : undefined;
}

/**
 * Replaces the stack of an error. Pulumi's server prints the stack of an error of `check`, `diff`, `read` or `delete` and returns it to the
 * engine, which prints the message as well. If a call throws a value that isn't an error, the server hangs or prints "undefined".
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

/** Contains an ID, so that the engine records the resource although the run fails, and calls `update` in the next run. */
class StacklessPartialFailure extends StacklessError {
  readonly id: string;
  readonly properties: Raw;
  readonly reasons: readonly string[];

  constructor(text: string, { id, outputs }: ResourceState, of: Resource) {
    super(text);
    this.id = id;
    this.properties = { ...stored(outputs, of), __provider: serializedProvider(of.type) };
    this.reasons = [text];
  }
}
