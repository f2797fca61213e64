import fc from "fast-check";
import { joinId, splitId, unconfirmedId } from "../../provider/lifecycles/incidentUpdateId";

const incidentIds = fc.stringMatching(/^[A-Za-z0-9_.~-]{1,40}$/);

it("splits what it joined", () => {
  fc.assert(
    fc.property(incidentIds, fc.string({ minLength: 1 }), (incidentId, incidentUpdateId) => {
      expect(splitId(joinId(incidentId, incidentUpdateId))).toEqual({ incidentId, incidentUpdateId });
    }),
  );
});

it.each(["", "/", "incident", "/update", "incident/"])("takes %p for no id", (id) => {
  expect(splitId(id)).toBeUndefined();
});

it("gives an unconfirmed update an id of its incident that confirms no guess of its text", () => {
  fc.assert(
    fc.property(incidentIds, (id) => {
      const { incidentId, incidentUpdateId } = splitId(unconfirmedId(id)) ?? {};
      expect(incidentId).toBe(id);
      expect(incidentUpdateId).toMatch(/^unconfirmed-[0-9a-f]{16}$/);
      expect(unconfirmedId(id)).not.toBe(`${id}/${incidentUpdateId}`);
    }),
  );
});
