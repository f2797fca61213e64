/** Edits overwrite what the resource made public itself, and nobody else's words unasked. */
import { foreseeEdit } from "../../provider/protocol";
import {
  after,
  begun,
  choice,
  decided,
  declaration,
  endingOf,
  history,
  note,
  posted,
  reported,
  settled,
  timeUp,
  update,
} from "./steps";

const edit = { onChange: "edit" } as const;
const toB = { ...edit, description: "B" };
/** The note of a post of A says that it is update u. */
const noteOfU = note("x", { id: "u" });

it("a run asks before it edits a lost post that somebody has edited", () => {
  const found = [history([update("u", "edited")], [reported("lost", { id: "u" })])];
  expect(decided(settled({ declared: toB, events: found }))).toBe("refuses: editedSince, keeps u");
});

it("a run asks before an adopted update that says something else is edited", () => {
  const adopted = choice({ declared: edit, shown: [update("u", "edited")], noted: [noteOfU] });
  expect(decided(adopted)).toBe("refuses: editedSince");
});

it("a run adopts what a note identifies without an edit where updates are replaced", () => {
  expect(decided(choice({ shown: [update("u", "edited")], noted: [noteOfU] }))).toBe("has u");
});

it("a run edits what a lost post made public, and tells which note has it", () => {
  const found = [history([update("u")], [reported("lost")])];
  const step = settled({ declared: toB, events: found });
  expect(decided(step)).toBe("edits u");
  expect(step.task.applied).toEqual([expect.objectContaining({ nonce: "lost", id: "u" })]);
});

describe("an edit without a response", () => {
  const state = posted("u", edit, { made: madeOfA() });
  const unknown = { on: "unknown", text: "reset" } as const;
  const sentB = after(begun({ declared: toB, state }), [history([update("u")]), unknown]);
  const failed = after(sentB, [history([update("u")]), timeUp]);
  const lost = endingOf(failed).recorded;
  const shownB = { ...update("u", "B"), publicIncidentUpdateDate: update("u").created_at };

  it("an edit without a response is recorded, and edited back if the program declares the old words again", () => {
    expect(decided(failed)).toBe("refuses: editLost, keeps u");
    const again = begun({ declared: edit, state: lost });
    expect(again.ledger.plans.get("own")?.kind).toBe("edits");
    expect(decided(after(again, [history([shownB])]))).toBe("edits u");
  });

  it("an edit without a response is known as the resource's words, until a run has seen what became of it", () => {
    const toC = begun({ declared: { ...edit, description: "C" }, state: lost });
    expect(decided(after(toC, [history([shownB])]))).toBe("edits u");
    const kept = after(begun({ declared: toB, state: lost }), [history([shownB])]);
    expect(endingOf(kept)).not.toHaveProperty("recorded.lostEdits");
  });
});

it("a state has of an edit what the service made of it", () => {
  const state = posted("u", edit, { made: madeOfA() });
  const edits = begun({ declared: toB, state });
  const done = after(edits, [history([update("u")]), { on: "edited", update: update("u", "B!") }]);
  const again = begun({ declared: { ...edit, description: "C" }, state: endingOf(done).recorded });
  expect(decided(after(again, [history([update("u", "B!")])]))).toBe("edits u");
});

it("a run remembers in a preview what it edits, whatever is read", () => {
  const state = posted("u", edit, { made: madeOfA() });
  const edits = after(begun({ declared: toB, state }), [history([update("u")])]);
  const { ledger } = foreseeEdit(edits.ledger, edits.task);
  const read = after({ ...edits, ledger }, [history([update("u")])]);
  expect(read.ledger.view.updates).toMatchObject([{ id: "u", description: "B" }]);
});

/** What the state has of an update that the resource posted. */
function madeOfA(): string | undefined {
  const adopted = endingOf(choice({ shown: [update("u")], declared: declaration() }));
  return adopted.recorded?.kind === "posted" ? adopted.recorded.made : undefined;
}
