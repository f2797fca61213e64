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

it("posts nothing if a policy changes an update after its check", async () => {
  const provider = createProviders().IncidentUpdate;
  await provider.configure({ config: new Config(settings(), "test") });
  const words = { incidentId, status: "MONITORING", description: "We watch it.", __resource: "found" };
  const { inputs } = await provider.check({}, words);
  const remediated = { ...inputs, description: "We watch it. Sorry.", notifySubscribers: true };
  const refused = /"found": description, notifySubscribers changed after the check, probably by a policy/;
  await expect(provider.create(remediated)).rejects.toThrow(refused);
  await expect(provider.update(`${incidentId}/u1`, inputs ?? {}, remediated)).rejects.toThrow(refused);
  expect(sandbox().requests).toEqual([]);
});
