/** What a run knows of a container: the incident that an update belongs to, and the owners of updates. */
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
  ["its ID depends on one", [keeps, keeps], one, false, "one"],
  ["its ID depends on one that is edited", [edits, keeps], one, false, "one"],
  ["its ID depends on a lost post", [unsettled, keeps], one, false, undefined],
  ["its ID depends on one that may be replaced", [mayBeReplaced, keeps], one, false, undefined],
  ["its ID depends on two", [keeps, keeps], both, false, undefined],
  ["it is public, and its ID depends on a public one of two", [opens, keeps], both, true, undefined],
  ["it is public, and its ID depends on two that are opened", [opens, opens], both, true, "one"],
  ["its ID depends on two that are opened", [opens, opens], both, false, undefined],
  ["only the ID of one that is opened is unknown", [opens, keeps], undefined, false, "one"],
  ["no ID is unknown", [keeps], undefined, false, undefined],
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
  ["may be older than the history", { shown: fullHistory(update("a", "A", -500)) }, "owns a"],
  [
    "is another resource's first update",
    { shown: [update("a")], owners: { other: posted("a", { description: "B" }) } },
    "posts",
  ],
])("the declared update of an incident that this run opens %s", (_, given, outcome) => {
  expect(decided(choice({ ...given, opener }))).toBe(outcome);
});
