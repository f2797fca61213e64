/**
 * Constructs a component. Talks to the engine's resource monitor itself: the runtime of @pulumi/pulumi keeps the monitor, the
 * stack and its configuration in global state, and a plugin constructs several components at a time.
 */
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { MonitoringError } from "../provider/client";
import { components, type DeclaredComponent } from "./components";
import { type EngineNotices } from "./grpc/engineNotices";
import { ResourceMonitor } from "./grpc/resourceMonitor";
import { readObjects, readStruct, type Wire, writeStruct } from "./grpc/values";

/** @param contextOf The context of the component with this URN. */
export async function construct(
  request: ConstructRequest,
  contextOf: (urn: string) => DeclaredComponent["context"],
  log: EngineNotices,
): Promise<ConstructResponse> {
  const name = request.getType().split(":").at(-1) ?? "";
  const component = Object.hasOwn(components, name) ? components[name] : undefined;
  if (!component)
    throw new MonitoringError(`pulumi-monitoring-service has no component ${request.getType()}.`);
  const monitor = new ResourceMonitor(request.getMonitorendpoint());
  try {
    const { urn } = await monitor.registerComponent(request);
    const context = contextOf(urn);
    const outputs = await component({
      name: request.getName(),
      inputs: readStruct(request.getInputs()),
      objectsOf: (input) => readObjects(request.getInputs(), input),
      context,
      warn: (text) => log.warning(urn, text),
      register: childrenOf(urn, request, monitor, context.signal),
    });
    await monitor.registerOutputs(urn, outputs);
    return new ConstructResponse().setUrn(urn).setState(writeStruct(outputs));
  } finally {
    await log.sent();
    monitor.close();
  }
}

/** Registers children one after the other, each with a dependency on the one before it. */
function childrenOf(
  parent: string,
  request: ConstructRequest,
  monitor: ResourceMonitor,
  signal: AbortSignal | undefined,
) {
  const provider = request.getProvidersMap().get("monitoring") ?? "";
  const ofInputs = [...request.getInputdependenciesMap().entries()].flatMap(([, urns]) => urns.getUrnsList());
  let previous: string[] = [];
  return async (type: string, name: string, inputs: Wire) => {
    signal?.throwIfAborted();
    const dependencies = [...new Set([...ofInputs, ...previous])];
    const { urn, outputs } = await monitor.registerChild(type, name, inputs, {
      parent,
      provider,
      dependencies,
    });
    previous = [urn];
    return outputs;
  };
}
