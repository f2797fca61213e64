/**
 * Opens an incident and posts an update on it, and kills the process at each request and at each call that uses a file of the lock
 * directory. After the next runs, exactly one incident must be open, with its impacts, and each email must have been sent once. Each adapter
 * is tested.
 */
const path = require("node:path");
const { root } = require("../../tools/setup");
const { inParallel, step } = require("../../tools/setup/run");
const { all } = require("../../tools/tables");
const { adapters } = require("../driver/adapters");
const { Clock } = require("../driver/clock");
const { ProviderProcess } = require("../driver/provider");
const { Project } = require("../driver/scenario");

/** @typedef {{adapter: import("../driver/adapters").Adapter, fault?: import("../../sandbox").FaultInput, fileCall?: number}} Kill */

/** @type {typeof import("../../sandbox")} */
const { startSandbox, wellKnown } = require(path.join(root, "dist", "sandbox"));

const statusPageId = wellKnown.componentPages.shop;
const common = { statusPageId, status: "MONITORING", notifySubscribers: true };
const opened = { ...common, name: "Upgrade 42", description: "Orders may be slow." };
const impacts = { impacts: [{ component: "Cart", status: "UNDER_MAINTENANCE" }] };
const posted = {
  ...common,
  incidentId: wellKnown.componentPageIncidents.checkoutOutage,
  description: "More.",
};
// The first program opens the incident, and the second writes its impacts, so that the run sends each kind of write request.
/** @type {import("../driver/stack").Program[]} */
const programs = [{ incident: opened }, { incident: { ...opened, ...impacts }, update: posted }];

const operations = /** @type {const} */ ([
  ...["getComponentPage", "listComponentPageIncidents", "getComponentPageIncident", "listComponents"],
  ...["openComponentPageIncident", "editComponentPageIncident", "createComponentPageIncidentUpdate"],
]);
/** The maximum number of requests of one operation, and of file calls. A run makes fewer. */
const [maxRequests, maxFileCalls] = [4, 30];

/** @param {boolean} short @returns {Promise<import("../../tools/tables").Figure[]>} */
async function playKilledOpenings(short) {
  const requests = operations.flatMap((operation) =>
    Array.from({ length: maxRequests }, (_, skip) => skip).flatMap((skip) =>
      (/^(?:get|list)/.test(operation) ? [false] : [true, false]).map((applied) => ({
        kind: /** @type {const} */ ("hang"),
        operation,
        skip,
        applied,
      })),
    ),
  );
  const fileCalls = Array.from({ length: maxFileCalls }, (_, index) => index + 1);
  const kills = adapters.flatMap((adapter) => [
    ...requests.map((fault) => ({ adapter, fault })),
    ...fileCalls.map((fileCall) => ({ adapter, fileCall })),
  ]);
  const wanted = kills.filter((_, index) => !short || index % 16 === 0);
  /** @type {string[]} */
  const results = await step("Openings", `${wanted.length} kills, seconds each`, (tell) =>
    inParallel(wanted, play, tell),
  );
  const killed = results.filter((result) => result !== "not killed");
  const right = killed.filter((result) => result === "right").length;
  return [all("killed runs whose incident is open exactly once afterwards", right, killed.length)];
}

/** @param {Kill} kill @returns {Promise<"right" | "wrong" | "not killed">} */
async function play({ adapter, fault, fileCall }) {
  const sandbox = await startSandbox();
  const clock = new Clock();
  const project = new Project(
    (config, { machine, env }) => {
      const preloads = env["KILL_AT"] ? ` --require ${require.resolve("./killAtFileCall")}` : "";
      const NODE_OPTIONS = `${clock.env.NODE_OPTIONS}${preloads}`;
      return ProviderProcess.start(config, { adapter, machine, env: { ...clock.env, ...env, NODE_OPTIONS } });
    },
    sandbox,
    (name) => (name === "incident" ? "Incident" : "IncidentUpdate"),
  );
  const before = Object.keys(sandbox.data.mailed).length;
  let isKilled = false;
  let ended;
  try {
    for (const up of programs) {
      if (fault) sandbox.faults.add(fault);
      const taken = await project.take({
        ...{ up, keepsFaults: true },
        ...(fault ? { killed: "SIGKILL" } : { env: { KILL_AT: String(fileCall) } }),
      });
      isKilled = fault ? sandbox.faults.list().some(({ struck }) => struck > 0) : taken.steps.length > 0;
      sandbox.faults.clear();
      // The program of a killed run is run twice. The first run may find the update, and the second run must change nothing.
      if (isKilled) {
        for (const again of [up, up, ...programs.slice(1), ...programs.slice(1)])
          ended = await project.take({ up: again });
        break;
      }
    }
    if (!isKilled) return "not killed";
    const page = sandbox.data.accounts[0].componentPages.find(({ id }) => id === statusPageId);
    const incidents = page?.incidents.filter(({ name }) => name === opened.name) ?? [];
    const lasting = incidents.flatMap(({ componentImpacts }) =>
      componentImpacts.filter(({ endedAt }) => !endedAt),
    );
    const emailCounts = Object.entries(sandbox.data.mailed).slice(before);
    const isRight =
      ended?.steps.length === 0 &&
      ended.requests.every(({ method }) => method === "GET") &&
      [incidents, lasting].every(({ length }) => length === 1) &&
      emailCounts.length === 2 &&
      emailCounts.every(([, count]) => count === sandbox.data.accounts[0].subscribers[statusPageId]);
    if (isRight) return "right";
    const state = JSON.stringify({ emailCounts, incidents: incidents.length, lasting, steps: ended?.steps });
    console.log(
      `${adapter.name}, killed at ${fileCall === undefined ? JSON.stringify(fault) : `file call ${fileCall}`}: ${state}`,
    );
    return "wrong";
  } finally {
    await sandbox.close();
    clock.remove();
  }
}

module.exports = { playKilledOpenings };
