/** Runs an example for each sentence about incidents in docs/reference/getOpenIncidents.md, so that each of them stays true. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lookups, runLookup } from "../../provider/lookups";
import { root } from "../../tools/setup";
import { connectionsTo, type Lists, serveLists, withCards, withComponents } from "./lists";

const incident = (id: string, more: object = {}) => ({ id, name: id, created_at: "2026-01-01", ...more });
const api = { id: "api", name: "API" };
const impactOn = (componentId: string, endedAt: string | null = null, status = "MAJOR_OUTAGE") => ({
  componentImpacts: [{ componentId, status, endedAt }],
});

/** Lists a page with cards that shows a service. */
const onCards = (...incidents: object[]): Lists => ({
  [withCards]: [
    { id: "shop", name: "Shop", cards: [{ id: "card", name: "Card", services: [api] }], incidents },
  ],
});
/** Lists a page with a group of two components. */
const onComponents = (...incidents: object[]): Lists => ({
  [withComponents]: [{ id: "labs", name: "Labs" }],
  [`${withComponents}/labs/incidents`]: incidents,
  [`${withComponents}/labs/components`]: [
    { id: "group", name: "Group" },
    { id: "one", name: "One", parentId: "group" },
    { ...api, parentId: "group" },
  ],
});
const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const inBoth = (...ids: string[]): Lists => ({
  ...onComponents(...ids.map((id) => incident(id))),
  [withCards]: [{ id: "labs", name: "Labs", cards: [], incidents: [incident("old")] }],
});

type Example = readonly [Lists, args: object, open: string[]];

const examples: Record<string, Example[]> = {
  "An incident without a known severity is treated as the most severe.": [
    [onCards(incident("a"), incident("b", { severity: "ODD" })), { atLeast: "CRITICAL" }, ["a", "b"]],
    [onCards(incident("a", { severity: "MAJOR" })), { atLeast: "CRITICAL" }, []],
  ],
  "An incident is treated as affecting every service if it has no list of services (on a page with cards) or no impact that is still active (on a page with components).":
    [
      [onCards(incident("a"), incident("b", { services: [] })), { services: ["API"] }, ["a"]],
      [
        onComponents(
          incident("a"),
          incident("b", impactOn("one", soon(-60))),
          incident("c", impactOn("one")),
        ),
        { services: ["API"] },
        ["a", "b"],
      ],
    ],
  "An impact on a component also affects the groups that contain the component. An impact on a group affects all of its members.":
    [
      [onComponents(incident("a", impactOn("one"))), { services: ["Group"] }, ["a"]],
      [onComponents(incident("a", impactOn("group"))), { services: ["API"] }, ["a"]],
    ],
  "An impact on a component that the page doesn't list affects every service.": [
    [onComponents(incident("a", impactOn("unlisted"))), { services: ["API"] }, ["a"]],
  ],
  "An impact is still active if its `endedAt` isn't a valid time or is more than five minutes in the future.":
    [
      [
        onComponents(
          incident("a", impactOn("one", "soon")),
          incident("b", impactOn("one", soon(6))),
          incident("c", {
            componentImpacts: [impactOn("one", soon(4)), impactOn("api")].flatMap(
              (each) => each.componentImpacts,
            ),
          }),
        ),
        { services: ["One"] },
        ["a", "b"],
      ],
    ],
  "While a page is migrated, both lists may contain it. An incident is counted once if both lists contain it with the same ID. If the service gave it a new ID, it is counted twice until the page is no longer in the list of pages with cards.":
    [
      [inBoth("old"), {}, ["old"]],
      [inBoth("new"), {}, ["old", "new"]],
      [{ ...inBoth("new"), [withCards]: [] }, {}, ["new"]],
    ],
  "Incidents on pages with components have no severity, so `atLeast` excludes none of them. Incidents on pages with cards have no impacts, so `atLeastImpact` excludes none of them. In an account with both kinds of pages, set both.":
    [
      [onComponents(incident("a", impactOn("one"))), { atLeast: "CRITICAL" }, ["a"]],
      [onCards(incident("a", { severity: "MINOR" })), { atLeastImpact: "MAJOR_OUTAGE" }, ["a"]],
    ],
  "With `atLeastImpact`, an incident without an active impact matches, and an unknown state of a component is treated as the worst. With `services` as well, the impact must be on one of the services.":
    [
      [
        onComponents(
          incident("a"),
          incident("b", impactOn("one", null, "ODD")),
          incident("c", impactOn("one", null, "DEGRADED_PERFORMANCE")),
        ),
        { atLeastImpact: "MAJOR_OUTAGE" },
        ["a", "b"],
      ],
      [
        onComponents(
          incident("a", impactOn("one")),
          incident("b", {
            componentImpacts: [
              ...impactOn("one").componentImpacts,
              ...impactOn("api", null, "DEGRADED_PERFORMANCE").componentImpacts,
            ],
          }),
        ),
        { atLeastImpact: "MAJOR_OUTAGE", services: ["API"] },
        [],
      ],
    ],
};

const page = readFileSync(join(root, "docs/reference/getOpenIncidents.md"), "utf8");
const [, section = ""] = /### Which incidents match\n(.*?)<!-- generated -->/s.exec(page) ?? [];

test("each sentence of the page on incidents has an example", () => {
  expect([...section.matchAll(/^- (.*)$/gm)].map(([, sentence]) => sentence)).toEqual(Object.keys(examples));
});

const rows = Object.entries(examples).flatMap(([sentence, each]) =>
  each.map((example, index) => [sentence, index + 1, ...example] as const),
);
test.each(rows)("%s (example %i)", async (_sentence, _index, lists, args, open) => {
  const connections = connectionsTo(await serveLists({ [withCards]: [], ...lists }));
  const { incidents } = await runLookup(lookups.getOpenIncidents, args, { connections });
  expect(incidents.map(({ id }) => id)).toEqual(open);
});
