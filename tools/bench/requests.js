const path = require("node:path");
const { Project } = require("../pulumi");
const { root } = require("../setup");
const { markdownOf } = require("./compare");

const [count, incidentId] = [10, "inc_checkout_latency"];

/**
 * @param {string} name name of the timeline
 * @param {object} address
 * @param {string} [first] text of the first update
 */
const updates = (name, address, first = "Hour 0.") => `
const { IncidentTimeline } = require("pulumi-monitoring-service");
const texts = Array.from({ length: ${count} }, (_, index) => (index === 0 ? "${first}" : "Hour " + index + "."));
new IncidentTimeline("${name}", {
  ...${JSON.stringify({ incidentId, ...address })},
  updates: texts.map((description, index) => ({ key: String(index), status: "MONITORING", description })),
});`;

/** @param {object} [changes] @param {string} [name] of the resource */
const incident = (changes, name = "upgrade") => `
const { Incident } = require("pulumi-monitoring-service");
new Incident("${name}", ${JSON.stringify({
  statusPageId: "page_shop",
  name: "Database upgrade",
  impacts: [{ component: "Checkout", status: "UNDER_MAINTENANCE" }],
  status: "MONITORING",
  description: "Orders may be slow.",
  ...changes,
})});`;

const gates = `
const { OpenIncidentGate } = require("pulumi-monitoring-service");
for (const name of ["Wish lists", "Home page"]) new OpenIncidentGate(name, { services: [name] });`;

const [cards, components] = ["checkout", "checkout-migrated"];
const up = ["up", "--yes", "--skip-preview"];

/**
 * Adds resolved incidents to the page. The last 100 have this name.
 * @param {import("../../sandbox").Sandbox} sandbox @param {number} most @param {string} name
 */
function addResolved(sandbox, most, name) {
  sandbox.dashboard.change(({ accounts: [{ componentPages }] }) => {
    const { incidents = [] } = componentPages.find(({ id }) => id === "page_shop") ?? {};
    const [model] = incidents;
    if (!model) throw new Error("There is no incident to copy.");
    for (let index = incidents.length; index < most; index++) {
      const [last] = model.incidentUpdates.map((update) => ({
        ...update,
        id: `u${index}`,
        description: `Night ${index}.`,
      }));
      const incidentUpdates = last ? [{ ...last, status: /** @type {const} */ ("RESOLVED") }] : [];
      const named = index < most - 100 ? `Other ${index}` : name;
      incidents.unshift({ ...model, id: `i${index}`, name: named, incidentUpdates, componentImpacts: [] });
    }
  });
}

/** Counts the requests of each command on one stack, because services limit the number of requests. @returns {Promise<string>} */
async function bench() {
  /** @type {typeof import("../../sandbox")} */
  const { startSandbox } = require(path.join(root, "dist", "sandbox"));
  const sandbox = await startSandbox();
  const { url, apiKey, accountId } = sandbox;
  const env = { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey, MONITORING_ACCOUNT_ID: accountId };
  const { statusPageIncidents } = sandbox.data.accounts[0];
  const [statusPageId = ""] = statusPageIncidents.find(({ id }) => id === incidentId)?.statusPageIds ?? [];
  const [updated, opened, gated] = [
    `${count} updates of an incident`,
    "an incident with impacts",
    "two gates",
  ];
  const stack = await Project.create({ program: updates(cards, {}), env });
  /** @type {string[][]} */
  const rows = [];
  /** @param {string} what @param {string[]} args @param {number} [maxReads] */
  const counted = async (what, args, maxReads) => {
    sandbox.clearRequests();
    await stack.mustRun(...args);
    const counts = ["GET", "POST", "PUT"].map(
      (method) => sandbox.requests.filter((each) => each.method === method).length,
    );
    const [reads = NaN] = counts;
    const judged = maxReads ? [`${maxReads} GET`, reads <= maxReads ? "ok" : "missed"] : ["", ""];
    rows.push([what, ...counts.map(String), ...judged]);
  };
  /** @param {string} what @param {string} program @param {number} [maxReads] */
  const changed = async (what, program, maxReads) => {
    stack.write("index.js", program);
    await counted(`${what}: preview`, ["preview"], maxReads);
    await counted(`${what}: up`, up, maxReads);
  };
  const refresh = ["refresh", "--yes", "--skip-preview"];
  try {
    await changed(`${updated}, new`, updates(cards, {}));
    await changed(`${updated}, unchanged`, updates(cards, {}));
    await counted(`${updated}: refresh`, refresh);
    sandbox.dashboard.migratePage(statusPageId);
    await changed(`${updated}, adopted on the migrated page`, updates(components, { statusPageId }));
    await changed(`${updated}, one edited`, updates(components, { statusPageId }, "Hour 0, corrected."));
    await changed(gated, gates);
    // The gates would fail after an incident without impacts.
    await changed(`${opened}, new`, incident());
    await changed(`${opened}, unchanged`, incident());
    await counted(`${opened}: refresh`, refresh);
    await changed(`${opened}, impacts removed`, incident({ impacts: [] }));
    addResolved(sandbox, 250, "Nightly upgrade");
    await changed(
      `${opened}, on a page of 250 incidents, 100 with its name`,
      `{${incident({ impacts: [] })}}\n{${incident({ name: "Nightly upgrade" }, "nightly")}}`,
      4,
    );
  } finally {
    stack.remove();
    await sandbox.close();
  }
  return markdownOf(["command", "GET", "POST", "PUT", "limit", "result"], rows);
}

module.exports = { bench };
