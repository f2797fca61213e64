/** Simulates the phases of the engine. Each phase uses a new provider and the same sandbox. */
import { stderr } from "node:process";
import { Config } from "@pulumi/pulumi/cmd/dynamic-provider/config";
import type { Sandbox } from "../../sandbox";
import { createProviders, type DynamicProvider } from "../../provider/dynamic/dynamicProvider";
import { programInput, type ResourceType } from "../../provider/engine";
import { Connections } from "../../provider/connection";
import { formatTypeLabel } from "../../provider/wording";
import { Publishing } from "../../provider/publishing";
import { type NoticeText, formatNoticeText } from "../../provider/texts";
import { nobodyListens } from "../client/services";

export type { DynamicProvider };
export type Properties = Record<string, unknown>;

/** The engine's placeholder for an unknown string. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const buildUrn = (name: string) => `urn:pulumi:dev::shop::monitoring:index:IncidentUpdate::${name}`;

/** Returns the inputs that the SDK passes in addition to a resource's arguments. */
export const by = (name: string, more: object = {}) => ({ [programInput]: { urn: buildUrn(name), ...more } });

/** A service that receives no requests. */
export const nowhere = { url: nobodyListens, accountId: "A", apiKey: "unused" };

interface PhaseOptions {
  /** Settings in addition to the service's settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

type Service = Pick<Sandbox, "url" | "accountId" | "apiKey">;

/** Returns the providers of one process at the start of a phase. */
export async function startPhase(
  { url, accountId, apiKey }: Service,
  { settings }: PhaseOptions = {},
): Promise<ReturnType<typeof createProviders>> {
  const providers = createProviders();
  const service = { "monitoring:baseUrl": url, "monitoring:accountId": accountId };
  const config = new Config({ ...service, "monitoring:apiKey": apiKey, ...settings }, "test");
  // The providers of a process share their configuration.
  await providers.IncidentUpdate.configure({ config });
  return providers;
}

/** Returns a provider at the start of a phase. */
export async function phase(
  type: ResourceType,
  service: Service,
  options?: PhaseOptions,
): Promise<DynamicProvider> {
  return (await startPhase(service, options))[type];
}

/** Returns all failures of `check`, by property. If the failure contains no property, the reason contains it. */
export async function getCheckFailures(
  provider: DynamicProvider,
  args: Properties,
): Promise<Record<string, string>> {
  const { failures = [] } = await provider.check({}, { ...by("update"), ...args });
  return Object.fromEntries(
    failures.map(({ property, reason }) => {
      const [name = "", ...rest] = reason.split(" ");
      return property === "" ? [name, rest.join(" ")] : [property, reason];
    }),
  );
}

/** Returns the inputs that `check` returns for a valid declaration. */
export async function checkInputs(provider: DynamicProvider, args: Properties): Promise<Properties> {
  const { inputs = {}, failures } = await provider.check({}, { ...by("update"), ...args });
  expect(failures).toEqual([]);
  return inputs;
}

export async function create(
  provider: DynamicProvider,
  args: Properties,
): Promise<{ id: string; outs: Properties }> {
  const { id, outs = {} } = await provider.create(await checkInputs(provider, args));
  return { id, outs };
}

/** Returns a run's connections to this service. */
export const connectTo = ({ url, accountId, apiKey }: Service) =>
  new Connections(undefined, {
    MONITORING_API_KEY: apiKey,
    MONITORING_BASE_URL: url,
    MONITORING_ACCOUNT_ID: accountId,
  });

/** Returns the context that a run passes to a lifecycle. It throws an error on any failure. */
export function createContext(connections: Connections) {
  const fail = (text: NoticeText): never => {
    throw new Error(formatNoticeText(text));
  };
  return {
    connections,
    publishing: new Publishing(),
    resource: buildUrn("update"),
    title: "IncidentUpdate",
    label: (shownId?: string) => formatTypeLabel("IncidentUpdate", shownId),
    notice: fail,
    warn: fail,
    assertEngineAlive: () => Promise.resolve(),
  };
}

/** Returns the notices that are printed during the work. */
export async function noticesDuring(work: () => unknown): Promise<string[]> {
  const notices: string[] = [];
  const listener = jest.spyOn(stderr, "write").mockImplementation((text) => {
    notices.push(String(text).trim());
    return true;
  });
  try {
    await work();
  } finally {
    listener.mockRestore();
  }
  return notices;
}
