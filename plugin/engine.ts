/** What the plugin calls in the engine: its log, and its resource monitor. */
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { type NoticeText, printed } from "../provider/texts";
import { type Properties } from "../provider/lifecycles";
import { grpc } from "./grpcLibrary";
import { readStruct, type Wire, writeStruct } from "./wire";
import { type ServiceError } from "@grpc/grpc-js";
import { type ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  type RegisterResourceResponse,
  Result,
} from "@pulumi/pulumi/proto/resource_pb";
import { MonitoringError } from "../provider/client";

// Notices on the line of the resource that they are about, or of the stack. Nobody sees what a plugin writes to stderr.

export class EngineNotices {
  readonly #engine: EngineClient | undefined;
  readonly #sending = new Set<Promise<void>>();

  /** @param address Of the engine; without one, notices are dropped. */
  constructor(address: string | undefined) {
    if (address !== undefined) this.#engine = new EngineClient(address, grpc.credentials.createInsecure());
  }

  /** @param urn Empty for what is about no resource. */
  notice(urn: string, text: NoticeText): void {
    this.#log(new LogRequest().setSeverity(LogSeverity.INFO).setMessage(printed(text)).setUrn(urn));
  }

  warning(urn: string, text: string): void {
    this.#log(new LogRequest().setSeverity(LogSeverity.WARNING).setMessage(text).setUrn(urn));
  }

  /** Resolves when the engine has every notice. It drops those that come after the response they belong to. */
  async sent(): Promise<void> {
    await Promise.all(this.#sending);
  }

  #log(request: LogRequest): void {
    const sending = new Promise<void>((done) => {
      // A notice that the engine doesn't take must not fail what was done.
      if (this.#engine) this.#engine.log(request, () => done());
      else done();
    });
    this.#sending.add(sending);
    void sending.then(() => this.#sending.delete(sending));
  }
}

// The engine's resource monitor, where a component registers itself and its children.

interface Registered {
  readonly urn: string;
  readonly outputs: Properties;
}

export class ResourceMonitor {
  readonly #client: ResourceMonitorClient;

  constructor(address: string) {
    this.#client = new ResourceMonitorClient(address, grpc.credentials.createInsecure(), {
      "grpc.max_receive_message_length": -1,
    });
  }

  /** Registers the component that the engine wants, with the options that the program gave it. */
  registerComponent(wanted: ConstructRequest): Promise<Registered> {
    const request = requestFor(wanted.getType(), wanted.getName(), wanted.getParent())
      .setDependenciesList(wanted.getDependenciesList())
      .setAliasesList(wanted.getAliasesList())
      .setAliasspecs(true)
      .setDeletedwith(wanted.getDeletedwith());
    if (wanted.hasProtect()) request.setProtect(wanted.getProtect() ?? false);
    if (wanted.hasRetainondelete()) request.setRetainondelete(wanted.getRetainondelete() ?? false);
    for (const [name, provider] of wanted.getProvidersMap().entries())
      request.getProvidersMap().set(name, provider);
    return this.#register(request);
  }

  /** Registers a resource of this plugin. @param provider Reference of its provider. */
  registerChild(
    type: string,
    name: string,
    { values, secrets }: Wire,
    { parent, provider, dependencies }: { parent: string; provider: string; dependencies: readonly string[] },
  ): Promise<Registered> {
    return this.#register(
      requestFor(type, name, parent)
        .setCustom(true)
        .setObject(writeStruct(values, secrets))
        .setProvider(provider)
        .setDependenciesList([...dependencies]),
    );
  }

  async registerOutputs(urn: string, outputs: Properties): Promise<void> {
    const request = new RegisterResourceOutputsRequest().setUrn(urn).setOutputs(writeStruct(outputs));
    await responseOf((done) => this.#client.registerResourceOutputs(request, done));
  }

  close(): void {
    this.#client.close();
  }

  /** @throws MonitoringError when the resource failed. The engine has shown why. */
  async #register(request: RegisterResourceRequest): Promise<Registered> {
    const response = await responseOf<RegisterResourceResponse>((done) =>
      this.#client.registerResource(request, done),
    );
    if (response.getResult() === Result.FAIL)
      throw new MonitoringError(`${request.getName()} failed, so nothing that depends on it was changed.`);
    return { urn: response.getUrn(), outputs: readStruct(response.getObject()).values };
  }
}

function requestFor(type: string, name: string, parent: string): RegisterResourceRequest {
  return new RegisterResourceRequest()
    .setType(type)
    .setName(name)
    .setParent(parent)
    .setAcceptsecrets(true)
    .setSupportsresultreporting(true);
}

function responseOf<Response>(
  call: (done: (error: ServiceError | null, response: Response) => void) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    call((error, response) =>
      error ? reject(new MonitoringError(`Pulumi's engine: ${error.details}`)) : resolve(response),
    );
  });
}
