/** A resource whose incident has a new location finds its update there, perhaps with a different ID, and posts nothing. */
import { type Event, normalizeUpdate } from "../../provider/protocol";
import { computeContentVersion } from "../../provider/protocol/identity";
import {
  after,
  begun,
  byId,
  choice,
  type Choice,
  decided,
  declaration,
  getEnding,
  fullHistory,
  lost,
  missing,
  now,
  pastOne,
  posted,
  getRefusal,
  type Row,
  timeUp,
  update,
} from "./steps";

const noon = { publicIncidentUpdateDate: "2026-01-01T12:00:00Z" };
const dayBefore = { publicIncidentUpdateDate: "2025-12-31T12:00:00Z" };
const state = posted("old", {}, { createdAt: new Date(now).toISOString() });
const second = { declared: { occurrence: 2 }, state: posted("old", { occurrence: 2 }) };
const ofNoon = { declared: noon, state: posted("old", noon) };
/** The program declares the same update on incident j. */
const moved = ({ declared, ...given }: Choice) =>
  choice({ isMoved: true, state, ...given, declared: { containerId: "j", ...declared } });
const [a, b, x] = [update("a"), update("b", "A", 1), update("x", "X")];
const [ofB, asB] = [{ onChange: "edit", description: "B" } as const, update("b", "B")];
const unseen = { ...state, published: undefined };
const seenAsX = {
  declared: { description: "X" },
  state: { ...state, published: normalizeUpdate(update("old", "X")) },
};
const stillEdit = { declared: { onChange: "edit" } } as const;
const adopted = { ...state, isByWords: true };

it.each<Row>([
  ["by its content, although no run has read it", { state: unseen, shown: [x, a] }, "has a"],
  [
    "by its content and date",
    {
      ...ofNoon,
      shown: [
        { ...b, ...noon },
        { ...a, ...dayBefore },
      ],
    },
    "has b",
  ],
  ["by its creation time", { shown: [b, a, update("c", "A", -0.5)] }, "has a"],
  [
    "not by position, if there are fewer updates than the occurrence",
    { ...second, declared: { occurrence: 3 }, state: posted("old", { occurrence: 3 }), shown: [b, a] },
    "refuses: notThere",
  ],
  ["not by position in a cut history", { ...second, shown: [b, a, ...fullHistory()] }, "asks for old"],
  [
    "by its ID, if it isn't in the cut history",
    { shown: fullHistory(), events: [byId(update("old", "X"))] },
    "has old",
  ],
  [
    "nowhere, if neither the cut history nor its ID shows it",
    { shown: fullHistory(), events: [byId()] },
    "refuses: notThere",
  ],
  ["by its content before the change that the last refresh found", { ...seenAsX, shown: [a] }, "has a"],
  [
    "by its ID, if it was edited on the service and the declaration is unchanged",
    { ...stillEdit, shown: [update("old", "X")] },
    "has old",
  ],
  [
    "not if it is older than the tolerance for clocks allows",
    { shown: [update("c", "A", -1.1)] },
    "refuses: notThere",
  ],
  ["by the declared content, if a killed run may have edited it", { declared: ofB, shown: [asB] }, "edits b"],
])("the search at the new location finds the update %s", (_, given, outcome) =>
  expect(decided(moved(given))).toBe(outcome),
);

it("an update and the earlier updates that are shown are recorded with their IDs at the new location", () => {
  const past = [pastOne("p", "P"), pastOne("q", "Q")];
  const done = getEnding(moved({ state: { ...state, past }, shown: [a, update("p2", "P")] }));
  expect(done).toMatchObject({
    kind: "kept",
    recorded: { id: "a", declared: { containerId: "j" }, past: [{ id: "p2", container: "j" }, { id: "q" }] },
    notices: [{ kind: "moved", id: "a" }],
  });
  expect(done).not.toHaveProperty("recorded.isByWords");
  expect(getEnding(moved({ state: adopted, shown: [a] }))).toMatchObject({ recorded: { isByWords: true } });
  const elsewhere = { ...pastOne("e", "E"), container: "k" };
  const kept = getEnding(moved({ state: { ...state, past: [elsewhere] }, shown: [a] }));
  expect(kept).toMatchObject({ recorded: { past: [elsewhere] } });
});

it("a replaced update and the updates before it are recorded as earlier updates with their IDs at the new location", () => {
  const past = [pastOne("p", "P")];
  const shown = [update("p2", "P"), a];
  const { task } = moved({ declared: { description: "B" }, state: { ...state, past }, shown });
  const predecessors = [
    { ...pastOne("p2", "P"), container: "j" },
    { ...pastOne("a"), container: "j" },
  ];
  expect(task.phase).toMatchObject({ kind: "post", sent: { past: predecessors } });
  const still = choice({ declared: { description: "B" }, state: { ...state, past }, shown });
  expect(still.task.phase).toMatchObject({ sent: { past: [{ id: "p" }, { id: "old" }] } });
});

it.each([
  [
    "isn't drift if the content is the same",
    { ...a, publicIncidentUpdateDate: "2026-01-01T00:00:00Z" },
    "edits a",
  ],
  ["is drift if the content differs", update("old", "X"), "refuses: editedSince"],
])("a date that a migration changed %s", (_, shown, outcome) => {
  const before = posted("old", noon, { made: computeContentVersion(declaration(noon)) });
  expect(decided(moved({ declared: ofB, state: before, shown: [shown] }))).toBe(outcome);
  const kept = getEnding(moved({ declared: noon, state: before, shown: [shown] }));
  expect(kept).toMatchObject({
    recorded: {
      made: computeContentVersion(outcome === "edits a" ? normalizeUpdate(shown) : declaration(noon)),
    },
  });
});

it.each<[Event, object]>([
  [missing, { kind: "failed", text: "404" }],
  [timeUp, { kind: "failed", text: "" }],
  [
    { ...timeUp, text: "SIGINT" },
    { kind: "failed", text: "SIGINT" },
  ],
])("a task fails with the reason if the new location can't be read: %j", (event, refusal) => {
  const first = begun({ isMoved: true, state, declared: { containerId: "j" } });
  expect(decided(first)).toBe("reads");
  expect(getRefusal(after(first, [event]))).toEqual(refusal);
  expect(getRefusal(moved({}))).toEqual({ kind: "notThere", id: "old" });
  expect(() => after(first, [lost])).toThrow("unknown, although nothing was posted.");
});
