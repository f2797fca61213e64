/**
 * Constructs the plugin's components, which do the same work as the SDK's classes, for programs in every language. Calls the engine's
 * resource monitor directly, because the runtime of @pulumi/pulumi stores the monitor, the stack and its configuration in global state, and
 * a plugin constructs several components concurrently.
 */
import { type ServiceError } from "@grpc/grpc-js";
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  type RegisterResourceResponse,
  Result,
} from "@pulumi/pulumi/proto/resource_pb";
import { InvalidInputError, MonitoringError } from "../provider/client";
import { formatEntryName, isUnknown, getNativeToken, programInput, unknownValue } from "../provider/engine";
import { type Context, toDeclaredInputs, lifecycles, type Properties } from "../provider/lifecycles";
import { parseKeys, computeKeys, notEntries, findRepetition } from "../provider/lifecycles/timeline";
import { lookups, runLookup } from "../provider/lookups";
import { formatOpenIncidents } from "../provider/lookups/lookupErrors";
import { grpc } from "./grpcLibrary";
import { readObjects, readStruct, type Wire, writeStruct } from "./wire";

/** Constructs the component that the engine requests. @param createContext Returns the context of the component with this URN. */
export async function construct(
  request: ConstructRequest,
  createContext: (urn: string) => Context,
): Promise<ConstructResponse> {
  const name = request.getType().split(":").at(-1) ?? "";
  const component = Object.hasOwn(components, name) ? components[name] : undefined;
  if (!component)
    throw new MonitoringError(`pulumi-monitoring-service has no component ${request.getType()}.`);
  const monitor = new ResourceMonitor(request.getMonitorendpoint());
  try {
    const { urn } = await monitor.register(createComponentRequest(request));
    const context = createContext(urn);
    const outputs = await component({
      name: request.getName(),
      inputs: readStruct(request.getInputs()),
      getObjects: (input) => readObjects(request.getInputs(), input),
      context,
      register: createChildRegistrar(urn, request, monitor, context.signal),
    });
    await monitor.registerOutputs(urn, outputs);
    return new ConstructResponse().setUrn(urn).setState(writeStruct(outputs));
  } finally {
    monitor.close();
  }
}

function createChildRegistrar(
  parent: string,
  request: ConstructRequest,
  monitor: ResourceMonitor,
  signal: AbortSignal | undefined,
) {
  const provider = request.getProvidersMap().get("monitoring") ?? "";
  const ofInputs = [...request.getInputdependenciesMap().entries()].flatMap(([, urns]) => urns.getUrnsList());
  let previous: string[] = [];
  return async (name: string, { values, secrets }: Wire) => {
    signal?.throwIfAborted();
    const child = createRequest(getNativeToken("IncidentUpdate"), name, parent)
      .setCustom(true)
      .setObject(writeStruct(values, secrets))
      .setProvider(provider)
      .setDependenciesList([...new Set([...ofInputs, ...previous])]);
    const { urn, outputs } = await monitor.register(child);
    previous = [urn];
    return outputs;
  };
}

/** Does the work of a component that a program declares, and returns its outputs. */
type Component = (declared: {
  readonly name: string;
  readonly inputs: Wire;
  /** Returns the objects in an input; undefined if the input isn't a list of objects. */
  readonly getObjects: (input: string) => readonly Wire[] | undefined;
  readonly context: Context;
  /** Registers an update as a child of the component. Each update depends on the previous one. */
  readonly register: (name: string, inputs: Wire) => Promise<Properties>;
}) => Promise<Properties>;

const incidentTimeline: Component = async ({ name, inputs, getObjects, context, register }) => {
  const { updates, ...common } = inputs.values;
  if ([updates].flat().includes(unknownValue)) return { incidentUpdateIds: unknownValue };
  const entries = getObjects("updates");
  const title = `IncidentTimeline ${JSON.stringify(name)}`;
  if (!entries) throw new MonitoringError(`${title}: ${notEntries}`);
  const names = parseKeys(
    entries.map(({ values, secrets }) => (secrets.has("key") ? { key: secrets } : values)),
    (reason) => new InvalidInputError(title, [{ property: "updates", reason }]),
  );
  assertValid(title, common, entries, names, context);
  const keys = mapIfKnown(entries, computeKeys);
  const incidentUpdateIds: unknown[] = [];
  for (const [index, { values: given, secrets }] of entries.entries()) {
    const { key: _, ...values } = given;
    const key = names[index] ?? "";
    const place = typeof keys === "string" ? keys : { keys, index };
    const marked = [...inputs.secrets, ...secrets].filter((secret) => secret !== "updates");
    if (entries.some((entry) => entry.secrets.size > 0)) marked.push(programInput);
    const wire = {
      values: { ...common, ...values, [programInput]: { place, key } },
      secrets: new Set(marked),
    };
    const outputs = await register(formatEntryName(name, key), wire);
    incidentUpdateIds.push(outputs["incidentUpdateId"] ?? unknownValue);
  }
  return { incidentUpdateIds };
};

/** Checks all entries before the first one is posted. @throws InvalidInputError with all problems. */
function assertValid(
  title: string,
  common: Properties,
  entries: readonly Wire[],
  names: readonly string[],
  context: Context,
): void {
  const { IncidentUpdate } = lifecycles;
  const problems = entries.flatMap(({ values: { key: _, ...values } }, index) => {
    const program = { place: "unknown", key: names[index] } as const;
    const quiet: Context = { ...context, program, notice: () => undefined };
    return IncidentUpdate.check(toDeclaredInputs({ ...common, ...values }), {}, quiet).problems.map(
      ({ property, reason }) => {
        const isCommon = property in common || property === "incidentId" || property === "account";
        return { property: isCommon ? property : `updates[${index}].${property}`, reason };
      },
    );
  });
  const repetition = findRepetition(entries.map(({ values }) => (isUnknown(values) ? {} : values)));
  if (repetition !== undefined) problems.push({ property: "updates", reason: repetition });
  const different = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  if (different.size > 0) throw new InvalidInputError(title, [...different.values()]);
}

/** Computes a result from the values of entries. The result is unknown until all values are known. */
function mapIfKnown<T>(entries: readonly Wire[], make: (entries: readonly Properties[]) => T): T | string {
  const values = entries.map((entry) => entry.values);
  return isUnknown(values) ? unknownValue : make(values);
}

export const components: Readonly<Record<string, Component>> = {
  async AlertChannelAudit({ name, inputs: { values }, context }) {
    if (isUnknown(values)) {
      context.notice("Some arguments aren't known yet. `pulumi up` audits the channels.");
      return { findings: unknownValue, counts: unknownValue };
    }
    const { runAlertChannelAudit } = await import("../audit/sources");
    const { findings, counts } = await runAlertChannelAudit(name, values, context);
    return { findings, counts, report: values["report"] };
  },
  IncidentTimeline: incidentTimeline,
  async OpenIncidentGate({ name, inputs: { values }, context }) {
    if (isUnknown(values)) {
      context.notice("Some arguments aren't known yet. `pulumi up` checks the open incidents.");
      return {};
    }
    const { incidents } = await runLookup(lookups.getOpenIncidents, values, {
      ...context,
      caller: `OpenIncidentGate ${JSON.stringify(name)}`,
    });
    if (incidents.length > 0) throw new MonitoringError(formatOpenIncidents(name, incidents));
    return {};
  },
};

/** Client of the engine's resource monitor, with which a component registers itself and its children. */
class ResourceMonitor {
  readonly #client: ResourceMonitorClient;

  constructor(address: string) {
    this.#client = new ResourceMonitorClient(address, grpc.credentials.createInsecure(), {
      "grpc.max_receive_message_length": -1,
    });
  }

  /** Registers a resource. @throws MonitoringError if the resource failed. The engine has already printed the reason. */
  async register(request: RegisterResourceRequest) {
    const response = await promisifyCall<RegisterResourceResponse>((done) =>
      this.#client.registerResource(request, done),
    );
    if (response.getResult() === Result.FAIL)
      throw new MonitoringError(`${request.getName()} failed. No resource that depends on it was changed.`);
    return { urn: response.getUrn(), outputs: readStruct(response.getObject()).values };
  }

  async registerOutputs(urn: string, outputs: Properties): Promise<void> {
    const request = new RegisterResourceOutputsRequest().setUrn(urn).setOutputs(writeStruct(outputs));
    await promisifyCall((done) => this.#client.registerResourceOutputs(request, done));
  }

  close(): void {
    this.#client.close();
  }
}

/** Returns the request that registers the component, with the options that the program set. */
function createComponentRequest(component: ConstructRequest): RegisterResourceRequest {
  const request = createRequest(component.getType(), component.getName(), component.getParent())
    .setDependenciesList(component.getDependenciesList())
    .setAliasesList(component.getAliasesList())
    .setAliasspecs(true)
    .setDeletedwith(component.getDeletedwith());
  if (component.hasProtect()) request.setProtect(component.getProtect() ?? false);
  if (component.hasRetainondelete()) request.setRetainondelete(component.getRetainondelete() ?? false);
  for (const [name, provider] of component.getProvidersMap().entries())
    request.getProvidersMap().set(name, provider);
  return request;
}

function createRequest(type: string, name: string, parent: string): RegisterResourceRequest {
  return new RegisterResourceRequest()
    .setType(type)
    .setName(name)
    .setParent(parent)
    .setAcceptsecrets(true)
    .setSupportsresultreporting(true);
}

function promisifyCall<Response>(
  call: (done: (error: ServiceError | null, response: Response) => void) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    call((error, response) =>
      error ? reject(new MonitoringError(`Pulumi's engine: ${error.details}`)) : resolve(response),
    );
  });
}
