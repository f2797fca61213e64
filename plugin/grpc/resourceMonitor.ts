/** The engine's resource monitor, where a component registers itself and its children. */
import type { ServiceError } from "@grpc/grpc-js";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  type RegisterResourceResponse,
  Result,
} from "@pulumi/pulumi/proto/resource_pb";
import { MonitoringError } from "../../provider/client";
import { type Properties } from "../../provider/lifecycles/lifecycle";
import { grpc } from "./grpcLibrary";
import { readStruct, type Wire, writeStruct } from "./values";

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
