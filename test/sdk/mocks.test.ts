/** Programs under `pulumi.runtime.setMocks`, connected to a sandbox. */
import * as pulumi from "@pulumi/pulumi";
import { connectTo, type Sandbox, wellKnown } from "../../sandbox";
import * as sdk from "../../sdk";
import * as native from "../../sdk/native";
import { sandboxWith } from "../sandbox/sandboxes";
import { startMocks, valueOf } from "./connected";

const { searchLag } = wellKnown.statusPageIncidents;

let sandbox: Sandbox;
const declared: string[] = [];

async function startSandbox(): Promise<void> {
  sandbox = await sandboxWith();
  connectTo(sandbox);
}

async function startRun(): Promise<void> {
  declared.splice(0);
  await startMocks(({ type, name }) => declared.push(`${type} ${name}`));
}

beforeEach(startSandbox);
beforeEach(startRun);
afterEach(() => pulumi.runtime.disconnect());

const rename = (name: string) => sandbox.byHand.editIncident(searchLag, { name });
const nameRead = async () => (await sdk.getStatusPageIncident({ incidentId: searchLag })).name;
const update = (name = "update") =>
  new sdk.IncidentUpdate(name, { incidentId: searchLag, status: "MONITORING", description: "Better." });

describe("data sources", () => {
  it("read from the connected sandbox, also after another one was read", async () => {
    rename("first");
    expect(await nameRead()).toBe("first");
    await startSandbox();
    rename("second");
    expect(await nameRead()).toBe("second");
  });

  it("read again in the next run", async () => {
    rename("before");
    expect(await nameRead()).toBe("before");
    rename("after");
    expect(await nameRead()).toBe("before");
    await startRun();
    expect(await nameRead()).toBe("after");
  });

  it("of the native plugin are calls with the option provider, and read from the sandbox without it", async () => {
    const provider = new native.Provider("labs", { apiKey: "key", baseUrl: "https://api.example.com" });
    const call = { token: "monitoring:index:getIncident", id: "8ab1" };
    expect(await native.getIncident({ id: "8ab1" }, { provider })).toEqual(call);
    const { id } = await native.getStatusPageIncident({ incidentId: searchLag });
    expect(id).toBe(searchLag);
  });
});

it("declares resources of the native plugin where Pulumi.yaml doesn't name it", async () => {
  const { urn } = new native.AlertChannel("channel", { channelId: 4101 });
  await valueOf(urn);
  expect(declared).toEqual(["monitoring:index:AlertChannel channel"]);
});

it("declares what comes after an open gate and a passed audit", async () => {
  new sdk.OpenIncidentGate("gate", { services: ["Search index"], atLeast: "MAJOR" });
  const { counts } = new sdk.AlertChannelAudit("audit", {
    channels: [wellKnown.alertChannels.onCall],
    rules: { rules: { "send-failure": "error" } },
  });
  await valueOf(update().urn);
  expect((await valueOf(counts)).errors).toBe(0);
  expect(declared.map((each) => each.split(" ")[1]).sort()).toEqual(["audit", "gate", "update"]);
});

it("forgets the updates of the previous run", async () => {
  await valueOf(update().urn);
  await pulumi.runtime.disconnect();
  await startRun();
  await valueOf(update("identical").urn);
  expect(declared).toEqual(["pulumi-nodejs:dynamic/monitoring:IncidentUpdate identical"]);
});
