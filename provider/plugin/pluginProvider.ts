/** The resource provider that the engine talks to over gRPC: one for each provider resource of a stack. */
import type { handleUnaryCall, sendUnaryData, ServerUnaryCall, UntypedHandleCall } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { ConfigurationError, MonitoringError } from "../client";
import { type Connections } from "../connection";
import { assertEngineAlive } from "../engine/engineProcess";
import { messageOf, withoutValue } from "../engine/failure";
import { ResourceKind } from "../engine/resourceKind";
import { lifecycles } from "../lifecycles";
import { type Context, type Lifecycle, PartialFailureError, type Properties } from "../lifecycles/lifecycle";
import { nativeToken, resourceTypes } from "../resourceTypes";
import { secretSettings, settingNames } from "../settingNames";
import { EngineLog } from "./engineLog";
import { invokeFunction } from "./functions";
import { Empty, grpc } from "./grpcLibrary";
import { connectionsOf, hasUnknown, isSetting } from "./pluginConfiguration";
import { readSchema, version } from "./pluginPackage";
import { rpcError } from "./rpcError";
import { readStruct, type Wire, writeStruct } from "./values";

interface Kind {
  readonly resources: ResourceKind;
  readonly lifecycle: Lifecycle;
}

const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export class PluginProvider {
  readonly #kinds: ReadonlyMap<string, Kind> = new Map(
    resourceTypes.map((type) => {
      const lifecycle = lifecycles[type];
      return [nativeToken(type), { lifecycle, resources: new ResourceKind(lifecycle) }];
    }),
  );
  readonly #cancellation = new AbortController();
  readonly #log: EngineLog;
  #inProgress = 0;
  #connections: () => Connections = () => {
    throw new Error("The provider was called before it was configured.");
  };

  constructor(engineAddress: string | undefined) {
    this.#log = new EngineLog(engineAddress);
  }

  /** Whether the engine waits for a response. */
  get isBusy(): boolean {
    return this.#inProgress > 0;
  }

  /** Nothing is posted from now on, and what waits or is under way ends at once. */
  cancelRun(): void {
    this.#cancellation.abort(new MonitoringError("The run was cancelled. Nothing more was posted."));
  }

  readonly handshake = this.#unary(() =>
    new messages.ProviderHandshakeResponse()
      .setAcceptSecrets(true)
      .setAcceptResources(false)
      .setAcceptOutputs(false),
  );

  readonly getPluginInfo = this.#unary(() => new PluginInfo().setVersion(version));

  readonly getSchema = this.#unary(() => new messages.GetSchemaResponse().setSchema(readSchema()));

  readonly cancel = this.#unary(() => {
    this.cancelRun();
    return new Empty();
  });

  readonly checkConfig = this.#unary((request: messages.CheckRequest) => {
    const { values, secrets } = readStruct(request.getNews());
    const unknown = Object.keys(values).filter((name) => !isSetting(name));
    const failures = [
      ...unknown.map((name) =>
        withoutValue({ property: name, reason: `is not known; known are ${settingNames.join(", ")}` }),
      ),
      ...(hasUnknown(values) ? [] : mistakesIn(values, request.getUrn())),
    ];
    return new messages.CheckResponse()
      .setInputs(writeStruct(values, new Set([...secrets, ...secretSettings])))
      .setFailuresList(failures.map(asMessage));
  });

  /** Never asks for a replacement: the engine also asks when a resource moves to this provider. */
  readonly diffConfig = this.#unary((request: messages.DiffRequest) => {
    const before = JSON.stringify(sorted(readStruct(request.getOldInputs() ?? request.getOlds()).values));
    const after = JSON.stringify(sorted(readStruct(request.getNews()).values));
    const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
    return new messages.DiffResponse().setChanges(before === after ? DIFF_NONE : DIFF_SOME);
  });

  /** A mistake is kept for whoever needs a connection: `destroy` and removals need none. */
  readonly configure = this.#unary((request: messages.ConfigureRequest) => {
    const { values } = readStruct(request.getArgs());
    try {
      const connections = connectionsOf(values, request.getUrn() ?? "::default", this.#cancellation.signal);
      this.#connections = () => connections;
    } catch (error) {
      this.#connections = () => {
        throw error;
      };
    }
    return new messages.ConfigureResponse()
      .setAcceptsecrets(true)
      .setSupportspreview(true)
      .setAcceptresources(false)
      .setAcceptoutputs(false);
  });

  readonly invoke = this.#unary(async (request: messages.InvokeRequest) => {
    const { values } = readStruct(request.getArgs());
    const { result, secrets } = await invokeFunction(request.getTok(), values, {
      connections: this.#connections(),
      progress: () => undefined,
    });
    return new messages.InvokeResponse().setReturn(writeStruct(result, secrets));
  });

  readonly check = this.#unary(async (request: messages.CheckRequest) => {
    const { resources } = this.#kindOf(request.getUrn());
    const news = readStruct(request.getNews());
    const { inputs, failures } = await this.#inContext(request.getUrn(), undefined, (context) =>
      resources.check(readStruct(request.getOlds()).values, news.values, context),
    );
    return new messages.CheckResponse()
      .setInputs(writeStruct(inputs, news.secrets))
      .setFailuresList(failures.map(asMessage));
  });

  readonly diff = this.#unary(async (request: messages.DiffRequest) => {
    const { resources } = this.#kindOf(request.getUrn());
    const olds = readStruct(request.getOlds()).values;
    const news = readStruct(request.getNews()).values;
    const moves = "__provider" in olds;
    const { changes, replaces } = await this.#inContext(request.getUrn(), undefined, (context) =>
      resources.diff(request.getId(), olds, news, context, moves),
    );
    const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
    return new messages.DiffResponse().setChanges(changes ? DIFF_SOME : DIFF_NONE).setReplacesList(replaces);
  });

  readonly create = this.#unary(async (request: messages.CreateRequest) => {
    const { resources, lifecycle } = this.#kindOf(request.getUrn());
    const inputs = readStruct(request.getProperties());
    const secrets = secretOutputsOf(lifecycle, inputs);
    if (request.getPreview() && !mayRunInPreview(lifecycle, inputs)) {
      const outputs = { ...unknownOutputs(lifecycle), ...inputs.values };
      return new messages.CreateResponse().setProperties(writeStruct(outputs, secrets));
    }
    const { id, outputs } = await this.#inContext(
      request.getUrn(),
      request.getTimeout(),
      (context) => resources.create(inputs.values, context),
      secrets,
    );
    return new messages.CreateResponse().setId(id).setProperties(writeStruct(outputs, secrets));
  });

  readonly read = this.#unary(async (request: messages.ReadRequest) => {
    const { resources, lifecycle } = this.#kindOf(request.getUrn());
    const olds = readStruct(request.getProperties());
    const isImport = Object.keys(olds.values).length === 0;
    if (isImport) {
      const { id, inputs, outputs } = await this.#inContext(request.getUrn(), undefined, (context) =>
        lifecycle.import(request.getId(), context),
      );
      return new messages.ReadResponse()
        .setId(id)
        .setInputs(writeStruct(inputs))
        .setProperties(writeStruct(outputs));
    }
    const secrets = secretOutputsOf(lifecycle, olds);
    const { id, outputs } = await this.#inContext(request.getUrn(), undefined, (context) =>
      resources.read(request.getId(), olds.values, context),
    );
    return new messages.ReadResponse()
      .setId(id)
      .setInputs(request.getInputs())
      .setProperties(writeStruct(outputs, secrets));
  });

  readonly update = this.#unary(async (request: messages.UpdateRequest) => {
    const { resources, lifecycle } = this.#kindOf(request.getUrn());
    const olds = readStruct(request.getOlds());
    const news = readStruct(request.getNews());
    const secrets = secretOutputsOf(lifecycle, news);
    if (request.getPreview() && !mayRunInPreview(lifecycle, news)) {
      return new messages.UpdateResponse().setProperties(
        writeStruct({ ...olds.values, ...news.values }, secrets),
      );
    }
    const outputs = await this.#inContext(
      request.getUrn(),
      request.getTimeout(),
      (context) => resources.update(request.getId(), olds.values, news.values, context),
      secrets,
    );
    return new messages.UpdateResponse().setProperties(writeStruct(outputs, secrets));
  });

  readonly delete = this.#unary(async (request: messages.DeleteRequest) => {
    const { resources } = this.#kindOf(request.getUrn());
    const { values } = readStruct(request.getProperties());
    await this.#inContext(request.getUrn(), request.getTimeout(), (context) =>
      resources.delete(request.getId(), values, context),
    );
    return new Empty();
  });

  /** A handler that responds with what the work returns, or with an error that holds nothing but a message. */
  #unary<Request, Response>(
    work: (request: Request) => Response | Promise<Response>,
  ): handleUnaryCall<Request, Response> & UntypedHandleCall {
    return (call: ServerUnaryCall<Request, Response>, respond: sendUnaryData<Response>) => {
      this.#inProgress += 1;
      new Promise<Response>((resolve) => resolve(work(call.request)))
        .then(
          (response) => respond(null, response),
          (error: unknown) =>
            respond(
              error instanceof FailureWithSecrets ? rpcError(error.failure, error.secrets) : rpcError(error),
            ),
        )
        .finally(() => (this.#inProgress -= 1));
    };
  }

  #kindOf(urn: string): Kind {
    const token = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const kind = this.#kinds.get(token);
    if (!kind) throw new MonitoringError(`pulumi-monitoring-service has no resource type ${token}.`);
    return kind;
  }

  /** Runs one verb of one resource. @param secrets Names of the outputs that are secrets. */
  async #inContext<T>(
    urn: string,
    timeoutSeconds: number | undefined,
    verb: (context: Context) => T | Promise<T>,
    secrets?: ReadonlySet<string>,
  ): Promise<T> {
    const connections = (): Connections => this.#connections();
    try {
      return await verb({
        get connections() {
          return connections();
        },
        notice: (text) => this.#log.notice(urn, text),
        assertEngineAlive,
        signal: this.#cancellation.signal,
        ...(timeoutSeconds && { timeoutMs: timeoutSeconds * 1000 }),
      });
    } catch (error) {
      throw error instanceof PartialFailureError ? new FailureWithSecrets(error, secrets) : error;
    } finally {
      await this.#log.sent();
    }
  }
}

/** A partial failure, and which of the remembered outputs are secrets. */
class FailureWithSecrets {
  constructor(
    readonly failure: PartialFailureError,
    readonly secrets: ReadonlySet<string> | undefined,
  ) {}
}

function mayRunInPreview({ readsOnly }: Lifecycle, { values }: Wire): boolean {
  return readsOnly && !hasUnknown(values);
}

function secretOutputsOf(lifecycle: Lifecycle, { secrets }: Wire): ReadonlySet<string> {
  return new Set([...secrets, ...lifecycle.secretOutputs(secrets)]);
}

function unknownOutputs({ computed }: Lifecycle): Properties {
  return Object.fromEntries(computed.map((name) => [name, unknownValue]));
}

function mistakesIn(values: Properties, urn: string): messages.CheckFailure.AsObject[] {
  try {
    connectionsOf(values, urn);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(withoutValue);
    return [{ property: "", reason: messageOf(error) }];
  }
}

function asMessage({ property, reason }: messages.CheckFailure.AsObject): messages.CheckFailure {
  return new messages.CheckFailure().setProperty(property).setReason(reason);
}

function sorted(values: Properties): [string, unknown][] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}
