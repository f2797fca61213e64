import { begin, step } from "../../provider/protocol";
import { decided, declaration, history, ledgerOf, note, now, update } from "./steps";

describe("a noted update that is found by its id", () => {
  const publicIncidentUpdateDate = "2026-01-01T00:00:00Z";
  const declared = declaration({ publicIncidentUpdateDate });
  it.each([
    ["has another date", { publicIncidentUpdateDate: "2026-02-01T00:00:00Z" }, "posts"],
    ["has the declared date", { publicIncidentUpdateDate }, "has u"],
    [
      "has another text, for the service changed it",
      { publicIncidentUpdateDate, description: "A." },
      "has u",
    ],
  ])("%s", (_, others, outcome) => {
    const sent = [note("x", { id: "u" })];
    const begun = begin(ledgerOf(), { resource: "own", declared, nonce: "n" });
    const asked = step(begun.ledger, begun.task, history([], sent));
    expect(decided(asked)).toBe("asks for u");
    const found = { on: "update" as const, id: "u", update: { ...update("u"), ...others }, sent, now };
    expect(decided(step(asked.ledger, asked.task, found))).toBe(outcome);
  });
});
