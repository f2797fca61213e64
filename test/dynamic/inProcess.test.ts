/** A dynamic provider in this process: the engine waits neither for `configure`, nor for a `check` after a policy changed inputs. */
import { Config } from "@pulumi/pulumi/cmd/dynamic-provider/config";
import { wellKnown } from "../../sandbox";
import { createProviders } from "../../provider/dynamic/dynamicProvider";
import { sandboxForEachTest } from "../lifecycles/phases";

const incidentId = wellKnown.statusPageIncidents.checkoutLatency;
const sandbox = sandboxForEachTest();

const settings = () => ({
  "monitoring:baseUrl": sandbox().url,
  "monitoring:accountId": sandbox().accountId,
  "monitoring:apiKey": sandbox().apiKey,
});

const fifty = Array.from({ length: 50 }, (_, index) => index);

it("configures 50 concurrent calls before it returns", async () => {
  const channelId = String(wellKnown.alertChannels.onCall);
  const provider = createProviders().AlertChannel;
  const configured = provider.configure({ config: new Config(settings(), "test") });
  const created = await Promise.all(fifty.map(() => provider.create({ channelId })));
  await configured;
  expect(created.map(({ id }) => id)).toEqual(fifty.map(() => channelId));
  expect(new Set(sandbox().requests.map(({ account }) => account))).toEqual(new Set([sandbox().accountId]));
});

it("reports configuration problems to each of 50 calls, without a request", async () => {
  const provider = createProviders().IncidentUpdate;
  const wrong = { ...settings(), "monitoring:apiKey": "canary key", "monitoring:deadlineMs": "soon" };
  const configured = provider.configure({ config: new Config(wrong, "test") });
  const words = { incidentId, status: "MONITORING", description: "We watch it." };
  const results = await Promise.allSettled([
    ...fifty.map(() => provider.create(words)),
    ...fifty.map(() => provider.read(`${incidentId}/u1`, {})),
  ]);
  await expect(configured).resolves.toBeUndefined();
  const errors = results.map((result) => (result.status === "rejected" ? String(result.reason) : "it ran"));
  const [message, ...others] = new Set(errors);
  expect(others).toEqual([]);
  expect(message).toContain("monitoring:apiKey must be printable ASCII");
  expect(message).toContain("monitoring:deadlineMs must be a whole number");
  expect(message).not.toContain("canary");
  const { failures = [] } = await provider.check({}, words);
  const settingsOf = failures.map(({ reason }) => reason.split(" ")[0]);
  expect(settingsOf).toEqual(["monitoring:apiKey", "monitoring:deadlineMs"]);
  expect(sandbox().requests).toEqual([]);
});

it("returns what a preview finds wrong to the program, because an error would stop it before the next resource", async () => {
  const provider = createProviders().AlertChannel;
  await provider.configure({ config: new Config(settings(), "test") });
  const { inputs } = await provider.check({}, { channelId: "999", __preview: {} });
  expect(inputs).toMatchObject({ __problem: expect.stringMatching(/^AlertChannel 999: not found in /) });
});

describe("a policy that changes an update after its check", () => {
  const words = { incidentId, status: "MONITORING", description: "We watch it.", __resource: "found" };
  const changed = { description: "We watch it. Sorry.", notifySubscribers: true };
  const refused = /"found": description, notifySubscribers changed after the check, probably by a policy/;

  async function configured() {
    const provider = createProviders().IncidentUpdate;
    const config = new Config({ ...settings(), "monitoring:deadlineMs": "2000" }, "test");
    await provider.configure({ config });
    const check = async (olds: object): Promise<Record<string, unknown>> => {
      const { inputs, failures } = await provider.check({ ...olds }, words);
      return { ...inputs, ...(failures?.length && { failures }) };
    };
    return { provider, check };
  }

  it("posts no new one, and no other one in the place of one that may be public", async () => {
    const { provider, check } = await configured();
    await expect(provider.create({ ...(await check({})), ...changed })).rejects.toThrow(refused);
    sandbox().faults.add({ kind: "reset", operation: "createIncidentUpdate" });
    const lost = await provider.create(await check({})).catch((error: unknown) => error);
    const { id, properties } = lost as { id: string; properties: Record<string, unknown> };
    const news = { ...(await check(words)), ...changed };
    await expect(provider.diff(id, properties, news)).rejects.toThrow(refused);
  });

  it("changes only the state of one that is public, and posts one that it doesn't change", async () => {
    const { provider, check } = await configured();
    const { id, outs } = await provider.create({ ...(await check({})), tags: { owner: "Ana" } });
    const news = { ...(await check(words)), notifySubscribers: true };
    expect(await provider.diff(id, outs ?? {}, news)).toEqual({ changes: true, replaces: [] });
    await provider.update(id, outs ?? {}, news);
    expect(sandbox().requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});
