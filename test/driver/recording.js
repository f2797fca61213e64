/** Records what the provider processes of this build leave, for later ones to go on with. */
const fs = require("node:fs");
const path = require("node:path");
const { setTimeout } = require("node:timers/promises");
const { root } = require("../../tools/setup");
const { newMachine } = require("./machines");
const { ProviderProcess } = require("./provider");
const { Stack } = require("./stack");

/** @typedef {import("../../sandbox").Sandbox} Sandbox */

/** @typedef {import("../../provider/engine").ResourceType} ResourceType */

/**
 * @typedef {object} Recorded
 * @property {string} host of the service: the state and the names of locks contain it
 * @property {import("../../sandbox").SandboxData} service
 * @property {({name: string, type: ResourceType} & Pick<import("./stack").Resource, "id" | "inputs" | "outputs">)[]} resources
 * @property {Record<string, unknown>} locks the lock directory during the last post: the content of each file, null for a folder
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
    return stack.up(provider, program, true).finally(() => provider.end());
  };
  try {
    const { channel, page, incident } = objectsOf(sandbox);
    const observed = { channel: { channelId: channel.id }, page: { statusPageId: page.id } };
    const declared = { incidentId: incident.id, status: "IDENTIFIED", description: "We know the cause." };
    const posted = { ...declared, status: "MONITORING", description: "We are watching it." };
    await up({ posted: declared });
    sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", skip: 1 });
    const unconfirmed = { ...declared, status: "RESOLVED", description: "It is over." };
    const ending = up({ posted, ...observed, unconfirmed });
    while (sandbox.requests.filter(({ method }) => method === "POST").length < 3) await setTimeout(10);
    const locks = filesIn(machine);
    const failures = await ending;
    if (failures.length !== 1) throw new Error(`Only one should have failed:\n${failures.join("\n")}`);
    const resources = [...stack.resources].map(([name, { unfinished, ...resource }]) => {
      return { name, type: types[name] ?? "IncidentUpdate", ...resource };
    });
    return { host: new URL(sandbox.url).host, service: sandbox.data, resources, locks };
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

/** By name: the content of each file, and null for a folder. @param {string} directory */
function filesIn(directory) {
  const entries = fs.readdirSync(directory, { withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => [
      entry.name,
      entry.isDirectory() ? null : JSON.parse(fs.readFileSync(path.join(directory, entry.name), "utf8")),
    ]),
  );
}

module.exports = { record };
