/** A run's information about a container: the incident that an update belongs to, and the owners of updates. */
import { createLedger, findDeclaredIncident, type Ledger } from "../../provider/protocol";
import { choice, type Choice, decided, fullHistory, posted, sent, update } from "./steps";

type Plan = Ledger["plans"] extends ReadonlyMap<string, infer One> ? One : never;
const opens: Plan = { kind: "keeps", recorded: posted("[predicted]") };
const keeps: Plan = { kind: "keeps", recorded: posted("i") };
const edits: Plan = { kind: "edits", recorded: posted("i") };
const unsettled: Plan = { kind: "unsettled", recorded: sent() };
const mayBeReplaced: Plan = { kind: "mayBeReplaced", changed: [] };
const [one, both] = [["one"], ["one", "two"]];

it.each<[string, plans: Plan[], resources: string[] | undefined, isPosted: boolean, by: string | undefined]>([
  ["no incident is declared", [], undefined, false, undefined],
  ["the incident's ID depends on one resource", [keeps, keeps], one, false, "one"],
  ["the incident's ID depends on a resource that is edited", [edits, keeps], one, false, "one"],
  [
    "the incident's ID depends on a resource whose post has an unknown result",
    [unsettled, keeps],
    one,
    false,
    undefined,
  ],
  [
    "the incident's ID depends on a resource that may be replaced",
    [mayBeReplaced, keeps],
    one,
    false,
    undefined,
  ],
  ["the incident's ID depends on two resources", [keeps, keeps], both, false, undefined],
  [
    "the update is public, and the ID depends on an incident that is opened and on a public one",
    [opens, keeps],
    both,
    true,
    undefined,
  ],
  [
    "the update is public, and the ID depends on two incidents that are opened",
    [opens, opens],
    both,
    true,
    "one",
  ],
  [
    "the update isn't public, and the ID depends on two incidents that are opened",
    [opens, opens],
    both,
    false,
    undefined,
  ],
  ["the ID's dependencies are unknown, and one incident is opened", [opens, keeps], undefined, false, "one"],
  ["the ID's dependencies are unknown, and no incident is opened", [keeps], undefined, false, undefined],
])("the incident of an update: %s", (_, plans, resources, isPosted, by) => {
  const ledger = { ...createLedger(), plans: new Map(plans.map((plan, index) => [both[index] ?? "", plan])) };
  const found = findDeclaredIncident(ledger, resources, isPosted);
  expect(found).toEqual(
    by === undefined ? undefined : { by, recorded: posted(plans[0] === opens ? "[predicted]" : "i") },
  );
});

const opener = { by: "incident", id: "i" };
it.each<[string, Choice, outcome: string]>([
  ["is the first update", { shown: [update("b", "B", 1), update("a")] }, "rejects: twin"],
  ["is a later update", { shown: [update("a", "A", 1), update("b", "B")] }, "owns a"],
  [
    "is the oldest in a history that may lack the first update",
    { shown: fullHistory(update("a", "A", -500)) },
    "owns a",
  ],
  [
    "is the first update, and another resource owns it",
    { shown: [update("a")], owners: { other: posted("a", { description: "B" }) } },
    "posts",
  ],
])("the declared update of an incident that a resource of this run declares %s", (_, given, outcome) => {
  expect(decided(choice({ ...given, opener }))).toBe(outcome);
});
