import fc from "fast-check";
import type { StatusPageIncidentUpdate } from "../../provider/client";
import {
  isOlder,
  newMatches,
  lookalike,
  snapshotOf,
  matchingUpdates,
} from "../../provider/lifecycles/history";
import { type Declaration, matches } from "../../provider/lifecycles/updateContent";

const declared: Declaration = {
  incidentId: "inc",
  status: "MONITORING",
  description: "We watch it.",
  notifySubscribers: false,
  occurrence: 1,
};

const update = fc.record({
  status: fc.constantFrom("MONITORING", "RESOLVED", null),
  description: fc.constantFrom("We watch it.", " We  watch it. ", "Other words."),
  notifySubscribers: fc.constantFrom(false, true, undefined),
  created_at: fc.option(fc.integer({ min: 0, max: 6 }).map((hour) => `2026-11-20T0${hour}:00:00Z`)),
});
const histories = fc
  .array(update, { maxLength: 12 })
  .map((updates): StatusPageIncidentUpdate[] => updates.map((each, index) => ({ ...each, id: `u${index}` })));
const idsOf = (updates: readonly StatusPageIncidentUpdate[]): string[] => updates.map(({ id }) => id);

it("counts identical updates in any order of the history", () => {
  const dated = histories.map((history) =>
    history.map((each, index) => ({ ...each, created_at: `2026-11-20T00:00:${10 + index}Z` })),
  );
  const shuffled = dated.chain((history) =>
    fc.tuple(
      fc.constant(history),
      fc.shuffledSubarray(history, { minLength: history.length, maxLength: history.length }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([history, inAnyOrder]) => {
      const expected = idsOf(history.filter((each) => matches(declared, each)));
      expect(idsOf(matchingUpdates(declared, inAnyOrder))).toEqual(expected);
    }),
  );
});

it("never finds updates of the snapshot or with different content", () => {
  fc.assert(
    fc.property(histories, fc.nat(12), (history, count) => {
      const before = history.slice(-count || history.length);
      const seen = snapshotOf(before);
      const found = newMatches(declared, seen, history);
      for (const each of found) {
        expect(idsOf(before)).not.toContain(each.id);
        expect(matches(declared, each)).toBe(true);
      }
    }),
  );
});

it("finds an update that was posted after the snapshot, in any position", () => {
  fc.assert(
    fc.property(histories, fc.nat(12), (before, place) => {
      const posted = {
        id: "posted",
        status: declared.status,
        description: declared.description,
        created_at: "2026-11-20T09:00:00Z",
      };
      const history = [...before.slice(0, place), posted, ...before.slice(place)];
      expect(idsOf(newMatches(declared, snapshotOf(before), history))).toEqual(["posted"]);
    }),
  );
});

it("reports as a lookalike only a new update with the same status and different content", () => {
  fc.assert(
    fc.property(histories, fc.nat(12), (history, count) => {
      const seen = snapshotOf(history.slice(count));
      const other = lookalike(declared, seen, history);
      const expected = history
        .slice(0, count)
        .some((each) => each.status === "MONITORING" && !matches(declared, each));
      expect(other !== undefined).toBe(expected);
      if (other) expect(seen.ids).not.toContain(other.id);
    }),
  );
});

it("finds a new update that a node with a slow clock dated an hour before the snapshot", () => {
  const before = [{ id: "seen", description: "", created_at: "2026-11-20T09:00:00Z" }];
  const posted = { ...declared, id: "posted", created_at: "2026-11-20T08:00:00Z" };
  expect(idsOf(newMatches(declared, snapshotOf(before), [...before, posted]))).toEqual(["posted"]);
});

it("an update precedes the others, not itself", () => {
  const history = ["new", "old"].map((id) => ({ id, description: "" }));
  expect(["new", "old", "gone"].map((id) => isOlder("old", id, history))).toEqual([true, false, false]);
});
