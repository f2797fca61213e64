/**
 * Constructs a component. Talks to the engine's resource monitor itself: the runtime of @pulumi/pulumi keeps the monitor, the
 * stack and its configuration in global state, and a plugin constructs several components at a time.
 */
import { InvalidInputError, MonitoringError } from "../provider/client";
import { lifecycles, PlainLifecycle, type Context, type Properties } from "../provider/lifecycles";
import { isUnknown, unknownValue, nativeToken } from "../provider/engine";
import {
  addedInputs,
  entryName,
  followersOf,
  keysOf,
  notEntries,
  occurrenceOfLast,
} from "../provider/lifecycles/timeline";
import { openIncidentGate } from "../provider/lookups";
import { openIncidentsMessage } from "../provider/lookups/lookupErrors";
import { readObjects, readStruct, type Wire, writeStruct } from "./wire";
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { type EngineNotices, ResourceMonitor } from "./engine";

// The components of the plugin: the same work as that of the classes of the SDK, for programs in every language.

/** A component that a program declares. */
interface DeclaredComponent {
  readonly name: string;
  readonly inputs: Wire;
  /** The objects of an input that is a list of them. */
  readonly objectsOf: (input: string) => readonly Wire[] | undefined;
  readonly context: Context;
  readonly warn: (text: string) => void;
  /** Registers a child that depends on the one before it. */
  readonly register: (type: string, name: string, inputs: Wire) => Promise<Properties>;
}

/** Does the work of a component, and returns its outputs. */
type Component = (declared: DeclaredComponent) => Promise<Properties>;

const incidentTimeline: Component = async ({ name, inputs, objectsOf, context, register }) => {
  const { updates, ...common } = inputs.values;
  if ([updates].flat().includes(unknownValue)) return { incidentUpdateIds: unknownValue };
  const entries = objectsOf("updates");
  const title = `IncidentTimeline ${JSON.stringify(name)}`;
  if (!entries) throw new MonitoringError(`${title}: ${notEntries}`);
  assertValid(title, common, entries, context);
  const keys = known(entries, keysOf);
  const incidentUpdateIds: unknown[] = [];
  for (const [index, { values, secrets }] of entries.entries()) {
    const occurrence = known(entries.slice(0, index + 1), occurrenceOfLast);
    const keyAt = (at: number) => (typeof keys === "string" ? keys : keys[at]);
    const followedBy = typeof keys === "string" ? keys : followersOf(keys, index);
    const added = addedInputs(index, occurrence, keyAt, followedBy);
    const marked = [...inputs.secrets, ...secrets].filter((secret) => secret !== "updates");
    if (entries.some((entry) => entry.secrets.size > 0)) marked.push("followedBy", "follows", "entry");
    const outputs = await register(nativeToken("IncidentUpdate"), entryName(name, index), {
      values: { ...common, ...values, ...added },
      secrets: new Set(marked),
    });
    incidentUpdateIds.push(outputs["incidentUpdateId"] ?? unknownValue);
  }
  return { incidentUpdateIds };
};

/** Checks all entries before the first is posted. @throws InvalidInputError with all problems. */
function assertValid(title: string, common: Properties, entries: readonly Wire[], context: Context): void {
  const lifecycle = new PlainLifecycle(lifecycles.IncidentUpdate);
  const quiet: Context = { ...context, notice: () => undefined };
  const problems = entries.flatMap(({ values }, index) =>
    lifecycle.check({}, { ...common, ...values }, quiet).failures.map(({ property, reason }) => {
      const text = `${property} ${reason}`.trim();
      const [field = ""] = text.split(" ", 1);
      const isCommon = field in common || field === "incidentId" || field === "account";
      return {
        property: isCommon ? field : `updates[${index}].${field}`,
        reason: text.slice(field.length + 1),
      };
    }),
  );
  const different = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  if (different.size > 0) throw new InvalidInputError(title, [...different.values()]);
}

/** What is made of entries, once all of them are known. */
function known<T>(entries: readonly Wire[], make: (entries: readonly Properties[]) => T): T | string {
  const values = entries.map((entry) => entry.values);
  return isUnknown(values) ? unknownValue : make(values);
}

/** By name. */
export const components: Readonly<Record<string, Component>> = {
  async AlertChannelAudit({ name, inputs: { values }, context: { connections }, warn }) {
    if (isUnknown(values)) return { findings: unknownValue, counts: unknownValue };
    const { alertChannelAudit } = await import("../audit/sources");
    const run = { connections, warn, runsModules: false };
    const { findings, counts } = await alertChannelAudit(name, values, run);
    return { findings, counts, report: values["report"] };
  },
  IncidentTimeline: incidentTimeline,
  async OpenIncidentGate({ name, inputs: { values }, context }) {
    if (isUnknown(values)) return {};
    await openIncidentGate(values, context, (all) => new MonitoringError(openIncidentsMessage(name, all)));
    return {};
  },
};

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
