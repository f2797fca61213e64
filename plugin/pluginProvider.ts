/**
 * Implements the resource provider that the engine calls over gRPC. There is one for each provider resource in a stack. It serves the
 * lifecycles as resources, the lookups as functions, and the components.
 */
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
import { MonitoringError } from "../provider/client";
import { createLimitListener } from "../provider/connection";
import {
  assertEngineAlive,
  getNativeToken,
  parseUrn,
  type ResourceType,
  resourceTypes,
  warnOfSecretsInLogs,
} from "../provider/engine";
import { type Context, type Properties } from "../provider/lifecycles";
import { type Lookup, lookups, runLookup } from "../provider/lookups";
import { type CallResults, type Call, Run, type Verb } from "../provider/run";
import { type NoticeText, formatNoticeText } from "../provider/texts";
import { Empty, grpc } from "./grpcLibrary";
import { PluginConfiguration } from "./pluginConfiguration";
import { readSchema, version } from "./pluginPackage";
import {
  AnsweredFailure,
  createCheckFailure,
  createDiffResponse,
  readStruct,
  toRpcError,
  writeStruct,
} from "./wire";

const types: ReadonlyMap<string, ResourceType> = new Map(
  resourceTypes.map((type) => [getNativeToken(type), type]),
);

export class PluginProvider {
  readonly #cancellation = new AbortController();
  readonly #log: EngineNotices;
  readonly #configuration: PluginConfiguration;
  readonly #run: Run;
  #inProgress = 0;

  constructor(engineAddress: string | undefined) {
    this.#log = new EngineNotices(engineAddress);
    const { signal } = this.#cancellation;
    const print = (text: string) => this.#log.logNotice(text);
    const configuration = new PluginConfiguration({ signal, onRequest: createLimitListener(print), print });
    this.#configuration = configuration;
    this.#run = new Run({
      get connections() {
        return configuration.connections;
      },
      signal,
      address: engineAddress,
      notice: (text, urn) => this.#log.logNotice(text, urn),
      warn: (text, urn) => this.#log.logWarning(text, urn),
      assertAlive: assertEngineAlive,
    });
  }

  /** True while the engine is waiting for a response. */
  get isBusy(): boolean {
    return this.#inProgress > 0;
  }

  /** Prevents any further post, and cancels calls that are waiting or in progress. */
  cancelRun(): void {
    this.#cancellation.abort(new MonitoringError("The run was canceled. Nothing more was posted."));
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
      warnOfSecretsInLogs((text) => this.#log.logNotice(text));
      await this.#log.waitUntilSent();
      return response;
    }),

    construct: this.#unary(async (request: messages.ConstructRequest) => {
      const { construct } = await import("./components");
      try {
        return await construct(request, (urn) => this.#run.createContext(urn));
      } finally {
        await this.#log.waitUntilSent();
      }
    }),

    invoke: this.#unary(async (request: messages.InvokeRequest) => {
      const { values } = readStruct(request.getArgs());
      try {
        const result = await invokeFunction(request.getTok(), values, this.#run.createContext(""));
        return new messages.InvokeResponse().setReturn(result);
      } finally {
        await this.#log.waitUntilSent();
      }
    }),

    check: this.#verb(async (request: messages.CheckRequest, of) => {
      const { values: olds, secrets: oldSecrets } = readStruct(request.getOlds());
      const { values: news, secrets } = readStruct(request.getNews());
      const call = { olds, news, secrets, oldSecrets };
      const { inputs, problems } = await this.#call({ verb: "check", ...of, ...call });
      return new messages.CheckResponse()
        .setInputs(writeStruct(inputs, secrets))
        .setFailuresList(problems.map(createCheckFailure));
    }),

    diff: this.#verb(async (request: messages.DiffRequest, of) => {
      const { values: olds } = readStruct(request.getOlds());
      const { values: news, secrets } = readStruct(request.getNews());
      const call = { id: request.getId(), olds, news, secrets };
      const { changes, replaces } = await this.#call({ verb: "diff", ...of, ...call });
      return createDiffResponse(changes).setReplacesList([...replaces]);
    }),

    create: this.#verb(async (request: messages.CreateRequest, of) => {
      const { values: news, secrets } = readStruct(request.getProperties());
      const isPreview = request.getPreview();
      const created = await this.#call({ verb: "create", ...of, news, secrets, isPreview });
      return new messages.CreateResponse().setId(created.id).setProperties(toStruct(created));
    }),

    read: this.#verb(async (request: messages.ReadRequest, of) => {
      const id = request.getId();
      const { values: olds, secrets: oldSecrets } = readStruct(request.getProperties());
      const isImport = Object.keys(olds).length === 0;
      const read = isImport
        ? await this.#call({ verb: "import", ...of, id })
        : await this.#call({ verb: "read", ...of, id, olds, oldSecrets });
      return new messages.ReadResponse()
        .setId(read.id)
        .setInputs(read.inputs ? writeStruct(read.inputs) : request.getInputs())
        .setProperties(toStruct(read));
    }),

    update: this.#verb(async (request: messages.UpdateRequest, of) => {
      const { values: olds, secrets: oldSecrets } = readStruct(request.getOlds());
      const { values: news, secrets } = readStruct(request.getNews());
      const call = { id: request.getId(), olds, news, secrets, oldSecrets, isPreview: request.getPreview() };
      const updated = await this.#call({ verb: "update", ...of, ...call });
      return new messages.UpdateResponse().setProperties(toStruct(updated));
    }),

    delete: this.#verb(async (request: messages.DeleteRequest, of) => {
      const { values: olds } = readStruct(request.getProperties());
      await this.#call({ verb: "delete", ...of, id: request.getId(), olds });
      return new Empty();
    }),
  };

  #verb<Request extends ResourceRequest, Response>(
    work: (request: Request, of: Pick<Call, "type" | "urn" | "limitMs">) => Promise<Response>,
  ): handleUnaryCall<Request, Response> {
    return this.#unary((request: Request) => {
      const urn = request.getUrn();
      const { type: token } = parseUrn(urn);
      const type = types.get(token);
      if (!type) throw new MonitoringError(formatUnknownType(token));
      const seconds = request.getTimeout?.() ?? 0;
      return work(request, { type, urn, ...(seconds > 0 && { limitMs: seconds * 1000 }) });
    });
  }

  async #call<V extends Verb>(call: Call<V>): Promise<CallResults[V]> {
    const answer = await this.#run.handle(call);
    await this.#log.waitUntilSent();
    if (answer.failure) throw new AnsweredFailure(answer.failure);
    return answer;
  }

  /** Returns a handler that responds with the result of the work, or with an error that contains only a message. */
  #unary<Request, Response>(
    work: (request: Request) => Response | Promise<Response>,
  ): handleUnaryCall<Request, Response> {
    return (call: ServerUnaryCall<Request, Response>, respond: sendUnaryData<Response>) => {
      this.#inProgress += 1;
      new Promise<Response>((resolve) => resolve(work(call.request)))
        .then(
          (response) => respond(null, response),
          (error: unknown) => respond(toRpcError(error)),
        )
        .finally(() => (this.#inProgress -= 1));
    };
  }
}

interface ResourceRequest {
  getUrn(): string;
  /** Time limit that the user set for an operation that writes, in seconds. */
  getTimeout?(): number;
}

const toStruct = ({ outputs, secrets }: CallResults["create"]) => writeStruct(outputs, secrets);

function formatUnknownType(token: string): string {
  const advice = token.startsWith("pulumi-nodejs:")
    ? ' An explicit provider supports only the classes from "pulumi-monitoring-service/native". Import the class from there.'
    : "";
  return `The native plugin of pulumi-monitoring-service has no resource type ${token}.${advice}`;
}

/** The plugin's functions, which are the data sources. */
const functions: Readonly<Record<string, Lookup<z.ZodRawShape, object>>> = lookups;

/** Calls a function of the plugin. @param token Token of the function, such as `monitoring:index:getIncident`. */
async function invokeFunction(token: string, args: Properties, context: Context) {
  const name = token.split(":").at(-1) ?? "";
  const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!called) throw new MonitoringError(`pulumi-monitoring-service has no function ${token}.`);
  const result: Properties = { ...(await runLookup(called, args, context)) };
  return writeStruct(result, new Set(args["revealCredentials"] === true ? Object.keys(result) : []));
}

/** Prints notices through the engine, below their resource or the stack. The engine hides a plugin's output on stderr. */
class EngineNotices {
  readonly #engine: EngineClient | undefined;
  /** The last request. Requests are sent one at a time, because the engine prints notices in the order of their arrival. */
  #sending = Promise.resolve();

  /** @param address Network address of the engine. If it is undefined, notices are dropped. */
  constructor(address: string | undefined) {
    if (address !== undefined) this.#engine = new EngineClient(address, grpc.credentials.createInsecure());
  }

  /** Prints a notice. @param urn Resource that the notice is about. Default: the stack. */
  logNotice(text: NoticeText, urn = ""): void {
    this.#log(new LogRequest().setSeverity(LogSeverity.INFO).setMessage(formatNoticeText(text)).setUrn(urn));
  }

  logWarning(text: string, urn: string): void {
    this.#log(new LogRequest().setSeverity(LogSeverity.WARNING).setMessage(text).setUrn(urn));
  }

  /** Resolves when the engine has received all notices. The engine drops notices that arrive after the response to their call. */
  async waitUntilSent(): Promise<void> {
    await this.#sending;
  }

  #log(request: LogRequest): void {
    const engine = this.#engine;
    if (!engine) return;
    // A notice that can't be delivered must not fail the operation.
    this.#sending = this.#sending.then(() => new Promise((done) => void engine.log(request, () => done())));
  }
}
