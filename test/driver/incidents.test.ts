/** Incidents that are opened, by a real process of each adapter: a response that is lost, and a process that is killed. */
import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { adapters } from "./adapters";
import { Clock } from "./clock";
import { play, type Scenario } from "./expecting";
import { ProviderProcess, removeMachines } from "./provider";
import { RunThread } from "./runs";
import { unknown } from "../lifecycles/phases";

const page = wellKnown.componentPages.shop;
const operation = "openComponentPageIncident";
const opening = (name: string) => ({
  statusPageId: page,
  name,
  impacts: [{ component: "Checkout", status: "UNDER_MAINTENANCE" }],
  status: "MONITORING",
  description: "Orders may be slow.",
  notifySubscribers: true,
});
const maintenance = opening("Database upgrade 42");
const migration = opening("Search migration 7");

const scenario: Scenario = [
  {
    // The response is lost, and no read of this run shows the incident.
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
    ...{ up: { maintenance, migration }, killed: "SIGKILL", fails: 1 },
    posts: [{ name: migration.name }],
    says: ["but its response was lost"],
    keeps: { maintenance: { unfinished: false, outputs: { name: maintenance.name, missing: false } } },
  },
  {
    up: { maintenance, migration },
    posts: [],
    keeps: { migration: { outputs: { name: migration.name, missing: false } } },
  },
  { up: { maintenance, migration }, posts: [], reads: [] },
];

/** The outputs of other resources are unknown in the first preview. */
const previews: Scenario = [
  {
    preview: { maintenance: { ...maintenance, name: unknown } },
    ...{ plans: ["create"], says: ["A name that is not known yet", "| Orders may be slow."], posts: [] },
  },
  {
    preview: { maintenance: { ...maintenance, description: unknown } },
    ...{ plans: ["create"], says: [maintenance.name], posts: [] },
  },
  {
    preview: { maintenance: { ...maintenance, statusPageId: unknown, impacts: unknown } },
    ...{ plans: ["create"], says: [maintenance.name, "| Orders may be slow."], posts: [] },
  },
  { up: { maintenance }, posts: [{ name: maintenance.name }] },
  {
    preview: { maintenance: { ...maintenance, name: unknown } },
    says: [
      "Unknown until `pulumi up`: name. If it turns out to be different, `pulumi up` rejects the change.",
    ],
    posts: [],
  },
  {
    preview: { maintenance: { ...maintenance, name: unknown, onChange: "edit" } },
    says: [
      "edits a public incident on status page page_shop, unless it already matches",
      "Unknown until `pulumi up`: name.",
    ],
    posts: [],
  },
  {
    preview: { maintenance: { ...maintenance, impacts: unknown } },
    says: [
      "edits a public incident on status page page_shop, unless it already matches",
      "Unknown until `pulumi up`: impacts.",
    ],
    posts: [],
  },
];

const thread = new RunThread();
const clocks: Clock[] = [];
afterAll(async () => {
  await thread.remove();
  for (const clock of clocks) clock.remove();
  removeMachines();
});

/** The incidents, and whether each of their updates was emailed. */
const listOpened = (sandbox: Sandbox) =>
  sandbox.data.accounts
    .flatMap(({ componentPages }) => componentPages.flatMap(({ incidents }) => incidents))
    .filter(({ name }) => [maintenance.name, migration.name].includes(name))
    .map(({ name, incidentUpdates }) => [name, incidentUpdates.map(({ id }) => sandbox.mailed(id) > 0)]);

it("a preview in which a value of an incident is unknown reports that, and makes no prediction", async () => {
  const sandbox = await startSandbox();
  try {
    await play(previews, async (config, options) => thread.start(config, options), sandbox);
  } finally {
    await sandbox.close();
  }
});

it.concurrent.each(adapters)(
  "the $name adapter opens an incident once after a lost response, and one after a kill, each with one email",
  async (adapter) => {
    const sandbox = await startSandbox();
    const clock = new Clock();
    clocks.push(clock);
    try {
      await play(
        scenario,
        async (config, { machine, env }) =>
          ProviderProcess.start(config, { machine, env: { ...env, ...clock.env }, adapter }),
        sandbox,
      );
      expect(listOpened(sandbox).sort()).toEqual([
        [maintenance.name, [true]],
        [migration.name, [true]],
      ]);
    } finally {
      await sandbox.close();
    }
  },
);
