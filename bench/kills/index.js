const { execFileSync } = require("node:child_process");
const path = require("node:path");
const { setImmediate } = require("node:timers/promises");
const { Project, settingsFor } = require("../project");
const { root } = require("../../scripts/setup");

const rounds = 20;
const hours = [1, 2, 3, 4, 5, 6];

/** @param {string} incidentId */
const program = (incidentId) => `const { IncidentUpdate } = require("pulumi-monitoring-service");
for (const hour of ${JSON.stringify(hours)}) {
  new IncidentUpdate("hour-" + hour, {
    incidentId: "${incidentId}",
    status: "MONITORING",
    description: "Hour " + hour + ": still watching it.",
    notifySubscribers: true,
  });
}`;

/** Six updates of one incident, SIGKILL of the engine during the first post, `up` again at once. */
async function bench() {
  let right = 0;
  for (let round = 0; round < rounds; round++) if (await survives(300 + round * 30)) right += 1;
  return [
    {
      what: "runs with exactly six public updates, all tracked, after a SIGKILL of the engine in the first post",
      measured: `${right} of ${rounds}`,
      bar: `${rounds}`,
      met: right === rounds,
    },
  ];
}

/**
 * @param {number} afterMs how long the first post has been under way when the engine is killed: long enough for the
 *   engine to have noted all six, because a kill while it writes its own state file can leave that file empty
 */
async function survives(afterMs) {
  /** @type {typeof import("../../sandbox")} */
  const { startSandbox, wellKnown } = require(path.join(root, "dist", "sandbox"));
  const sandbox = await startSandbox();
  const incidentId = wellKnown.statusPageIncidents.checkoutLatency;
  const before = new Set(sandbox.incident(incidentId).incidentUpdates.map(({ id }) => id));
  const project = await Project.create(program(incidentId), settingsFor(sandbox));
  /** @type {number[]} */
  let left = [];
  try {
    sandbox.faults.add({ kind: "latency", operation: "createIncidentUpdate", ms: 1_000 });
    const { child, ended } = project.start("up", "--yes", "--skip-preview");
    while (!sandbox.requests.some(({ method }) => method === "POST")) await setImmediate();
    const began = performance.now();
    while (performance.now() - began < afterMs) await setImmediate();
    left = descendantsOf(child.pid ?? 0);
    child.kill("SIGKILL");
    await ended;
    await project.run("cancel", "--yes");
    await project.mustRun("up", "--yes", "--skip-preview");
    const updates = sandbox.incident(incidentId).incidentUpdates.filter(({ id }) => !before.has(id));
    const tracked = (await project.resources())
      .filter(({ type }) => type.endsWith(":IncidentUpdate"))
      .map(({ id }) => id);
    const mailed = updates.filter(({ id }) => sandbox.mailed(id) > 0).length;
    const inPublic = updates.map(({ id }) => `${incidentId}/${id}`);
    return (
      updates.length === hours.length &&
      mailed === hours.length &&
      new Set(updates.map(({ description }) => description)).size === hours.length &&
      tracked.sort().join() === inPublic.sort().join()
    );
  } finally {
    left.forEach(endIfThere);
    project.remove();
    await sandbox.close();
  }
}

/** What a killed engine leaves behind. @param {number} ancestor @returns {number[]} */
function descendantsOf(ancestor) {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const pairs = table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  /** @param {number} parent @returns {number[]} */
  const childrenOf = (parent) =>
    pairs.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid, ...childrenOf(pid)] : []));
  return childrenOf(ancestor);
}

/** @param {number} pid */
function endIfThere(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

module.exports = { bench };
