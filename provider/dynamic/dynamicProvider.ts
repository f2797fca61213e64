/**
 * Adapts a run to Pulumi's dynamic providers: the providers of one process share it, and their errors are a message for the user, without a
 * stack. It knows what this engine doesn't tell or ask: the program tells it which resource a call is about, and in a preview the engine
 * calls nothing but `check` and `diff`.
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
  // All resource types share it, with its clients and their limits.
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
    Incident: of("Incident"),
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
      // The verbs after it have either the inputs or the outputs, and the engine tells none of them the resource.
      urn: of.urn,
      // Nor does it say which old inputs are secrets. An update plan permits any mark in the place of an unknown one.
      ...(hidden && { secrets: hidden.some((name) => isUnknown(inputs[name])) ? unknownValue : hidden }),
      // In a preview, the program has the inputs as outputs. No state has it.
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

  /** Neither the native plugin nor what a program only reads stores a URN. */
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

/** What the state has: the outputs, and the URN for a refresh and a destroy, which have nothing else. */
const stored = (outputs: Properties, { urn }: Resource): Raw => ({
  ...outputs,
  ...(urn !== "" && { [programInput]: { urn } }),
});

function secretsIn({ [programInput]: input }: Raw): ReadonlySet<string> | undefined {
  const { secrets } = isObject(input) ? input : {};
  return Array.isArray(secrets) ? new Set<string>(secrets) : undefined;
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

  constructor(text: string, { id, outputs }: ResourceState, of: Resource) {
    super(text);
    this.id = id;
    this.properties = { ...stored(outputs, of), __provider: serializedProvider(of.type) };
    this.reasons = [text];
  }
}
