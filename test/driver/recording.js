/** Records what the provider processes of this build leave, for later ones to go on with. */
const path = require("node:path");
const { root } = require("../../tools/setup");
const { newMachine } = require("./machines");
const { ProviderProcess } = require("./provider");
const { Stack } = require("./stack");

/** @typedef {import("../../sandbox").Sandbox} Sandbox */

/** @typedef {import("../../provider/engine").ResourceType} ResourceType */

/**
 * @typedef {object} Recorded
 * @property {string} host of the service, which the state contains
 * @property {import("../../sandbox").SandboxData} service
 * @property {({name: string, type: ResourceType} & Pick<import("./stack").Resource, "id" | "inputs" | "outputs">)[]} resources
 */

/** @type {Record<string, ResourceType>} */
const types = {
  channel: "AlertChannel",
  page: "StatusPage",
  posted: "IncidentUpdate",
  unconfirmed: "IncidentUpdate",
};

/**
 * The state of a stack with an update, its earlier content, and one whose result is unknown.
 * @param {import("./adapters").Adapter} adapter
 * @returns {Promise<Recorded>}
 */
async function record(adapter) {
  const sandbox = await startSandbox();
  const machine = newMachine();
  const stack = new Stack((name) => types[name] ?? "IncidentUpdate");
  /** @param {import("./stack").Program} program */
  const up = async (program) => {
    const config = {
      "monitoring:baseUrl": sandbox.url,
      "monitoring:accountId": sandbox.accountId,
      "monitoring:apiKey": sandbox.apiKey,
    };
    const env = { MONITORING_DEADLINE_MS: "2500" };
    const provider = await ProviderProcess.start(config, { adapter, machine, env });
    try {
      return await stack.up(provider, program, true);
    } finally {
      await provider.end();
    }
  };
  try {
    const { channel, page, incident } = objectsOf(sandbox);
    const observed = { channel: { channelId: channel.id }, page: { statusPageId: page.id } };
    const declared = { incidentId: incident.id, status: "IDENTIFIED", description: "We know the cause." };
    const posted = { ...declared, status: "MONITORING", description: "We are watching it." };
    await up({ posted: declared });
    sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", skip: 1 });
    const unconfirmed = { ...declared, status: "RESOLVED", description: "It is over." };
    const failures = await up({ posted, ...observed, unconfirmed });
    if (failures.length !== 1) throw new Error(`Only one should have failed:\n${failures.join("\n")}`);
    const resources = [...stack.resources].map(([name, { unfinished, ...resource }]) => {
      return { name, type: types[name] ?? "IncidentUpdate", ...resource };
    });
    return { host: new URL(sandbox.url).host, service: sandbox.data, resources };
  } finally {
    await sandbox.close();
  }
}

/** A service with one object of each type, which uses the ids that updates are sent with. @returns {Promise<Sandbox>} */
async function startSandbox() {
  /** @type {typeof import("../../sandbox")} */
  const { seedData, startSandbox } = require(path.join(root, "dist", "sandbox"));
  const {
    access: [{ apiKey }],
    accounts: [account],
  } = seedData();
  const { statusPages, statusPageIncidents, alertChannels } = account;
  const [page] = statusPages;
  if (!page) throw new Error("The seed has no status page.");
  const [incident] = statusPageIncidents.map((each) => ({ ...each, statusPageIds: [page.id] }));
  const webhook = alertChannels.find(({ type }) => type === "WEBHOOK");
  if (!incident || !webhook) throw new Error("The seed lacks an object.");
  const objects = {
    statusPages: [page],
    statusPageIncidents: [{ ...incident, incidentUpdates: [] }],
    alertChannels: [webhook],
    incidents: [],
    subscribers: {},
  };
  /** @type {import("../../sandbox").SandboxData} */
  const seed = {
    access: [{ apiKey, accountIds: [account.id] }],
    accounts: [{ ...account, ...objects }],
    mailed: {},
  };
  return startSandbox({ seed, ids: "honoured" });
}

/** @param {Sandbox} sandbox */
function objectsOf({ data }) {
  const [{ alertChannels, statusPages, statusPageIncidents }] = data.accounts;
  const [[channel], [page], [incident]] = [alertChannels, statusPages, statusPageIncidents];
  if (!channel || !page || !incident) throw new Error("The service lacks an object.");
  return { channel, page, incident };
}

module.exports = { record };
