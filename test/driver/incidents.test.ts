/** Incidents that runs open: a lost response, and a killed run. Both adapters open an incident in wire.test.ts. */
import type { Sandbox } from "../../sandbox";
import { sandboxForEachTest, unknown } from "../lifecycles/phases";
import { secret } from "./adapters";
import { Clock } from "./clock";
import { opening, play, type Scenario } from "./expecting";
import { removeMachines } from "./provider";
import { RunThread } from "./runs";

const operation = "openComponentPageIncident";
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
  {
    preview: { maintenance: { ...maintenance, name: secret(maintenance.name) } },
    ...{
      plans: ["create"],
      says: ["  A secret name, maintenance of Checkout"],
      hides: /upgrade 42/,
      posts: [],
    },
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
    preview: { maintenance: { ...maintenance, impacts: unknown } },
    says: ["changes only in the state", "Unknown until `pulumi up`: impacts."],
    posts: [],
  },
];

const sandbox = sandboxForEachTest();
const [thread, clock] = [new RunThread(), new Clock()];
afterAll(async () => {
  clock.remove();
  await thread.remove();
  // Jest doesn't tell the end of its process.
  removeMachines();
});

/** The incidents, and whether each of their updates was emailed. */
const listOpened = (service: Sandbox) =>
  service.data.accounts
    .flatMap(({ componentPages }) => componentPages.flatMap(({ incidents }) => incidents))
    .filter(({ name }) => [maintenance.name, migration.name].includes(name))
    .map(({ name, incidentUpdates }) => [name, incidentUpdates.map(({ id }) => service.mailed(id) > 0)]);

it("a preview in which a value of an incident is unknown reports that, and makes no prediction", async () => {
  await play(previews, async (config, options) => thread.start(config, options), sandbox());
});

it("an incident is opened once after a lost response, and one after a kill, each with one email", async () => {
  await play(
    scenario,
    async (config, { machine, env }) => thread.start(config, { machine, env: { ...env, ...clock.env } }),
    sandbox(),
  );
  expect(listOpened(sandbox()).sort()).toEqual([
    [maintenance.name, [true]],
    [migration.name, [true]],
  ]);
});
