/** An `AlertChannelAudit` of all channels: it reads the list once, with the data sources of its program. */
import { alertChannelAudit } from "../../audit/sources";
import { Connections } from "../../provider/connection";
import { lookups, runLookup } from "../../provider/lookups";
import { apiKey, send, serve } from "../client/services";
import { channel, silence } from "./channels";

async function programOf(all: readonly object[], status = 200) {
  const service = await serve((response, { url }) => {
    response.setHeader("content-range", `*/${all.length}`);
    send(response, url.endsWith("&page=1") ? all : [], status);
  });
  const connections = new Connections(undefined, {
    ...{ MONITORING_API_KEY: apiKey, MONITORING_BASE_URL: service.url },
    MONITORING_ALERT_CHANNELS: '{"ops": 1}',
  });
  const warnings: string[] = [];
  const run = { connections, warn: (text: string) => void warnings.push(text) };
  const audit = (inputs: object) => alertChannelAudit("channels", inputs, run);
  return { audit, connections, warnings, service };
}

const listed = [channel({ id: 1 }), channel({ id: 2, sendFailure: false })];

test("audits what nobody named, with names as labels", async () => {
  const { audit, connections, service } = await programOf(listed);
  const { findings, channels } = await audit({ allChannels: true, rules: silence, enforcement: "advisory" });
  expect(channels).toMatchObject([
    { id: 1, name: "ops" },
    { id: 2, title: "ops@acme.example" },
  ]);
  expect(findings).toMatchObject([{ rule: "send-failure", channel: { id: 2 } }]);
  await audit({ rules: { ...silence, allChannels: true }, enforcement: "advisory" });
  await runLookup(lookups.getAlertChannels, { all: true }, { connections });
  expect(service.requests.filter(({ url }) => url.endsWith("?limit=100&page=1"))).toHaveLength(2);
});

test("fails if the list can't be read", async () => {
  const { audit } = await programOf([], 403);
  await expect(audit({ allChannels: true })).rejects.toThrow(
    "the list couldn't be read whole: 0 channels were read",
  );
});

test("says what to do where the service has no list", async () => {
  const { audit } = await programOf([], 404);
  await expect(audit({ allChannels: true })).rejects.toThrow("This service doesn't list alert channels");
});

test.each([
  [{ allChannels: "yes" }, "allChannels must be true or false"],
  [{ allChannels: true, channels: [1] }, "channels, allChannels are mutually exclusive"],
])("%j is a mistake", async (inputs, message) => {
  const { audit, service } = await programOf(listed);
  await expect(audit(inputs)).rejects.toThrow(message);
  expect(service.requests).toEqual([]);
});
