const { atMost, quantity } = require("../figures");
const { MonitoringClient, startSandbox, wellKnown } = require("./built");

const deadlineMs = 500;
/** A timer may fire a little early by another clock. */
const earliestMs = 20;

/** @typedef {import("../../sandbox").FaultInput} FaultInput */
/** @typedef {import("../../provider/client").MonitoringClient} Client */

/** @type {FaultInput[]} */
const slow = [
  { kind: "hang" },
  { kind: "drip", bytes: 1, everyMs: 5, endless: true },
  { kind: "latency", ms: 60_000 },
];

/** Fail at once, and are tried again until there is no time left. */
/** @type {FaultInput[]} */
const failing = [{ kind: "status", code: 503 }, { kind: "reset" }];

const incident = wellKnown.statusPageIncidents.checkoutLatency;

/** @type {((client: Client) => PromiseLike<unknown>)[]} */
const calls = [
  (client) => client.createIncidentUpdate(incident, { status: "MONITORING", description: "Bench." }),
  (client) => client.getIncidentUpdate(incident, "1"),
  (client) => client.getStatusPageIncident(incident),
  (client) => client.getIncident("1"),
  (client) => client.getAlertChannel(1),
  (client) => client.listStatusPages(),
];

/** How late calls end that can't end well, by this machine's clock. */
async function deadlines() {
  const sandbox = await startSandbox();
  const options = { apiKey: sandbox.apiKey, baseUrl: sandbox.url, deadlineMs, maxAttempts: 10 };
  /** @type {number[]} */
  const late = [];
  /** @param {FaultInput} fault @param {(client: Client) => PromiseLike<unknown>} call */
  const measure = async (fault, call) => {
    sandbox.faults.clear();
    sandbox.faults.add(fault);
    const began = performance.now();
    const failed = await call(new MonitoringClient(options)).then(
      () => false,
      () => true,
    );
    if (!failed) throw new Error(`A call succeeded although of ${fault.kind}.`);
    late.push(performance.now() - began - deadlineMs);
  };
  for (const fault of slow) for (const call of calls) await measure(fault, call);
  if (Math.min(...late) < -earliestMs) throw new Error("A call gave up long before its deadline.");
  for (const fault of failing) await measure(fault, (client) => client.getAlertChannel(1));
  await sandbox.close();
  return [
    {
      what: `largest overrun of the deadline in ${late.length} slow or hanging calls`,
      ...atMost(quantity(Math.max(...late), "ms"), 100),
    },
  ];
}

module.exports = { deadlines };
