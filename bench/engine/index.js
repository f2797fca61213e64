const path = require("node:path");
const { noopPlugin } = require("../baselines/noop");
const { Project, settingsFor } = require("../project");
const { root } = require("../../scripts/setup");

const incidents = 50;
const perIncident = 10;
const count = incidents * perIncident;
const rounds = 3;

/** @typedef {import("../../sandbox").SandboxData} SandboxData */

const up = ["up", "--yes", "--skip-preview"];
const loops = (/** @type {string} */ body) =>
  `for (let incident = 0; incident < ${incidents}; incident++) {
    for (let hour = 0; hour < ${perIncident}; hour++) {
      const args = {
        incidentId: "inc_" + String(incident).padStart(8, "0"),
        status: "MONITORING",
        description: "Hour " + hour + ": still watching it.",
      };
      ${body}
    }
  }`;

const updates = `const { IncidentUpdate } = require("pulumi-monitoring-service");
${loops('new IncidentUpdate("update-" + incident + "-" + hour, args);')}`;

/** The same fields, declared as the SDK of a native plugin does it. */
const noops = `const { CustomResource } = require("@pulumi/pulumi");
const outputs = {};
for (const name of ["incidentId", "status", "description", "notifySubscribers", "publicIncidentUpdateDate", "occurrence",
  "onChange", "onUnconfirmed", "account", "incidentUpdateId", "createdAt", "published", "missing"]) outputs[name] = undefined;
class Noop extends CustomResource {
  constructor(name, args) {
    super("noop:index:Resource", name, { ...outputs, ...args }, { version: "0.0.1" });
  }
}
${loops('new Noop("noop-" + incident + "-" + hour, args);')}`;

/**
 * Data with as many incidents as are needed, without updates.
 * @param {SandboxData} data
 * @returns {SandboxData}
 */
function withIncidents(data) {
  const [first] = data.accounts;
  const [model] = first.statusPageIncidents;
  if (!model) throw new Error("The sandbox's data has no incident.");
  first.statusPageIncidents = Array.from({ length: incidents }, (_, index) => ({
    ...model,
    id: `inc_${String(index).padStart(8, "0")}`,
    incidentUpdates: [],
  }));
  return data;
}

/** 500 updates of 50 incidents on the real engine, against 500 resources with the same fields of a native plugin that does nothing. */
async function bench() {
  /** @type {typeof import("../../sandbox")} */
  const { seedData, startSandbox } = require(path.join(root, "dist", "sandbox"));
  const bin = await noopPlugin();
  /** @type {{ours: number, native: number, refresh: number}[]} */
  const runs = [];
  let requests = 0;
  let bytes = { ours: 0, native: 0 };
  for (let round = 0; round < rounds; round++) {
    const sandbox = await startSandbox({ seed: withIncidents(seedData()) });
    const native = await Project.create(noops, {}, [bin]);
    const ours = await Project.create(updates, settingsFor(sandbox));
    try {
      const nativeSeconds = await native.secondsOf(...up);
      const ourSeconds = await ours.secondsOf(...up);
      const tracked = await resourcesOf(ours, ":IncidentUpdate");
      if (tracked.length !== count) throw new Error(`${tracked.length} of ${count} updates are tracked.`);
      bytes = { ours: sizeOf(tracked), native: sizeOf(await resourcesOf(native, "noop:index:Resource")) };
      sandbox.clearRequests();
      const refresh = await ours.secondsOf("refresh", "--yes", "--skip-preview");
      requests = sandbox.requests.length;
      runs.push({ ours: ourSeconds, native: nativeSeconds, refresh });
    } finally {
      native.remove();
      ours.remove();
      await sandbox.close();
    }
  }
  const ratio = median(runs.map(({ ours, native }) => ours / native));
  const seconds = (/** @type {number[]} */ values) => `${median(values).toFixed(1)} s`;
  return [
    {
      what: `up of ${count} resources of a native no-op plugin`,
      measured: seconds(runs.map((run) => run.native)),
    },
    {
      what: `up of ${count} updates on ${incidents} incidents`,
      measured: seconds(runs.map((run) => run.ours)),
    },
    {
      what: `the one by the other, median of ${rounds} rounds`,
      measured: ratio.toFixed(2),
      bar: "<= 1.30",
      met: ratio <= 1.3,
    },
    { what: `refresh of the ${count} updates`, measured: seconds(runs.map((run) => run.refresh)) },
    {
      what: "bytes of state of one update, against those of the native resource",
      measured: `${bytes.ours} / ${bytes.native}`,
      bar: "<= 1.35",
      met: bytes.ours <= 1.35 * bytes.native,
    },
    { what: "requests of that refresh", measured: String(requests), bar: "<= 60", met: requests <= 60 },
  ];
}

/**
 * @param {Project} project
 * @param {string} type how it ends
 */
async function resourcesOf(project, type) {
  return (await project.resources()).filter((resource) => resource.type.endsWith(type));
}

/** Bytes of one of them, on average. @param {object[]} resources */
function sizeOf(resources) {
  return Math.round(Buffer.byteLength(JSON.stringify(resources)) / resources.length);
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

module.exports = { bench };
