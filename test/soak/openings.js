/**
 * Runs that open an incident and post an update on it, in a process of each adapter that is killed at each request and at each of its file
 * calls: after the next runs, one incident is open, with its impacts, and each email was sent once.
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
// Opens an incident, then writes its impacts, so that each write of the resource is requested.
/** @type {import("../driver/stack").Program[]} */
const programs = [{ incident: opened }, { incident: { ...opened, ...impacts }, update: posted }];

const operations = /** @type {const} */ ([
  ...["getComponentPage", "listComponentPageIncidents", "getComponentPageIncident", "listComponents"],
  ...["openComponentPageIncident", "editComponentPageIncident", "createComponentPageIncidentUpdate"],
]);
/** More than a run has of an operation, or of file calls. */
const [mostRequests, mostFileCalls] = [4, 30];

/** @param {boolean} short @returns {Promise<import("../../tools/tables").Figure[]>} */
async function killedOpenings(short) {
  const requests = operations.flatMap((operation) =>
    Array.from({ length: mostRequests }, (_, skip) => skip).flatMap((skip) =>
      (/^(?:get|list)/.test(operation) ? [false] : [true, false]).map((applied) => ({
        kind: /** @type {const} */ ("hang"),
        operation,
        skip,
        applied,
      })),
    ),
  );
  const fileCalls = Array.from({ length: mostFileCalls }, (_, index) => index + 1);
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
  return [all("openings that happen once, although their process is killed", right, killed.length)];
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
      // A killed run is repeated, twice: its update may be found by the first, and nothing changes in the second.
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
    const mailed = Object.entries(sandbox.data.mailed).slice(before);
    const isRight =
      ended?.steps.length === 0 &&
      ended.requests.every(({ method }) => method === "GET") &&
      [incidents, lasting].every(({ length }) => length === 1) &&
      mailed.length === 2 &&
      mailed.every(([, count]) => count === sandbox.data.accounts[0].subscribers[statusPageId]);
    if (isRight) return "right";
    const state = JSON.stringify({ mailed, incidents: incidents.length, lasting, steps: ended?.steps });
    console.log(
      `${adapter.name}, killed at ${fileCall === undefined ? JSON.stringify(fault) : `file call ${fileCall}`}: ${state}`,
    );
    return "wrong";
  } finally {
    await sandbox.close();
    clock.remove();
  }
}

module.exports = { killedOpenings };
