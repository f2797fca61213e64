/**
 * Implements the resource provider that the engine calls over gRPC, one for each provider resource of a stack. It serves the
 * lifecycles as resources, the lookups as functions, and the components.
 */
import { setTimeout as wait } from "node:timers/promises";
import {
  type handleUnaryCall,
  type sendUnaryData,
  type ServerUnaryCall,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { type z } from "zod";
import { isMonitoringError, MonitoringError, TimeoutError } from "../provider/client";
import { tellLongWait } from "../provider/connection";
import {
  assertEngineAlive,
  isUnknown,
  nativeToken,
  resourceTypes,
  unknownValue,
  warnOfSecretsInLogs,
} from "../provider/engine";
import {
  type Context,
  type Lifecycle,
  lifecycles,
  PartialFailureError,
  PlainLifecycle,
  type Properties,
} from "../provider/lifecycles";
import { type Lookup, lookups, runLookup } from "../provider/lookups";
import { fromProgram, programInput } from "../provider/programInput";
import { Publishing } from "../provider/publishing";
import { type NoticeText, printed } from "../provider/texts";
import { partsOf } from "../provider/urn";
import { Empty, grpc } from "./grpcLibrary";
import { PluginConfiguration } from "./pluginConfiguration";
import { readSchema, version } from "./pluginPackage";
import {
  checkFailureMessage,
  diffResponse,
  FailureWithSecrets,
  readStruct,
  rpcError,
  type Wire,
  writeStruct,
} from "./wire";

export class PluginProvider {
  readonly #types: ReadonlyMap<string, ServedType> = new Map(
    resourceTypes.map((type) => {
      const lifecycle = lifecycles[type];
      return [nativeToken(type), { lifecycle, plain: new PlainLifecycle(lifecycle) }];
    }),
  );
  readonly #cancellation = new AbortController();
  readonly #publishing = new Publishing();
  readonly #log: EngineNotices;
  readonly #configuration: PluginConfiguration;
  #inProgress = 0;

  constructor(engineAddress: string | undefined) {
    this.#log = new EngineNotices(engineAddress);
    const { signal } = this.#cancellation;
    const print = (text: string) => this.#log.notice("", text);
    this.#configuration = new PluginConfiguration({ signal, onRequest: tellLongWait(print), print });
  }

  /** True while the engine waits for a response. */
  get isBusy(): boolean {
    return this.#inProgress > 0;
  }

  /** Prevents any further post, and ends calls that wait or are in progress. */
  cancelRun(): void {
    this.#cancellation.abort(new MonitoringError("The run was cancelled. Nothing more was posted."));
  }

  /** The methods that the engine can call. gRPC reports any other method as not implemented. */
  readonly handlers: UntypedServiceImplementation = {
    handshake: this.#unary(() =>
      new messages.ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setAcceptResources(false)
        .setAcceptOutputs(false),
    ),

    getPluginInfo: this.#unary(() => new PluginInfo().setVersion(version)),

    getSchema: this.#unary(() => new messages.GetSchemaResponse().setSchema(readSchema())),

    cancel: this.#unary(() => {
      this.cancelRun();
      return new Empty();
    }),

    checkConfig: this.#unary((request: messages.CheckRequest) => this.#configuration.check(request)),
    diffConfig: this.#unary((request: messages.DiffRequest) => this.#configuration.diff(request)),
    configure: this.#unary(async (request: messages.ConfigureRequest) => {
      const response = this.#configuration.accept(request);
      warnOfSecretsInLogs((text) => this.#log.notice("", text));
      await this.#log.sent();
      return response;
    }),

    construct: this.#unary(async (request: messages.ConstructRequest) => {
      const { construct } = await import("./components");
      return construct(request, (urn) => this.#contextOf(urn), this.#log);
    }),

    invoke: this.#unary(async (request: messages.InvokeRequest) => {
      const { values } = readStruct(request.getArgs());
      try {
        const result = await invokeFunction(request.getTok(), values, this.#contextOf(""));
        return new messages.InvokeResponse().setReturn(result);
      } finally {
        await this.#log.sent();
      }
    }),

    check: this.#verb(async (request: messages.CheckRequest, { plain, run }) => {
      const news = readStruct(request.getNews());
      const olds = readStruct(request.getOlds());
      const { [programInput]: hidden, ...values } = news.values;
      const program = fromProgram(hidden);
      if (!program) return new messages.CheckResponse().setFailuresList([checkFailureMessage(notOfProgram)]);
      const secrets = new Set([...news.secrets].filter((name) => name !== programInput));
      const { inputs, failures } = await run(secrets, (context) =>
        plain.check(olds.values, values, { ...context, program }, olds.secrets),
      );
      return new messages.CheckResponse()
        .setInputs(writeStruct(inputs, secrets))
        .setFailuresList(failures.map(checkFailureMessage));
    }),

    diff: this.#verb(async (request: messages.DiffRequest, { plain, run }) => {
      const olds = readStruct(request.getOlds()).values;
      const { values: news, secrets } = readStruct(request.getNews());
      const moves = "__provider" in olds;
      const { changes, replaces } = await run(secrets, (context) =>
        plain.diff(request.getId(), olds, news, context, moves),
      );
      return diffResponse(changes).setReplacesList(replaces);
    }),

    create: this.#verb(async (request: messages.CreateRequest, served) => {
      const inputs = readStruct(request.getProperties());
      const secrets = secretOutputsOf(served.lifecycle, inputs);
      const { id, outputs } = await this.#write(request, served, inputs, undefined, secrets, (context) =>
        served.plain.create(inputs.values, context),
      );
      return new messages.CreateResponse().setId(id).setProperties(writeStruct(outputs, secrets));
    }),

    read: this.#verb(async (request: messages.ReadRequest, { plain, lifecycle, run }) => {
      const id = request.getId();
      const olds = readStruct(request.getProperties());
      const isImport = Object.keys(olds.values).length === 0;
      const { inputs, ...found } = await run(undefined, async (context) =>
        isImport
          ? lifecycle.import(id, context)
          : { ...(await plain.read(id, olds.values, context)), inputs: undefined },
      );
      return new messages.ReadResponse()
        .setId(found.id)
        .setInputs(inputs ? writeStruct(inputs) : request.getInputs())
        .setProperties(writeStruct(found.outputs, secretOutputsOf(lifecycle, olds)));
    }),

    update: this.#verb(async (request: messages.UpdateRequest, served) => {
      const { plain, lifecycle } = served;
      const id = request.getId();
      const olds = readStruct(request.getOlds());
      const news = readStruct(request.getNews());
      const secrets = secretOutputsOf(lifecycle, news);
      // The state of a partial failure may contain the old outputs.
      const both = new Set([...secretOutputsOf(lifecycle, olds), ...secrets]);
      const old = { id, outputs: olds.values };
      const { outputs } = await this.#write(request, served, news, old, both, async (context) => ({
        id,
        outputs: await plain.update(id, olds.values, news.values, context),
      }));
      return new messages.UpdateResponse().setProperties(writeStruct(outputs, secrets));
    }),

    delete: this.#verb(async (request: messages.DeleteRequest, { plain, run }) => {
      const { values } = readStruct(request.getProperties());
      const remove = (context: Context) => plain.delete(request.getId(), values, context);
      await run(undefined, remove, request.getTimeout());
      return new Empty();
    }),
  };

  #verb<Request extends { getUrn(): string }, Response>(
    work: (request: Request, served: Served) => Promise<Response>,
  ): handleUnaryCall<Request, Response> {
    return this.#unary((request: Request) => {
      const urn = request.getUrn();
      const type = this.#typeOf(urn);
      const run: Served["run"] = async (secrets, verb, timeoutSeconds) => {
        const timeoutMs = timeoutSeconds ? timeoutSeconds * 1000 : undefined;
        try {
          const working = verb({
            ...this.#contextOf(urn, timeoutMs, secrets),
            program: type.plain.lastCheck(urn)?.context.program,
          });
          // A write limits its own time, and records what may have been posted.
          return await (type.lifecycle.readsOnly ? within(timeoutMs, working) : working);
        } catch (error) {
          throw error instanceof PartialFailureError ? new FailureWithSecrets(error, secrets) : error;
        } finally {
          await this.#log.sent();
        }
      };
      return work(request, { urn, ...type, run });
    });
  }

  /**
   * Runs a create or an update. A preview only runs one that reads and knows all inputs. A problem is an output for a program that
   * collects the problems of a preview.
   */
  async #write(
    request: messages.CreateRequest | messages.UpdateRequest,
    { urn, plain, lifecycle, run }: Served,
    { values, secrets }: Wire,
    old: PlainState | undefined,
    secretsOfFailure: ReadonlySet<string>,
    write: (context: Context) => Promise<PlainState>,
  ): Promise<PlainState> {
    const isPreviewed = request.getPreview() && !(lifecycle.readsOnly && !isUnknown(values));
    const computed = isPreviewed && !old ? lifecycle.computed : [];
    const unknown = Object.fromEntries(computed.map((name) => [name, unknownValue]));
    const outputs = { ...unknown, ...old?.outputs, ...values };
    const verb = async (context: Context): Promise<PlainState> => {
      try {
        if (!isPreviewed) return await write(context);
        await plain.preview(values, old, context);
        return { id: "", outputs };
      } catch (error) {
        if (!plain.lastCheck(urn)?.context.program?.collects || !isMonitoringError(error)) throw error;
        return { id: "", outputs: { ...outputs, [programInput]: { problem: error.message } } };
      }
    };
    return isPreviewed ? run(secrets, verb) : run(secretsOfFailure, verb, request.getTimeout());
  }

  /** A handler that responds with what the work returns, or with an error that holds nothing but a message. */
  #unary<Request, Response>(
    work: (request: Request) => Response | Promise<Response>,
  ): handleUnaryCall<Request, Response> {
    return (call: ServerUnaryCall<Request, Response>, respond: sendUnaryData<Response>) => {
      this.#inProgress += 1;
      new Promise<Response>((resolve) => resolve(work(call.request)))
        .then(
          (response) => respond(null, response),
          (error: unknown) => respond(rpcError(error)),
        )
        .finally(() => (this.#inProgress -= 1));
    };
  }

  #contextOf(urn: string, timeoutMs?: number, secrets?: ReadonlySet<string>): Context {
    const configuration = this.#configuration;
    return {
      get connections() {
        return configuration.connections;
      },
      publishing: this.#publishing,
      resource: urn,
      secrets,
      notice: (text) => this.#log.notice(urn, text),
      warn: (text) => this.#log.warning(urn, text),
      assertEngineAlive,
      signal: this.#cancellation.signal,
      timeoutMs,
    };
  }

  #typeOf(urn: string): ServedType {
    const { type: token } = partsOf(urn);
    const type = this.#types.get(token);
    if (!type) throw new MonitoringError(unknownType(token));
    return type;
  }
}

interface ServedType {
  readonly plain: PlainLifecycle;
  readonly lifecycle: Lifecycle;
}

type PlainState = Awaited<ReturnType<PlainLifecycle["create"]>>;

/** The resource that a call is about. */
interface Served extends ServedType {
  readonly urn: string;
  /** Runs the verb, once. @param secrets Names of the inputs and outputs that are secrets. */
  readonly run: <T>(
    secrets: ReadonlySet<string> | undefined,
    verb: (context: Context) => T | Promise<T>,
    timeoutSeconds?: number,
  ) => Promise<T>;
}

const notOfProgram = {
  property: "",
  reason: `${programInput} is set by pulumi-monitoring-service alone`,
};

function unknownType(token: string): string {
  const advice = token.startsWith("pulumi-nodejs:")
    ? ' An explicit provider serves the classes from "pulumi-monitoring-service/native" only: import the class from there.'
    : "";
  return `The native plugin of pulumi-monitoring-service has no resource type ${token}.${advice}`;
}

function secretOutputsOf(lifecycle: Lifecycle, { secrets }: Wire): ReadonlySet<string> {
  return new Set([...secrets, ...lifecycle.secretOutputs(secrets)]);
}

/** Limits a call that only reads by `customTimeouts`. @throws TimeoutError when the work takes longer. */
async function within<T>(timeoutMs: number | undefined, work: T | Promise<T>): Promise<T> {
  if (timeoutMs === undefined) return work;
  const timer = new AbortController();
  const late = wait(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new TimeoutError(
      `The service did not respond within ${timeoutMs / 1000} s, the limit that customTimeouts sets.`,
    );
  });
  return Promise.race([work, late]).finally(() => timer.abort());
}

/** The data sources as functions of the plugin. */
const functions: Readonly<Record<string, Lookup<z.ZodRawShape, object>>> = lookups;

/** @param token Token of a function, such as `monitoring:index:getIncident`. */
async function invokeFunction(token: string, args: Properties, context: Context) {
  const name = token.split(":").at(-1) ?? "";
  const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!called) throw new MonitoringError(`pulumi-monitoring-service has no function ${token}.`);
  const result: Properties = { ...(await runLookup(called, args, context)) };
  return writeStruct(result, new Set(args["revealCredentials"] === true ? Object.keys(result) : []));
}

/** Shows notices on the line of their resource, or of the stack. The engine hides what a plugin writes to stderr. */
class EngineNotices {
  readonly #engine: EngineClient | undefined;
  /** The last of the sequential requests: the engine shows notices in the order in which they arrive. */
  #sending = Promise.resolve();

  /** @param address Address of the engine. If it is undefined, notices are dropped. */
  constructor(address: string | undefined) {
    if (address !== undefined) this.#engine = new EngineClient(address, grpc.credentials.createInsecure());
  }

  /** @param urn Resource of the notice; empty for the stack. */
  notice(urn: string, text: NoticeText): void {
    this.#log(new LogRequest().setSeverity(LogSeverity.INFO).setMessage(printed(text)).setUrn(urn));
  }

  warning(urn: string, text: string): void {
    this.#log(new LogRequest().setSeverity(LogSeverity.WARNING).setMessage(text).setUrn(urn));
  }

  /** Resolves when the engine has every notice. The engine drops notices that arrive after the response of their call. */
  async sent(): Promise<void> {
    await this.#sending;
  }

  #log(request: LogRequest): void {
    this.#sending = this.#sending.then(
      () =>
        new Promise((done) => {
          // A notice that can't be delivered must not fail the operation.
          if (this.#engine) this.#engine.log(request, () => done());
          else done();
        }),
    );
  }
}
