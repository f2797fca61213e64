/**
 * Adapts a run to Pulumi's dynamic providers. The providers of one process share the run, and their errors are messages for the user,
 * without a stack. Works around two gaps in dynamic providers: calls don't include the URN, so the program passes it as an input, and a
 * preview only calls `check` and `diff`.
 */
import { type dynamic } from "@pulumi/pulumi";
import { isObject } from "../api";
import { Configuration, Connections, createLimitListener } from "../connection";
import {
  assertEngineAlive,
  exitWithEngine,
  getEngineEndpoint,
  parseProgramInput,
  isUnknown,
  printNotice,
  programInput,
  type ResourceType,
  serializedProvider,
  unknownValue,
  warnOfSecretsInLogs,
} from "../engine";
import { type Properties, type ResourceState } from "../lifecycles";
import { type CallResults, type Call, Run, type Verb } from "../run";

export function createProviders() {
  // All resource types share the configuration, with its clients and their limits.
  const configuration = new Configuration();
  const run = new Run({
    get connections() {
      return configuration.connections;
    },
    address: getEngineEndpoint(),
    namesNoResources: true,
    notice: printNotice,
    // Pulumi displays all output of a dynamic provider as information, so the text itself must mark a warning.
    warn: (text) => printNotice(`warning: ${text}`),
    assertAlive: assertEngineAlive,
  });
  const createProvider = (type: ResourceType) => new DynamicProvider(type, run, configuration);
  return {
    AlertChannel: createProvider("AlertChannel"),
    Incident: createProvider("Incident"),
    IncidentUpdate: createProvider("IncidentUpdate"),
    StatusPage: createProvider("StatusPage"),
  } satisfies Record<ResourceType, DynamicProvider>;
}

/** Prepares this process to serve the engine that started it. */
export function serveEngine(): void {
  exitWithEngine();
  printErrorsOnce();
  warnOfSecretsInLogs(printNotice);
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
    const getSetting = (key: string) => config.get(`monitoring:${key}`);
    const options = { onRequest: createLimitListener(printNotice) };
    this.#configuration.connectOnce(() => new Connections(getSetting, process.env, options));
    return Promise.resolve();
  }

  async check(olds: Raw, news: Raw): Promise<dynamic.CheckResult<Raw>> {
    const of = this.#getResource(news);
    const answer = await this.#call({ verb: "check", ...of, olds, news, oldSecrets: getSecretNames(olds) });
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
    const { changes, replaces } = await this.#call({
      verb: "diff",
      ...this.#getResource(news),
      id,
      olds,
      news,
    });
    return { changes, replaces: [...replaces] };
  }

  async create(news: Raw): Promise<dynamic.CreateResult<Raw>> {
    const of = this.#getResource(news);
    const { id, outputs } = await this.#call({ verb: "create", ...of, news });
    return { id, outs: toStoredProperties(outputs, of) };
  }

  async read(id: string, olds: Raw = {}): Promise<dynamic.ReadResult<Raw>> {
    const of = this.#getResource(olds);
    const read = await this.#call({ verb: "read", ...of, id, olds });
    return { id: read.id, props: toStoredProperties(read.outputs, of) };
  }

  async update(id: string, olds: Raw, news: Raw): Promise<dynamic.UpdateResult<Raw>> {
    const of = this.#getResource(news);
    const { outputs } = await this.#call({ verb: "update", ...of, id, olds, news });
    return { outs: toStoredProperties(outputs, of) };
  }

  async delete(id: string, olds: Raw): Promise<void> {
    await this.#call({ verb: "delete", ...this.#getResource(olds), id, olds });
  }

  /** The URN is missing for resources of the native plugin, and for resources that a program only reads. */
  #getResource({ [programInput]: input }: Raw): Resource {
    return { type: this.#type, urn: parseProgramInput(input)?.urn ?? "" };
  }

  async #call<V extends Verb>(call: Call<V>): Promise<CallResults[V]> {
    const answer = await this.#run.handle(call);
    if (!answer.failure) return answer;
    const { text, stateToRecord } = answer.failure;
    throw stateToRecord ? new StacklessPartialFailure(text, stateToRecord, call) : new StacklessError(text);
  }
}

type Resource = Pick<Call, "type" | "urn">;

/** The properties to store in the state: the outputs, and the URN, because a refresh and a destroy receive nothing else. */
const toStoredProperties = (outputs: Properties, { urn }: Resource): Raw => ({
  ...outputs,
  ...(urn !== "" && { [programInput]: { urn } }),
});

function getSecretNames({ [programInput]: input }: Raw): ReadonlySet<string> | undefined {
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
    this.properties = { ...toStoredProperties(outputs, of), __provider: serializedProvider(of.type) };
    this.reasons = [text];
  }
}
