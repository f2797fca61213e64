/** The data sources as functions of the plugin. */
import { invokeFunction } from "../../plugin/pluginProvider";
import { Connections } from "../../provider/connection/connections";
import { wellKnown } from "../../sandbox";
import { sandboxForEachTest } from "../lifecycles/phases";

const { legacyHook } = wellKnown.alertChannels;

const service = sandboxForEachTest();
const invoke = (name: string, args: Record<string, unknown>) => {
  const environment = { MONITORING_BASE_URL: service().url, MONITORING_API_KEY: service().apiKey };
  const connections = new Connections(() => undefined, environment);
  return invokeFunction(`monitoring:index:${name}`, args, { connections });
};

it("return plain results, and secrets only when credentials are revealed", async () => {
  const { result, secrets } = await invoke("getAlertChannel", { id: legacyHook });
  expect(result).toMatchObject({ id: legacyHook, config: { url: { scheme: "http" } } });
  expect(secrets).toEqual(new Set());
  const revealed = await invoke("getAlertChannel", { id: legacyHook, revealCredentials: true });
  expect(revealed.result).toMatchObject({ config: { url: expect.stringMatching(/^http:/) } });
  expect([...revealed.secrets]).toEqual(Object.keys(revealed.result));
});

it.each(["getChannel", "constructor"])("%s is none of them", async (name) => {
  await expect(invoke(name, {})).rejects.toThrow(
    `pulumi-monitoring-service has no function monitoring:index:${name}.`,
  );
});
