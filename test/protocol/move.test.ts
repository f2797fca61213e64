/** A resource whose incident has another address by now finds its update there, perhaps with another id, and posts nothing. */
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
  endingOf,
  fullHistory,
  lost,
  missing,
  now,
  pastOne,
  posted,
  refusalOf,
  type Row,
  timeUp,
  update,
} from "./steps";

const noon = { publicIncidentUpdateDate: "2026-01-01T12:00:00Z" };
const dayBefore = { publicIncidentUpdateDate: "2025-12-31T12:00:00Z" };
const state = posted("old", {}, { createdAt: new Date(now).toISOString() });
const second = { declared: { occurrence: 2 }, state: posted("old", { occurrence: 2 }) };
const ofNoon = { declared: noon, state: posted("old", noon) };
/** The program declares the same at incident j. */
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
  ["by its words, although no run has seen it", { state: unseen, shown: [x, a] }, "has a"],
  [
    "by its words and date",
    {
      ...ofNoon,
      shown: [
        { ...b, ...noon },
        { ...a, ...dayBefore },
      ],
    },
    "has b",
  ],
  ["by the time of its post", { shown: [b, a, update("c", "A", -0.5)] }, "has a"],
  [
    "by no place, for the third",
    { ...second, declared: { occurrence: 3 }, state: posted("old", { occurrence: 3 }), shown: [b, a] },
    "refuses: notThere",
  ],
  ["by no place in a part", { ...second, shown: [b, a, ...fullHistory()] }, "asks for old"],
  [
    "by its id alone, where all others are full",
    { shown: fullHistory(), events: [byId(update("old", "X"))] },
    "has old",
  ],
  ["nowhere, where all others are full", { shown: fullHistory(), events: [byId()] }, "refuses: notThere"],
  ["as before the change that the last refresh saw", { ...seenAsX, shown: [a] }, "has a"],
  [
    "edited by hand, where nothing else is declared",
    { ...stillEdit, shown: [update("old", "X")] },
    "has old",
  ],
  ["older than clocks differ", { shown: [update("c", "A", -1.1)] }, "refuses: notThere"],
  ["edited already by a run that was killed, and makes sure", { declared: ofB, shown: [asB] }, "edits b"],
])("the update is found at the new address %s", (_, given, outcome) =>
  expect(decided(moved(given))).toBe(outcome),
);

it("an update is recorded with its id at the new address, as are the earlier ones that are shown", () => {
  const past = [pastOne("p", "P"), pastOne("q", "Q")];
  const done = endingOf(moved({ state: { ...state, past }, shown: [a, update("p2", "P")] }));
  expect(done).toMatchObject({
    kind: "kept",
    recorded: { id: "a", declared: { containerId: "j" }, past: [{ id: "p2", container: "j" }, { id: "q" }] },
    notices: [{ kind: "moved", id: "a" }],
  });
  expect(done).not.toHaveProperty("recorded.isByWords");
  expect(endingOf(moved({ state: adopted, shown: [a] }))).toMatchObject({ recorded: { isByWords: true } });
  const elsewhere = { ...pastOne("e", "E"), container: "k" };
  const kept = endingOf(moved({ state: { ...state, past: [elsewhere] }, shown: [a] }));
  expect(kept).toMatchObject({ recorded: { past: [elsewhere] } });
});

it("an update that is replaced is a predecessor with its id at the new address, as are those before it", () => {
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
    "of the same words is nobody's change",
    { ...a, publicIncidentUpdateDate: "2026-01-01T00:00:00Z" },
    "edits a",
  ],
  ["of other words is somebody's change", update("old", "X"), "refuses: editedSince"],
])("a date that the migration made %s", (_, shown, outcome) => {
  const before = posted("old", noon, { made: computeContentVersion(declaration(noon)) });
  expect(decided(moved({ declared: ofB, state: before, shown: [shown] }))).toBe(outcome);
  const kept = endingOf(moved({ declared: noon, state: before, shown: [shown] }));
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
])("a new address that can't be read is refused with the reason: %j", (event, refusal) => {
  const first = begun({ isMoved: true, state, declared: { containerId: "j" } });
  expect(decided(first)).toBe("reads");
  expect(refusalOf(after(first, [event]))).toEqual(refusal);
  expect(refusalOf(moved({}))).toEqual({ kind: "notThere", id: "old" });
  expect(() => after(first, [lost])).toThrow("unknown, although nothing was posted.");
});
