/** How a declaration begins, what a run knows of the incident, and what happens when it can't be read. */
import { type Event } from "../../provider/protocol";
import {
  after,
  begun,
  type Choice,
  decided,
  fullHistory,
  history,
  ledgerOf,
  missing,
  note,
  now,
  posted,
  settled,
  timeUp,
  unread,
  update,
} from "./steps";

describe("a declaration begins", () => {
  it.each([
    ["another incident", { incidentId: "j" }, "refuses: moved, keeps it"],
    ["another text", { description: "B" }, "reads"],
  ])("of which an earlier run sent %s", (_, was, outcome) => {
    expect(decided(settled({ was, events: [] }))).toBe(outcome);
  });

  const owners = { own: posted("a") };
  const edited = { own: posted("a", {}, { published: update("a", "B") }) };
  it.each<[string, Choice, string]>([
    ["keeps the update", { owners }, "has a"],
    ["keeps it with another flag", { owners, declared: { notifySubscribers: true } }, "has a"],
    ["keeps it as it was edited", { owners: edited, declared: { description: "B" } }, "has a"],
    ["reads for another content", { owners, declared: { description: "B" } }, "reads"],
    ["reads for one that is missing", { owners: { own: posted("a", {}, { missing: true }) } }, "reads"],
  ])("after a replacement by the engine alone: %s", (_, given, outcome) => {
    expect(decided(begun(given))).toBe(outcome);
  });
});

describe("a declaration whose incident can't be read", () => {
  const waiting = history([], [note("x", { mayAppearUntil: now + 1000 })]);
  const fails = (text: string) => ({ ending: { kind: "refused", refusal: { why: "failed", text } } });
  const gone = { ending: { refusal: { text: "404", isMissing: true } } };
  it.each<[string, Event[], object]>([
    ["is read again while it waits", [waiting, unread], { do: "read", again: true, until: now + 1000 }],
    ["fails when it doesn't wait", [unread], fails("503")],
    ["fails when the wait has ended", [waiting, { ...unread, now: now + 1000 }], fails("503")],
    ["fails when the incident is gone", [waiting, missing], gone],
    ["fails when the run was cancelled", [waiting, { ...timeUp, text: "503" }], fails("503")],
    ["fails without a text", [timeUp], fails("")],
  ])("%s", (_, events, outcome) => expect(after(begun({}), events).command).toMatchObject(outcome));
});

describe("the view of a run", () => {
  const few = [update("a")];
  const full = fullHistory();
  const waiting = [note("x", { text: "Z" }), note("y", { text: "Z", id: "b" })];
  /** After reads by a declaration that waits. */
  const viewAfter = (reads: readonly (typeof few)[], ...events: Event[]) => {
    const first = begun({ declared: { description: "Z" } });
    return after(first, [...reads.map((shown) => history(shown, waiting)), ...events]).ledger.view;
  };
  it.each([
    ["nothing read", [], false],
    ["a short one, then a full one that overlaps", [full.slice(1), full], true],
    ["a short one, then a full one that doesn't", [few, full], false],
  ])("is complete after %s: %#", (_, reads, complete) => {
    expect(viewAfter(reads).complete).toBe(complete);
    expect(ledgerOf().view.updates).toEqual([]);
  });
});
