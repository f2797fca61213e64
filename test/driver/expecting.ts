/** Plays scenarios and checks the expected result of each step. A failure lists the calls that led to it. */
import { type Sandbox, seedData, wellKnown } from "../../sandbox";
import type { ResourceType } from "../../provider/engine";
import { computeKeys } from "../../provider/lifecycles/timeline";
import { incidentId, words } from "../engine/service";
import { programInput } from "./adapters";
import type { Properties } from "./provider";
import { type Begin, Project, type Step } from "./scenario";

interface Expected extends Step {
  /** The texts or the bodies of the posts, in order. */
  readonly posts?: readonly (string | object)[];
  /** The methods and texts of all write requests, in order. */
  readonly writes?: readonly string[];
  /** The texts that the scenario has added to the page with components, newest first. */
  readonly page?: readonly string[];
  /** The last segments of the paths of all reads, sorted. */
  readonly reads?: readonly (string | number)[];
  /** The number of subscribers that the command emails. */
  readonly mails?: number;
  /** The milliseconds that the command takes. */
  readonly takes?: number;
  /** The number of resources that fail. */
  readonly fails?: number;
  /** The steps that a preview plans, sorted. Unchanged resources aren't included. */
  readonly plans?: readonly string[];
  readonly says?: readonly (string | RegExp)[];
  /** Text that the output contains exactly once. */
  readonly saysOnce?: readonly string[];
  readonly hides?: RegExp;
  /** The texts of the public updates, by resource. */
  readonly tracks?: Readonly<Record<string, string>>;
  readonly keeps?: Readonly<Record<string, object>>;
  /** The resources after the refresh. */
  readonly refreshed?: Readonly<Record<string, object>>;
}

export type Scenario = readonly Expected[];

/** Returns steps that preview and run a program, and that both reject without a write. */
export const expectRejected = (program: Step["up"] & object, ...says: string[]): Scenario => [
  { preview: program, fails: 1, says, writes: [] },
  { up: program, fails: 1, says, writes: [] },
];

const plans = /^(create|update|replace)$/;
const channels = /^(mail|hook|pending|violated|channel)/;
const incidents = /^(maintenance|migration)/;
function getResourceType(name: string): ResourceType {
  if (channels.test(name)) return "AlertChannel";
  if (incidents.test(name)) return "Incident";
  return name.startsWith("page") ? "StatusPage" : "IncidentUpdate";
}

export async function play(scenario: Scenario, begin: Begin, sandbox: Sandbox): Promise<void> {
  const project = new Project(begin, sandbox, getResourceType);
  for (const [index, step] of scenario.entries()) {
    const ended = await project.take(step);
    try {
      checkStep(step, ended, sandbox);
    } catch (error) {
      const where = `step ${index + 1}, after the calls ${project.calls}\nwhich printed:\n${ended.output}`;
      throw new Error(`${String(error)}\n\nin ${where}`, { cause: error });
    }
  }
}

function checkStep(expected: Expected, ended: Awaited<ReturnType<Project["take"]>>, sandbox: Sandbox): void {
  const { steps, output, requests, resources, refreshed, ms, mails } = ended;
  const [posts, reads] = [
    requests.filter(({ method }) => method !== "GET"),
    requests.filter(({ method }) => method === "GET"),
  ];
  const planned = steps.filter((step) => plans.test(step));
  // The output for other resources contains the incident's newest update. It is public, so it may contain text that must be hidden elsewhere.
  const shown = output.replace(/Newest update, .*/g, "");
  expect(steps.length - planned.length).toBe(expected.fails ?? 0);
  for (const message of expected.says ?? [])
    if (typeof message === "string") expect(output).toContain(message);
    else expect(output).toMatch(message);
  for (const message of expected.saysOnce ?? [])
    expect([message, output.split(message).length - 1]).toEqual([message, 1]);
  if (expected.hides) expect(shown).not.toMatch(expected.hides);
  if (expected.plans) expect(planned.sort()).toEqual(expected.plans);
  if (expected.posts)
    expect(posts.map(({ body }) => body)).toMatchObject(
      expected.posts.map((post) => (typeof post === "string" ? { description: post } : post)),
    );
  const written = posts.map(({ method, body }) =>
    [method, (body as { description: string }).description].join(" "),
  );
  if (expected.writes) expect(written).toEqual(expected.writes);
  if (expected.mails !== undefined) expect(mails).toBe(expected.mails);
  if (expected.takes !== undefined) expect(ms).toBe(expected.takes);
  if (expected.page) expect(listNewUpdates(sandbox)).toEqual(expected.page);
  if (expected.reads)
    expect(reads.map(({ path }) => path.split("/").at(-1)).sort()).toEqual(expected.reads.map(String));
  for (const [name, description] of Object.entries(expected.tracks ?? {})) {
    const { incidentUpdates } = sandbox.incident(incidentId);
    const { id } = incidentUpdates.find((each) => each.description === description) ?? {};
    expect([name, resources[name]]).toMatchObject([name, { outputs: { description, incidentUpdateId: id } }]);
  }
  if (expected.keeps) expect(resources).toMatchObject(expected.keeps);
  if (expected.refreshed) expect(refreshed).toMatchObject(expected.refreshed);
}

/** An incident of a page with components. */
export const outage = {
  statusPageId: wellKnown.componentPages.shop,
  incidentId: wellKnown.componentPageIncidents.checkoutOutage,
};

/** An incident that is opened on a page with components. */
export const opening = (name: string) => ({
  statusPageId: outage.statusPageId,
  name,
  impacts: [{ component: "Checkout", status: "UNDER_MAINTENANCE" }],
  status: "MONITORING",
  description: "Orders may be slow.",
  notifySubscribers: true,
});

function listNewUpdates(sandbox: Sandbox): string[] {
  const { statusPageId, incidentId: id } = outage;
  const { incidentUpdates } = sandbox.incident(id, statusPageId);
  const before = seedData()
    .accounts[0].componentPages.flatMap(({ incidents }) => incidents)
    .find((each) => each.id === id);
  const count = incidentUpdates.length - (before?.incidentUpdates.length ?? 0);
  return incidentUpdates.slice(0, count).map(({ description }) => description);
}

export const saying = (description: string) => ({ ...words, description });

/** Declares an `IncidentTimeline`, by default on a page with components. Its entries are named by their keys. */
export function createTimeline(
  name: string,
  texts: Readonly<Record<string, string | object>>,
  location: object = outage,
): Record<string, Properties> {
  const entries = Object.values(texts).map((text) => ({
    ...{ ...words, ...location, notifySubscribers: true },
    ...(typeof text === "string" ? { description: text } : text),
  }));
  const keys = computeKeys(entries);
  return Object.fromEntries(
    Object.keys(texts).map((key, index) => {
      const place = { keys, index, later: entries.slice(index + 1) };
      return [`${name}-${key}`, { ...entries[index], [programInput()]: { place, key } }];
    }),
  );
}
