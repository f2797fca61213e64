/** Tests `monitoring audit --all`: each channel that the service lists is audited, or the report lists it as not evaluable. */
import { readFileSync } from "node:fs";
import { channel as sound } from "../../audit/channels";
import { notFound, send, serve, type Respond } from "../../client/services";
import { audit, writeTemporaryFile, parseReport, silence } from "../running";

const channel = (id: number, more: object = {}) => ({
  ...sound({ id, config: { address: `ops${id}@acme.io` } }),
  ...more,
  id,
});
const channels = (count: number) => Array.from({ length: count }, (_, index) => channel(index + 1));

/** Starts a service that lists these channels and returns each of them by its ID. */
async function serveChannels(all: readonly { id: number }[], before?: Respond) {
  const service = await serve((response, request, turn) => {
    before?.(response, request, turn);
    if (response.writableEnded) return;
    const { pathname, searchParams } = new URL(request.url, "http://a");
    const id = Number(pathname.split("/")[3]);
    if (id) send(response, channel(id));
    else {
      const [limit, page] = [Number(searchParams.get("limit")), Number(searchParams.get("page"))];
      response.setHeader("content-range", `0-9/${all.length}`);
      send(response, all.slice((page - 1) * limit, page * limit));
    }
  });
  return { ...service, environment: { MONITORING_BASE_URL: service.url, MONITORING_API_KEY: "mon_key" } };
}

const json = async (args: readonly string[], environment: Record<string, string>) => {
  const { code, stdout, stderr } = await audit([...args, "--format", "json"], environment);
  return { code, stderr, report: stdout === "" ? undefined : parseReport(stdout) };
};

test("an API key suffices for a report without a rule file, which uses the preset recommended", async () => {
  const { environment, requests } = await serveChannels(channels(230));
  const { code, report } = await json(["--all"], environment);
  expect([code, report?.preset, report?.counts.channels]).toEqual([0, "recommended", 230]);
  expect(requests).toHaveLength(5);
});

test("--init writes a rule file that gives each channel a unique name that isn't an ID, and reveals no credential", async () => {
  const hook = { url: "https://hooks.slack.com/services/T1/B1/canarycanarycanary" };
  const sms = (id: number, name: string) => channel(id, { type: "SMS", config: { name } });
  const all = [
    ...["ops@acme.io", "OPS@acme.io"].map((address, index) => channel(index + 1, { config: { address } })),
    channel(3, { type: "SLACK", config: { ...hook, channel: hook.url } }),
    ...[sms(4, "foo-6"), sms(5, "foo"), sms(6, "foo"), sms(7, "4106")],
  ];
  const { environment } = await serveChannels(all);
  const written = await audit(["--init"], environment);
  expect(written.stdout).toContain("It contains the 7 channels of the account. Run `monitoring audit`.\n");
  const file = readFileSync("audit.yaml", "utf8");
  const names = ["ops-acme-io", "ops-acme-io-2", "slack", "foo-6", "foo", "foo-6-6", "sms-4106"];
  const named = names.map((name, index) => `  ${name}: ${index + 1}\n`).join("");
  expect(file).toContain("allChannels: true\n");
  expect(file).toContain(`channels:\n${named}`);
  expect((await json([], environment)).report?.counts.channels).toBe(7);
});

test("--init uses the configured channels if the service has no list", async () => {
  const { environment } = await serveChannels([], (response) => send(response, notFound, 404));
  const { stdout } = await audit(["--init"], { ...environment, MONITORING_ALERT_CHANNELS: '{"ops": 7}' });
  expect(stdout).toBe(
    "Wrote audit.yaml. The service doesn't list alert channels, or MONITORING_BASE_URL is wrong. " +
      "It contains the 1 channel in MONITORING_ALERT_CHANNELS. Run `monitoring audit`.\n",
  );
  expect(readFileSync("audit.yaml", "utf8")).toContain("by name.\nchannels:\n  ops: 7\n");
});

const failing =
  (status: number, path = ""): Respond =>
  (response, { url }) => {
    if (url.includes(path)) send(response, { ...notFound, statusCode: status }, status);
  };

test("--all with a service that has no list exits with code 2 and suggests an alternative", async () => {
  const { environment } = await serveChannels([], failing(404));
  const { code, stdout, stderr } = await audit(["--all"], environment);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(
    "This service doesn't list alert channels (GET /v1/alert-channels). Add their IDs",
  );
});

test.each([
  [404, "listAlertChannels: the next page was not found (HTTP 404)"],
  [403, "listAlertChannels: permission denied (HTTP 403)"],
])("a list with HTTP %d on a later page exits with code 3 and the reason", async (status, reason) => {
  const { environment } = await serveChannels(channels(230), failing(status, "page=2"));
  const late = writeTemporaryFile(`${silence}channels: { late: 229 }\n`);
  const { code, report } = await json(["--all", "--rules", late], environment);
  expect([code, report?.counts.blocking]).toEqual([3, 1]);
  const read = "the list couldn't be read completely (100 channels read). ";
  expect(report?.notEvaluable[0]?.reason).toContain(read + reason);
});

test("a channel that doesn't match the API isn't evaluable, and doesn't hide other channels", async () => {
  const { environment } = await serveChannels([channel(1, { type: 5 }), channel(2)]);
  const { code, report } = await json(["--all", "--rules", writeTemporaryFile(silence)], environment);
  expect([code, report?.counts.channels]).toEqual([3, 1]);
  const reason: unknown = expect.stringMatching(/^these fields don't match the API: type\. Save/);
  expect(report?.notEvaluable).toMatchObject([{ channel: { id: 1 }, reason }]);
});

test("a channel that the list shows only in part is read by its ID, even if all of its settings are missing", async () => {
  const webhook = channel(4, { type: "WEBHOOK", config: { url: "https://acme.io/in" } });
  const listed = [
    channel(1),
    channel(2, { config: undefined }),
    channel(3, { subscriptions: null }),
    webhook,
  ];
  const { environment, requests } = await serveChannels(listed, (response, { url }) => {
    if (url.endsWith("/2")) send(response, channel(2, { config: { address: "" } }));
  });
  const rules = writeTemporaryFile(
    "rules: { empty-target: error, subscribed: error, credential-reference: error }\n",
  );
  const { code, report } = await json(["--all", "--rules", rules], environment);
  const found = { notEvaluable: [], findings: [{ rule: "empty-target" }] };
  expect({ code, report }).toMatchObject({ code: 1, report: found });
  const reads = requests.flatMap(({ url }) => (url.includes("?") ? [] : url));
  // No webhook in the list contains headers, because a list may omit them.
  expect(reads.sort()).toEqual([2, 3, 4].map((id) => `/v1/alert-channels/${id}`));
});

const settings = { template: "", headers: [], queryParameters: [], webhookSecret: "" };
const { template, ...others } = settings;
const hook = (id: number, shown: object = {}) =>
  channel(id, { type: "WEBHOOK", config: { url: "https://acme.io/in", ...shown } });
const mail = channel(2, { config: { address: "ops@acme.io", ...settings } });

test.each<[what: string, listed: { id: number }[], read: number[]]>([
  ["none, where the webhooks show each setting", [hook(1, { template }), hook(2, others)], []],
  ["each, where no webhook shows one of them", [hook(1, others), hook(2)], [1, 2]],
  ["each, where others show them", [hook(1), mail], [1]],
])("an audit of all webhooks reads separately %s", async (_, listed, read) => {
  const { environment, requests } = await serveChannels(listed);
  await audit(
    ["--all", "--rules", writeTemporaryFile("rules: { credential-reference: error }\n")],
    environment,
  );
  const reads = requests.flatMap(({ url }) => (url.includes("?") ? [] : url));
  expect(reads.sort()).toEqual(read.map((id) => `/v1/alert-channels/${id}`));
});

test("unlisted-channel finds a channel that the rules don't name, and a named channel that is missing from the list isn't evaluable", async () => {
  const { environment } = await serveChannels(channels(2));
  const rules = "rules: { unlisted-channel: warning }\nallChannels: true\nchannels: { ops: 1, old: 99 }\n";
  const { code, report } = await json(["--rules", writeTemporaryFile(rules)], environment);
  expect(code).toBe(3);
  expect(report?.findings).toMatchObject([{ rule: "unlisted-channel", channel: { id: 2 } }]);
  const reason: unknown = expect.stringMatching(/^the service doesn't list the channel, /);
  expect(report?.notEvaluable).toMatchObject([{ rule: "channel-read", channel: { name: "old" }, reason }]);
});

test("--channel limits a rule file for all channels", async () => {
  const { environment, requests } = await serveChannels(channels(3));
  await audit(
    ["--rules", writeTemporaryFile(`${silence}allChannels: true\n`), "--channel", "2"],
    environment,
  );
  expect(requests.map(({ url }) => url)).toEqual(["/v1/alert-channels/2"]);
});
