/**
 * Tests the plugin's process as the engine calls it: the signals that end it, and its functions. test/driver/wire.test.ts tests its other
 * calls.
 */
import { getNativeToken } from "../../provider/engine";
import { ConfigureRequest, InvokeRequest, type InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { PluginProvider } from "../../plugin/pluginProvider";
import { readStruct, writeStruct } from "../../plugin/wire";
import { wellKnown } from "../../sandbox";
import { until } from "../client/services";
import { createConfig, plugin } from "../driver/adapters";
import { ProviderProcess } from "../driver/provider";
import { Service, words } from "../engine/service";

const service = new Service();
const NODE_OPTIONS = `--require ${JSON.stringify(require.resolve("../sigbreak"))}`;

const urn = `urn:pulumi:test::test::${getNativeToken("IncidentUpdate")}::update`;

it.each<[string, NodeJS.Signals]>([
  ["SIGTERM", "SIGTERM"],
  ["SIGBREAK", "SIGUSR2"],
])("the engine receives the result of a post that hangs after %s", async (_, signal) => {
  const provider = await ProviderProcess.start(createConfig(service.sandbox), {
    adapter: plugin,
    env: { NODE_OPTIONS },
  });
  service.sandbox.faults.add({ kind: "hang", applied: true, operation: "createIncidentUpdate", times: 1 });
  const { inputs } = await provider.check(urn, {}, { ...words });
  const created = provider.create(urn, inputs).catch((error: unknown) => error);
  await until(() => service.posts.length > 0);
  await provider.end(signal);
  expect(await created).toMatchObject({
    id: expect.stringMatching(/\/update-[0-9a-f]{16}$/),
    message: expect.stringContaining("may have been created"),
  });
});

/** Configures a plugin in this process. @returns a function that calls a method */
async function configured() {
  const { handlers } = new PluginProvider(undefined);
  const handlersByName = new Map<string, unknown>(Object.entries(handlers));
  const call = <Response>(name: string, request: object): Promise<Response> =>
    new Promise((resolve, reject) => {
      const handler = handlersByName.get(name);
      const respond = (error: object | null, response: Response) =>
        error ? reject(Object.assign(new Error(), error)) : resolve(response);
      if (typeof handler === "function") Reflect.apply(handler, undefined, [{ request }, respond]);
    });
  const { url: baseUrl, apiKey } = service.sandbox;
  await call("configure", new ConfigureRequest().setArgs(writeStruct({ baseUrl, apiKey })));
  return call;
}

describe("a function", () => {
  const { legacyHook } = wellKnown.alertChannels;

  async function invoke(name: string, args: Record<string, unknown>) {
    const call = await configured();
    const request = new InvokeRequest().setTok(`monitoring:index:${name}`).setArgs(writeStruct(args));
    return readStruct((await call<InvokeResponse>("invoke", request)).getReturn());
  }

  it("a function returns plain results, and secrets only if credentials are revealed", async () => {
    const { values, secrets } = await invoke("getAlertChannel", { name: "Old ticket system" });
    expect(values).toMatchObject({ id: legacyHook, config: { url: { scheme: "http" } } });
    expect(secrets).toEqual(new Set());
    const revealed = await invoke("getAlertChannel", { channelId: legacyHook, revealCredentials: true });
    expect(revealed.values).toMatchObject({ config: { url: expect.stringMatching(/^http:/) } });
    expect([...revealed.secrets]).toEqual(Object.keys(revealed.values));
  });

  it("the error about a function that doesn't exist contains its name", async () => {
    await expect(invoke("constructor", {})).rejects.toThrow(
      "pulumi-monitoring-service has no function monitoring:index:constructor.",
    );
  });
});
