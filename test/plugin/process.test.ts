/** The plugin's process, as the engine calls it: the signals by which it ends, a secret in the state that it returns, and its functions. */
import { getNativeToken, programInput, signatureKey, unknownValue } from "../../provider/engine";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  CreateRequest,
  type CreateResponse,
  DiffRequest,
  DiffResponse,
  InvokeRequest,
  type InvokeResponse,
  UpdateRequest,
  type UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { PluginProvider } from "../../plugin/pluginProvider";
import { readStruct, writeStruct } from "../../plugin/wire";
import { wellKnown } from "../../sandbox";
import { until } from "../client/services";
import { createConfig, plugin } from "../driver/adapters";
import { PartialFailure } from "../driver/call";
import { ProviderProcess } from "../driver/provider";
import { incidentId, Service, words } from "../engine/service";

const service = new Service();
const NODE_OPTIONS = `--require ${JSON.stringify(require.resolve("../sigbreak"))}`;

const urn = `urn:pulumi:test::test::${getNativeToken("IncidentUpdate")}::update`;

it.each<[string, NodeJS.Signals]>([
  ["SIGTERM", "SIGTERM"],
  ["SIGBREAK", "SIGUSR2"],
])("the engine receives after %s the result of a post that hangs", async (_, signal) => {
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

it("the plugin keeps the description of an unconfirmed update secret when the program now declares a plain one", async () => {
  const { url, accountId } = service.sandbox;
  // The search for the update fails only at the deadline.
  const env = { MONITORING_DEADLINE_MS: "1000" };
  const provider = await ProviderProcess.start(createConfig(service.sandbox), { adapter: plugin, env });
  const { inputs } = await provider.check(urn, {}, { ...words });
  const description = { [signatureKey]: "1b47061264138c4ac30d75fd1eb44270", value: "We were breached." };
  const origin = { host: new URL(url).host, path: "/", accountId };
  const record = { version: 1, sent: { ids: [], nonce: "sent", at: 0, isTextSecret: true } };
  const old = { ...inputs, description, missing: false, origin, record };
  const failed: unknown = await provider
    .update(urn, `${incidentId}/update-1`, old, inputs)
    .catch((error: unknown) => error);
  await provider.end();
  expect(failed).toBeInstanceOf(PartialFailure);
  expect(failed).toMatchObject({ outputs: { ...old, description } });
});

/** A configured plugin of this process. @returns calls a method. */
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

it("the plugin returns the problems of a preview to a program that collects them, even if an argument is unknown", async () => {
  const call = await configured();
  const of = `urn:pulumi:test::test::${getNativeToken("AlertChannel")}::channel`;
  const inputs = { channelId: "999", expect: unknownValue };
  const news = writeStruct({ ...inputs, [programInput]: { collects: true } });
  await call("check", new CheckRequest().setUrn(of).setNews(news));
  const problem = { [programInput]: { problem: expect.stringMatching(/^AlertChannel 999: not found in /) } };
  const create = new CreateRequest().setUrn(of).setProperties(writeStruct(inputs)).setPreview(true);
  const created = await call<CreateResponse>("create", create);
  expect(readStruct(created.getProperties()).values).toMatchObject(problem);
  const update = new UpdateRequest().setUrn(of).setId("999").setNews(writeStruct(inputs)).setPreview(true);
  const updated = await call<UpdateResponse>("update", update);
  expect(readStruct(updated.getProperties()).values).toMatchObject(problem);
  // One in another language doesn't collect it.
  await call("check", new CheckRequest().setUrn(`${of}-2`).setNews(writeStruct(inputs)));
  await expect(call("create", create.setUrn(`${of}-2`))).rejects.toThrow("not found in");
});

it("the plugin returns rejected changes to a program that collects them, so that a preview names all of them", async () => {
  const call = await configured();
  const origin = { host: new URL(service.sandbox.url).host, path: "/", accountId: service.sandbox.accountId };
  const record = { version: 1, posted: { written: "w" } };
  const outputs = { ...words, incidentUpdateId: "u", origin, missing: false, record };
  const [olds, id] = [writeStruct(outputs), `${incidentId}/u`];
  const news = writeStruct({ ...words, description: "All is well.", [programInput]: { collects: true } });
  const check = new CheckRequest()
    .setUrn(urn)
    .setOlds(writeStruct({ ...words }))
    .setNews(news);
  const inputs = (await call<CheckResponse>("check", check)).getInputs();
  const diff = await call<DiffResponse>(
    "diff",
    new DiffRequest().setUrn(urn).setId(id).setOlds(olds).setNews(inputs),
  );
  expect(diff.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_SOME);
  const update = new UpdateRequest().setUrn(urn).setId(id).setOlds(olds).setNews(inputs).setPreview(true);
  const updated = await call<UpdateResponse>("update", update);
  const problem = expect.stringContaining("description must not change");
  expect(readStruct(updated.getProperties()).values).toMatchObject({ [programInput]: { problem } });
});

describe("a function", () => {
  const { legacyHook } = wellKnown.alertChannels;

  async function invoke(name: string, args: Record<string, unknown>) {
    const call = await configured();
    const request = new InvokeRequest().setTok(`monitoring:index:${name}`).setArgs(writeStruct(args));
    return readStruct((await call<InvokeResponse>("invoke", request)).getReturn());
  }

  it("a function returns plain results, and secrets only when credentials are revealed", async () => {
    const { values, secrets } = await invoke("getAlertChannel", { name: "Old ticket system" });
    expect(values).toMatchObject({ id: legacyHook, config: { url: { scheme: "http" } } });
    expect(secrets).toEqual(new Set());
    const revealed = await invoke("getAlertChannel", { channelId: legacyHook, revealCredentials: true });
    expect(revealed.values).toMatchObject({ config: { url: expect.stringMatching(/^http:/) } });
    expect([...revealed.secrets]).toEqual(Object.keys(revealed.values));
  });

  it("a function that doesn't exist is named", async () => {
    await expect(invoke("constructor", {})).rejects.toThrow(
      "pulumi-monitoring-service has no function monitoring:index:constructor.",
    );
  });
});
