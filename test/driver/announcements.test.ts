/**
 * Incidents that a program opens, with their updates: the next maintenance with the same resource names, an incident that a colleague
 * resolves, and updates whose incident is unknown in a preview. An incident's first update belongs to the resource that declares the incident.
 */
import { type Sandbox, wellKnown } from "../../sandbox";
import { getNativeToken, programInput, unknownValue } from "../../provider/engine";
import { createTimeline, opening, type Scenario } from "./expecting";
import { playEach } from "./inProcess";
import { Output } from "./stack";

const page = wellKnown.componentPages.shop;
const [slow, done] = ["Orders may be slow until 03:00 UTC.", "The upgrade is done."];
const maintenance = { ...opening("Database upgrade 42"), description: slow };
const next = { ...maintenance, name: "Database upgrade 43" };
const on = (incident: string) => ({ statusPageId: page, incidentId: new Output(incident, "incidentId") });
const say = (description: string, more: object = {}) => ({
  ...{ ...on("maintenance"), status: "MONITORING", description, notifySubscribers: true },
  ...more,
});
/** An ID that is unknown in a preview of the dynamic provider. The program passes the names of the incidents that the ID depends on. */
const dependingOn = (...names: string[]) => ({
  incidentId: unknownValue,
  [programInput]: {
    incidents: names.map((name) => `urn:pulumi:test::test::${getNativeToken("Incident")}::${name}`),
  },
});
const resolving = say(done, { status: "RESOLVED" });

function getPage({ data }: Pick<Sandbox, "data">) {
  const [found] = data.accounts.flatMap(({ componentPages }) =>
    componentPages.filter(({ id }) => id === page),
  );
  if (!found) throw new Error("There is no page.");
  return found;
}
const listOpened = (service: Pick<Sandbox, "data">) =>
  getPage(service).incidents.filter(({ name }) => name.startsWith("Database"));

function resolveIncident(service: Sandbox): void {
  for (const { id, incidentUpdates } of listOpened(service)) {
    const [newest] = incidentUpdates;
    const created_at = new Date(Date.now() + 1_000).toISOString();
    const last = newest && { ...newest, id: "theirs", created_at, status: "RESOLVED" as const };
    service.dashboard.editIncident(id, { incidentUpdates: last ? [last, ...incidentUpdates] : [] }, page);
  }
}

/** Adds resolved incidents with these names and different texts to the page. */
const addResolved =
  (...names: string[]) =>
  (service: Sandbox): void =>
    service.dashboard.change((data) => {
      const { incidents } = getPage({ data });
      const [model] = incidents;
      const [update] = model?.incidentUpdates ?? [];
      if (!model || !update) throw new Error("There is no incident to copy.");
      for (const [index, name] of names.entries()) {
        const last = {
          ...update,
          id: `old-${index}`,
          status: "RESOLVED" as const,
          description: `Night ${index}.`,
        };
        incidents.unshift({
          ...model,
          id: `old-${index}`,
          name,
          incidentUpdates: [last],
          componentImpacts: [],
        });
      }
    });

const warning =
  'warning: IncidentUpdate "done": status is RESOLVED, and every subscriber is emailed, but the incident is already resolved. The program ' +
  "doesn't declare its newest update. Remove this update, or set notifySubscribers to false.";

const scenarios: Readonly<Record<string, Scenario>> = {
  "the updates of the next incident need new resource names": [
    { up: { maintenance, done: resolving }, posts: [{ name: maintenance.name }, done] },
    {
      preview: { "maintenance-43": next, done: { ...resolving, ...on("maintenance-43") } },
      ...{ isOrdered: true, plans: ["create"], fails: 1, posts: [] },
      says: [
        `incidentId must not change, because the update is public, and "maintenance-43" opens another incident. ` +
          "Nothing was posted. For another incident or page, give the resource a new name.",
      ],
    },
    {
      up: { "maintenance-43": next, "done-43": { ...resolving, ...on("maintenance-43") } },
      posts: [{ name: next.name }, done],
    },
  ],
  "a final update with an email causes a warning if a colleague has already resolved the incident": [
    { up: { maintenance } },
    {
      ...{ happens: resolveIncident, preview: { maintenance, done: resolving }, isOrdered: true },
      ...{ plans: ["create"], says: [warning] },
    },
    {
      preview: { maintenance, done: { ...resolving, notifySubscribers: false } },
      plans: ["create"],
      hides: /warning/,
    },
    { skips: 60_000, up: { maintenance, done: resolving }, posts: [done], says: [warning] },
    {
      preview: { maintenance, done: resolving, again: { ...resolving, description: "Post-mortem." } },
      hides: /warning/,
      isOrdered: true,
      plans: ["create"],
    },
  ],
  "an incident's first update belongs to the incident's resource, so a similar text is posted and the same text is rejected":
    [
      {
        up: {
          maintenance,
          ...createTimeline("story", { first: "Orders may be slow until 05:00 UTC." }, on("maintenance")),
        },
        posts: [{ name: maintenance.name }, "Orders may be slow until 05:00 UTC."],
      },
      {
        up: { maintenance, same: say(slow) },
        ...{ fails: 1, posts: [] },
        says: [
          '"maintenance" already declares this update (',
          "Remove one of the two, or change the text of this update.",
        ],
      },
    ],
  "opening an incident takes four reads on a page with 250 resolved incidents, even if 100 of them have the same name":
    [
      {
        happens: addResolved(
          ...Array.from({ length: 150 }, (_, index) => `Other ${index}`),
          ...Array.from({ length: 100 }, () => maintenance.name),
        ),
        ...{ up: { maintenance }, posts: [{ name: maintenance.name }] },
        reads: ["components", "incidents", "old-249", page].sort(),
      },
    ],
  "a preview rejects an update with the text of the incident that the program opens": [
    {
      preview: { maintenance, same: { ...say(slow), incidentId: unknownValue } },
      ...{ isOrdered: true, plans: ["create"], fails: 1 },
      says: ['"maintenance" already declares this update. Nothing was posted. Remove one of the two'],
    },
    ...[{ description: done }, { status: "IDENTIFIED" }].map((changes) => ({
      preview: { maintenance, other: { ...say(slow), incidentId: unknownValue, ...changes } },
      ...({ isOrdered: true, plans: ["create", "create"] } as const),
    })),
  ],
  "a preview rejects a public update if the run opens its unknown incident, and warns if the incident may be public":
    [
      { up: { maintenance, done: resolving } },
      {
        preview: { maintenance, "maintenance-43": next, done: { ...resolving, incidentId: unknownValue } },
        ...{ isOrdered: true, plans: ["create"], fails: 1 },
        says: ['and "maintenance-43" opens another incident.'],
      },
      {
        preview: {
          "maintenance-43": next,
          "maintenance-44": { ...next, name: "Database upgrade 44" },
          done: { ...resolving, incidentId: unknownValue },
        },
        ...{ isOrdered: true, plans: ["create", "create"], fails: 1 },
        says: ['and "maintenance-43" opens another incident.'],
      },
      {
        preview: {
          maintenance,
          "maintenance-43": next,
          done: { ...resolving, ...dependingOn("maintenance", "maintenance-43") },
        },
        ...{ isOrdered: true, plans: ["create", "update"] },
        says: ['IncidentUpdate "done" may be rejected by `pulumi up`; nothing is posted or emailed'],
      },
    ],
  "an incident is read again if a list shows it before its first update is visible": [
    { up: { maintenance } },
    {
      happens: (_, resources) => resources.clear(),
      faults: [{ kind: "status", code: 404, operation: "getComponentPageIncident", times: 3 }],
      ...{ up: { maintenance }, posts: [], says: ["adopted the identical incident"] },
    },
  ],
  "a preview names the incident that the program opens, and reads the incident whose impacts it changes": [
    {
      ...{
        preview: { maintenance, done: resolving },
        isOrdered: true,
        plans: ["create", "create"],
        posts: [],
      },
      says: [/IncidentUpdate "done" posts to the incident that "maintenance" opens/],
    },
    { up: { maintenance, first: say("First.") } },
    {
      preview: {
        maintenance: { ...maintenance, impacts: [] },
        first: say("First.", dependingOn("maintenance")),
        second: say("Second.", dependingOn("maintenance")),
      },
      ...{ isOrdered: true, plans: ["create", "update"], hides: /not known yet/, posts: [] },
      says: [/IncidentUpdate "second" posts to "Database upgrade 42" \(/],
    },
  ],
};

playEach(scenarios);
