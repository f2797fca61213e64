const fs = require("node:fs");
const path = require("node:path");
const { Project } = require("../../pulumi/project");
const { root } = require("../../setup");
const { noopPlugin } = require("../baselines/noop");

/** @typedef {import("../../../sandbox").Sandbox} Sandbox */
/** @typedef {import("../../../sandbox").SandboxData} SandboxData */
/** @typedef {"package" | "native" | "inline" | "noop"} Name */

/**
 * @typedef {object} Contender a stack of as many updates as all others have, and the service that it talks to
 * @property {Project} project
 * @property {Sandbox | undefined} sandbox
 * @property {string} type how the type of its resources ends
 * @property {() => Promise<void>} end
 */

const perIncident = 10;

const declared = 'JSON.parse(require("node:fs").readFileSync("updates.json", "utf8"))';

/** @param {string} entry */
const ours = (entry) => `const { IncidentUpdate } = require("pulumi-monitoring-service${entry}");
for (const { name, ...args } of ${declared}) new IncidentUpdate(name, args);`;

/** The same fields, declared as the SDK of a native plugin does it. */
const noops = `const { CustomResource } = require("@pulumi/pulumi");
const outputs = {};
for (const name of ["incidentId", "status", "description", "notifySubscribers", "publicIncidentUpdateDate", "occurrence",
  "onChange", "account", "incidentUpdateId", "createdAt", "published", "missing"]) outputs[name] = undefined;
class Noop extends CustomResource {
  constructor(name, args) {
    super("noop:index:Resource", name, { ...outputs, ...args }, { version: "0.0.1" });
  }
}
for (const { name, ...args } of ${declared}) new Noop(name, args);`;

/** @type {Record<Name, (size: number) => Promise<Contender>>} */
const contenders = {
  package: async (size) => ({
    ...(await withService(ours(""), size)),
    type: "dynamic/monitoring:IncidentUpdate",
  }),
  native: async (size) => {
    const contender = await withService(ours("/native"), size);
    contender.project.declarePlugin();
    return { ...contender, type: "monitoring:index:IncidentUpdate" };
  },
  inline: async (size) => {
    const program = fs.readFileSync(path.join(__dirname, "..", "baselines", "inline", "index.js"), "utf8");
    return { ...(await withService(program, size)), type: "dynamic:Resource" };
  },
  noop: async (size) => {
    const project = await Project.create({ program: noops, bins: [await noopPlugin()] });
    declare(project, size);
    const end = () => {
      project.remove();
      return Promise.resolve();
    };
    return { project, sandbox: undefined, type: "noop:index:Resource", end };
  },
};

/** @type {Name[]} */
const names = ["package", "native", "inline", "noop"];

/** @param {string} program @param {number} size */
async function withService(program, size) {
  /** @type {typeof import("../../../sandbox")} */
  const { seedData, startSandbox } = require(path.join(root, "dist", "sandbox"));
  const sandbox = await startSandbox({ seed: withIncidents(seedData(), size) });
  const project = await Project.create({
    program,
    env: {
      MONITORING_BASE_URL: sandbox.url,
      MONITORING_API_KEY: sandbox.apiKey,
      MONITORING_ACCOUNT_ID: sandbox.accountId,
    },
  });
  declare(project, size);
  const end = async () => {
    project.remove();
    await sandbox.close();
  };
  return { project, sandbox, end };
}

/** Tells a program what to declare. @param {Project} project @param {number} size */
function declare(project, size) {
  const updates = Array.from({ length: size }, (_, index) => ({
    name: `update-${index}`,
    incidentId: incidentId(Math.floor(index / perIncident)),
    status: "MONITORING",
    description: `Hour ${index % perIncident}: still watching it.`,
    notifySubscribers: false,
  }));
  project.write("updates.json", JSON.stringify(updates));
}

/**
 * Data with as many incidents as are needed, without updates.
 * @param {SandboxData} data
 * @param {number} size how many updates there will be
 * @returns {SandboxData}
 */
function withIncidents(data, size) {
  const [first] = data.accounts;
  const [model] = first.statusPageIncidents;
  if (!model) throw new Error("The sandbox's data has no incident.");
  first.statusPageIncidents = Array.from({ length: Math.ceil(size / perIncident) }, (_, index) => ({
    ...model,
    id: incidentId(index),
    incidentUpdates: [],
  }));
  return data;
}

/** @param {number} index */
function incidentId(index) {
  return `inc_${String(index).padStart(8, "0")}`;
}

module.exports = { contenders, names };
