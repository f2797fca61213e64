import fc from "fast-check";
import { joinId, splitId, sentId } from "../../../provider/lifecycles/incidentUpdate/incidentUpdateId";

const incidentIds = fc.stringMatching(/^[A-Za-z0-9_.~-]{1,40}$/);

it("splits a joined id", () => {
  fc.assert(
    fc.property(incidentIds, fc.string({ minLength: 1 }), (incidentId, incidentUpdateId) => {
      expect(splitId(joinId(incidentId, incidentUpdateId))).toEqual({ incidentId, incidentUpdateId });
    }),
  );
});

it.each(["", "/", "incident", "/update", "incident/"])("rejects %p as an id", (id) => {
  expect(splitId(id)).toBeUndefined();
});

it("generates the id of an update that was sent from the incident id and the nonce of the post", () => {
  fc.assert(
    fc.property(incidentIds, (id) => {
      const { incidentId, incidentUpdateId } = splitId(sentId(id, "sent")) ?? {};
      expect(incidentId).toBe(id);
      expect(incidentUpdateId).toMatch(/^update-[0-9a-f]{16}$/);
      expect(sentId(id, "sent again")).not.toBe(`${id}/${incidentUpdateId}`);
    }),
  );
});
