/** The order of a history: by the service's clock, and where that is the same, by the service's own order. */
import { snapshotOf, matchingUpdates } from "../../provider/lifecycles/history";

const declared = {
  incidentId: "i1",
  status: "MONITORING",
  description: "We watch it.",
  notifySubscribers: false,
  occurrence: 1,
} as const;

const at = (id: string, created_at: string | null) => ({
  id,
  status: declared.status,
  description: declared.description,
  created_at,
});

test("the newest update has the latest timestamp, in any position", () => {
  const history = [
    at("u2", "2026-11-20T09:02:00Z"),
    at("u4", "2026-11-20T09:04:00Z"),
    at("u1", "2026-11-20T09:01:00Z"),
    at("u3", "2026-11-20T09:03:00Z"),
  ];
  expect(snapshotOf(history)).toEqual({ ids: ["u2", "u4", "u1", "u3"], newest: "2026-11-20T09:04:00Z" });
  expect(snapshotOf([])).toEqual({ ids: [] });
  expect(snapshotOf([at("u1", null)])).toEqual({ ids: ["u1"] });
});

test("of equal timestamps the last in the list is the oldest", () => {
  const moment = "2026-11-20T09:00:00Z";
  const history = [at("third", moment), at("second", moment), at("first", moment)];
  expect(matchingUpdates(declared, history).map(({ id }) => id)).toEqual(["first", "second", "third"]);
});
