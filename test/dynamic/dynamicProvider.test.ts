/**
 * Tests the dynamic provider: the code in the state, and calls that the engine makes before `configure`. test/run tests a policy that
 * changes inputs.
 */
import { Config } from "@pulumi/pulumi/cmd/dynamic-provider/config";
import * as providers from "../../provider/dynamic";
import { createProviders } from "../../provider/dynamic/dynamicProvider";
import {
  getDynamicToken,
  programInput,
  type ResourceType,
  resourceTypes as all,
  serializedProvider,
} from "../../provider/engine";
import { wellKnown } from "../../sandbox";
import { createConfig } from "../driver/adapters";
import { incidentId, words } from "../engine/service";
import { by, phase } from "../lifecycles/phases";
import { sandboxForEachTest } from "../sandbox/sandboxes";

// test/driver/wire.test.ts tests that the code resolves to a provider.
it("the code of each dynamic provider in the state is the same as in the first release, so that stacks keep working", () => {
  const frozen: Record<ResourceType, string> = {
    AlertChannel: 'exports.handler=()=>require("pulumi-monitoring-service/provider").AlertChannel',
    Incident: 'exports.handler=()=>require("pulumi-monitoring-service/provider").Incident',
    IncidentUpdate: 'exports.handler=()=>require("pulumi-monitoring-service/provider").IncidentUpdate',
    StatusPage: 'exports.handler=()=>require("pulumi-monitoring-service/provider").StatusPage',
  };
  expect(Object.fromEntries(all.map((kind) => [kind, serializedProvider(kind)]))).toEqual(frozen);
  expect(all.map(getDynamicToken)).toEqual(all.map((kind) => `pulumi-nodejs:dynamic/monitoring:${kind}`));
  expect(Object.keys(providers).sort()).toEqual(Object.keys(frozen));
});

const sandbox = sandboxForEachTest();

it("a dynamic provider is configured before it handles calls that arrive earlier", async () => {
  const provider = createProviders().AlertChannel;
  const configured = provider.configure({ config: new Config(createConfig(sandbox()), "test") });
  const channelId = String(wellKnown.alertChannels.onCall);
  const created = await Promise.all([1, 2].map(() => provider.create({ channelId })));
  await configured;
  expect(created.map(({ id }) => id)).toEqual([channelId, channelId]);
  expect(new Set(sandbox().requests.map(({ account }) => account))).toEqual(new Set([sandbox().accountId]));
});

it("a dynamic provider reports its configuration errors to each call, without a request", async () => {
  const wrong = { "monitoring:apiKey": "canary key", "monitoring:deadlineMs": "soon" };
  const provider = await phase("IncidentUpdate", sandbox(), { settings: wrong });
  const message = await provider.read(`${incidentId}/u1`, {}).then(() => "it ran", String);
  expect(message).toContain("monitoring:apiKey must be printable ASCII");
  expect(message).toContain("monitoring:deadlineMs must be a whole number");
  expect(message).not.toContain("canary");
  const { failures = [] } = await provider.check({}, { ...words, ...by("update") });
  expect(failures.map(({ reason }) => reason.split(" ")[0])).toEqual(Object.keys(wrong));
  expect(sandbox().requests).toEqual([]);
});

it("a dynamic provider returns the problems of a preview to the program, because an error would stop it too early", async () => {
  const provider = await phase("AlertChannel", sandbox());
  const { inputs } = await provider.check(
    {},
    { channelId: "999", ...by("channel", { previews: true, collectsProblems: true }) },
  );
  expect(inputs).toMatchObject({
    [programInput]: { problem: expect.stringMatching(/^AlertChannel "channel", 999: not found in /) },
  });
});
