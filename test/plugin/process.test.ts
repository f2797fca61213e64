/** The plugin's process, as the engine calls it: its functions, and the signals by which it ends. */
import { ConfigureRequest, InvokeRequest, type InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { PluginProvider } from "../../plugin/pluginProvider";
import { readStruct, writeStruct } from "../../plugin/wire";
import { wellKnown } from "../../sandbox";
import { prepareBuild } from "../../tools/setup";
import { until } from "../client/services";
import { plugin } from "../driver/adapters";
import { configOf } from "../driver/drivenProject";
import { ProviderProcess } from "../driver/provider";
import { Service, words } from "../engine/service";

const service = new Service();
const NODE_OPTIONS = `--require ${JSON.stringify(require.resolve("../sigbreak"))}`;

beforeAll(prepareBuild);

it.each<[string, NodeJS.Signals]>([
  ["SIGINT", "SIGINT"],
  ["SIGTERM", "SIGTERM"],
  ["SIGBREAK", "SIGUSR2"],
])("after %s, the engine still hears what became of a post that hangs", async (_, signal) => {
  const provider = await ProviderProcess.start(configOf(service.sandbox), {
    adapter: plugin,
    env: { NODE_OPTIONS },
  });
  service.sandbox.faults.add({ kind: "hang", applied: true, operation: "createIncidentUpdate", times: 1 });
  const urn = `urn:pulumi:test::test::${plugin.typeOf("IncidentUpdate")}::update`;
  const { inputs } = await provider.check(urn, {}, { ...words });
  const created = provider.create(urn, inputs).catch((error: unknown) => error);
  await until(() => service.posts.length > 0);
  await provider.end(signal);
  expect(await created).toMatchObject({
    id: expect.stringMatching(/\/update-[0-9a-f]{16}$/),
    message: expect.stringContaining("may or may not have been applied"),
  });
});

describe("a function", () => {
  const { legacyHook } = wellKnown.alertChannels;

  async function invoke(name: string, args: Record<string, unknown>) {
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
    const request = new InvokeRequest().setTok(`monitoring:index:${name}`).setArgs(writeStruct(args));
    return readStruct((await call<InvokeResponse>("invoke", request)).getReturn());
  }

  it("returns plain results, and secrets only when credentials are revealed", async () => {
    const { values, secrets } = await invoke("getAlertChannel", { id: legacyHook });
    expect(values).toMatchObject({ id: legacyHook, config: { url: { scheme: "http" } } });
    expect(secrets).toEqual(new Set());
    const revealed = await invoke("getAlertChannel", { id: legacyHook, revealCredentials: true });
    expect(revealed.values).toMatchObject({ config: { url: expect.stringMatching(/^http:/) } });
    expect([...revealed.secrets]).toEqual(Object.keys(revealed.values));
  });

  it.each(["getChannel", "constructor"])("%s is none of them", async (name) => {
    await expect(invoke(name, {})).rejects.toThrow(
      `pulumi-monitoring-service has no function monitoring:index:${name}.`,
    );
  });
});
