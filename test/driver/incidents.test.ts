/**
 * Incidents that a program opens, after a lost response and after a kill, and an update after a kill. wire.test.ts opens an incident with both
 * adapters.
 */
import type { Sandbox } from "../../sandbox";
import { expectRejected, opening, outage, type Scenario } from "./expecting";
import { startThread } from "./inThread";

const operation = "openComponentPageIncident";
const maintenance = opening("Database upgrade 42");
const migration = opening("Search migration 7");

const scenario: Scenario = [
  {
    // The response is lost, and no read of this run shows the incident yet.
    faults: [
      { kind: "lateVisibility", operation, reads: 40, times: 1 },
      { kind: "reset", operation, times: 1, applied: true },
    ],
    up: { maintenance },
    ...{ fails: 1, says: ["The state records the attempt. Run `pulumi up` again"] },
    posts: [{ name: maintenance.name }],
    keeps: { maintenance: { unfinished: true } },
  },
  {
    faults: [{ kind: "hang", operation, applied: true }],
    ...{ refresh: true, up: { maintenance, migration }, killed: "SIGKILL", fails: 1 },
    posts: [{ name: migration.name }],
    says: [
      /^Incident on status page page_shop: still unconfirmed\. `pulumi up` searches for the incident\.\n/,
      "but its response was lost",
    ],
    keeps: { maintenance: { unfinished: false, outputs: { name: maintenance.name, missing: false } } },
  },
  {
    up: { maintenance, migration },
    posts: [],
    keeps: { migration: { outputs: { name: migration.name, missing: false } } },
  },
  { up: { maintenance, migration }, posts: [], reads: [] },
];

/** A colleague renames the incident that a killed run has opened. */
const renamed: Scenario = [
  {
    faults: [{ kind: "hang", operation, applied: true }],
    ...{ up: { maintenance }, killed: "SIGKILL", fails: 1, posts: [{ name: maintenance.name }] },
  },
  {
    happens: (service) => {
      for (const { id, name } of listIncidents(service))
        if (name === maintenance.name)
          service.dashboard.editIncident(id, { name: "Renamed" }, maintenance.statusPageId);
    },
    ...{ skips: 600_000, up: { maintenance }, fails: 1, posts: [] },
    says: [
      "is open with another name and the declared first update, and was opened when an interrupted run sent the declared incident. Nothing " +
        "was opened. To adopt an open incident, declare its name",
      "To open it with this name, run `pulumi config set monitoring:resend",
    ],
  },
  {
    ...{ up: { maintenance: { ...maintenance, name: "Renamed" } }, posts: [] },
    says: ["adopted the identical incident"],
  },
];

const [one, two] = ["Carts are slow.", "The queue was full."];
const say = (description: string) => ({
  ...outage,
  status: "MONITORING",
  description,
  notifySubscribers: true,
});
/** After the run of a post is killed, a different text is declared. The message is then followed. */
const posted: Scenario = [
  {
    faults: [{ kind: "hang", operation: "createComponentPageIncidentUpdate", applied: true }],
    ...{ up: { a: say(one) }, killed: "SIGKILL", fails: 1, writes: [`POST ${one}`] },
  },
  ...expectRejected(
    { a: say(two) },
    `description must not change, because the update is public (MONITORING: "${one}"). Nothing was posted. Restore the value.`,
  ),
  { up: { a: say(one) }, writes: [] },
  { up: { a: say(one), b: say(two) }, writes: [`POST ${two}`] },
];

const { sandbox, play } = startThread();

const listIncidents = (service: Sandbox) =>
  service.data.accounts.flatMap(({ componentPages }) => componentPages.flatMap(({ incidents }) => incidents));

/** Lists the opened incidents. For each of their updates, the value is true if it was emailed. */
const listOpened = (service: Sandbox) =>
  listIncidents(service)
    .filter(({ name }) => [maintenance.name, migration.name].includes(name))
    .map(({ name, incidentUpdates }) => [name, incidentUpdates.map(({ id }) => service.emailsSent(id) > 0)]);

it("after a lost response or a kill, an incident is opened once and emailed once", async () => {
  await play(scenario);
  expect(listOpened(sandbox()).sort()).toEqual([
    [maintenance.name, [true]],
    [migration.name, [true]],
  ]);
});

it("an incident that a killed run has opened and a colleague has renamed isn't opened again", async () => {
  await play(renamed);
});

it("a text that changes after its run was killed is rejected, and a user who follows the message posts each text once", async () => {
  await play(posted);
  const { incidentUpdates } = sandbox().incident(outage.incidentId, outage.statusPageId);
  const [newest, older] = incidentUpdates;
  expect(
    [newest, older].map((each) => [each?.description, sandbox().emailsSent(each?.id ?? "") > 0]),
  ).toEqual([
    [two, true],
    [one, true],
  ]);
});
