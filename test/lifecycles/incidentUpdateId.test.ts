import fc from "fast-check";
import { updateStatuses } from "../../provider/client/schemas";
import { joinId, splitId, unconfirmedId } from "../../provider/lifecycles/incidentUpdateId";
import type { Declaration } from "../../provider/lifecycles/words";

const incidentIds = fc.stringMatching(/^[A-Za-z0-9_.~-]{1,40}$/);
const declarations: fc.Arbitrary<Declaration> = fc.record({
  incidentId: incidentIds,
  status: fc.constantFrom(...updateStatuses),
  description: fc.string(),
  notifySubscribers: fc.boolean(),
  publicIncidentUpdateDate: fc.option(fc.constant("2026-01-31T09:30:00Z"), { nil: undefined }),
  occurrence: fc.integer({ min: 1, max: 9 }),
});

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

it("gives an unconfirmed update an id that is stable, of its incident, and holds none of its words", () => {
  fc.assert(
    fc.property(declarations, (declared) => {
      const id = unconfirmedId(declared);
      expect(id).toBe(unconfirmedId({ ...declared }));
      expect(id).toBe(unconfirmedId({ ...declared, description: ` ${declared.description}\r\n` }));
      const { incidentId, incidentUpdateId = "" } = splitId(id) ?? {};
      expect(incidentId).toBe(declared.incidentId);
      expect(incidentUpdateId).toMatch(/^unconfirmed-[0-9a-f]{16}$/);
    }),
  );
});

it("gives other declarations other ids", () => {
  const declared: Declaration = {
    incidentId: "inc",
    status: "MONITORING",
    description: "We watch it.",
    notifySubscribers: false,
    occurrence: 1,
  };
  const others: Declaration[] = [
    declared,
    { ...declared, incidentId: "other" },
    { ...declared, status: "RESOLVED" },
    { ...declared, description: "We watch it!" },
    { ...declared, publicIncidentUpdateDate: "2026-01-31T09:30:00Z" },
    { ...declared, occurrence: 2 },
  ];
  expect(new Set(others.map(unconfirmedId)).size).toBe(others.length);
});
