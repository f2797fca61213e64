/** An edit overwrites only content that the resource wrote itself. */
import { type StatusPageIncidentUpdate } from "../../provider/api";
import { type Event, type PostedUpdate, predictWrite, normalizeUpdate } from "../../provider/protocol";
import { computeContentVersion } from "../../provider/protocol/identity";
import {
  after,
  begun,
  byId,
  choice,
  type Choice,
  decided,
  getResult,
  history,
  hour,
  keyed,
  lost,
  note,
  now,
  posted,
  getRejection,
  rejected,
  responds,
  type Row,
  timeUp,
  unread,
  update,
} from "./steps";

const toB = { ...keyed, description: "B" };
/** The resource owns update u with text A, which it wrote itself, and declares B. */
const state = posted("u", keyed);
const a = update("u");
const b = update("u", "B");
const changed = (given: Choice) => choice({ declared: toB, state, shown: [a], ...given });
const edits = (id: string, text = "B"): Event => responds(update(id, text), "edited");
const x = update("u", "X");
/** The state after a refresh that found text X instead of the text that the resource wrote. */
function driftOf(text: string): PostedUpdate {
  return { ...state, written: versionOf(update("u", text)), published: normalizeUpdate(x) };
}

it.each<Row>([
  ["the update isn't shown", { shown: [] }, "reads u"],
  [
    "a change on the service has disappeared, and the service had changed the text that was posted",
    { declared: keyed, state: driftOf("A!"), shown: [update("u", "A!")] },
    "owns u",
  ],
])("before an edit: %s", (_, given, outcome) => expect(decided(changed(given))).toBe(outcome));

/** An edit to this text whose content reads return until this time. */
const wasUntil = (text: string, until?: number) => ({
  state: {
    ...state,
    mayShow: [{ version: versionOf(update("u", text)), ...(until !== undefined && { until }) }],
  },
});
const anyUntil = (until: number) => ({ state: { ...state, mayShow: [{ version: "", until }] } });
const respelled = { declared: { ...keyed, description: "A " }, state: posted("u", keyed) };
it.each<[string, Event[], outcome: string, given?: Choice]>([
  [
    "contains an earlier text that reads may still return",
    [edits("u", "C")],
    "reads",
    wasUntil("C", now + 1),
  ],
  ["contains an earlier text that no read returns any more", [edits("u", "C")], "owns u", wasUntil("C", now)],
  ["is lost", [lost], "reads"],
  ["is lost, and a read fails", [lost, unread], "reads again"],
  ["is lost, and a read shows the earlier text", [lost, history([a])], "reads again", respelled],
  ["is lost, and reads may return any earlier text", [lost, history([b])], "reads again", anyUntil(now + 1)],
  ["is lost, and no read returns an earlier text any more", [lost, history([b])], "owns u", anyUntil(now)],
])("after an edit: the response %s", (_, events, outcome, given = {}) =>
  expect(decided(changed({ ...given, events }))).toBe(outcome),
);

const resolved = { status: "RESOLVED" } as const;
const resolvedA = { ...a, ...resolved };
const news = { ...keyed, status: "IDENTIFIED" } as const;
it.each<Row>([
  [
    "a new update under the key of a public entry",
    { declared: { ...news, description: "B" } },
    "rejects: keyReused",
  ],
  ["the resolution of an open incident", { declared: { ...keyed, ...resolved } }, "rejects: keyReused"],
  [
    "the status RESOLVED, after a newer update resolved the incident",
    {
      declared: { ...keyed, ...resolved },
      shown: [{ ...update("v", "V", 2), ...resolved }, update("w", "W", 1), a],
    },
    "edits u",
  ],
  [
    "a different text of a resolution, after a newer update reopened the incident",
    {
      declared: { ...toB, ...resolved },
      state: { ...posted("u", { ...keyed, ...resolved }), written: versionOf(resolvedA) },
      shown: [update("v", "V", 1), resolvedA],
    },
    "edits u",
  ],
])("before an edit: the program declares %s", (_, given, outcome) =>
  expect(decided(changed(given))).toBe(outcome),
);

const atNoon = { publicIncidentUpdateDate: "2026-01-01T12:00:00Z" };

it("an edit that keeps hardly any word of the text causes a notice if the program declares an email", () => {
  const { task } = changed({ declared: { ...toB, notifySubscribers: true } });
  expect(task.notices).toEqual([{ kind: "rewrites", id: "u" }]);
});

const failed = { kind: "failed" };
const ignored = "The service responded to the edit of update u with the earlier text.";
const otherId = "The service responded to the edit of update u with update v.";
it.each<[string, Event[], object]>([
  ["was rejected", [history([a]), rejected], { ...failed, text: "403" }],
  ["can't start within the time limit", [timeUp], { ...failed, text: "" }],
  ["has an unknown result", [history([a]), edits("v"), timeUp], { kind: "editLost", text: otherId }],
  ["is ignored", [history([a]), edits("u", "A"), timeUp], { kind: "editLost", text: ignored }],
])("an edit that %s fails with the reason", (_, events, rejection) =>
  expect(getRejection(after(begun({ declared: toB, state }), events))).toEqual(rejection),
);

const own = { text: "X", id: "u", isOwn: true };
const wroteX = (as: { readonly until: number }) => ({
  state: { ...state, mayShow: [{ version: versionOf({ ...x, ...atNoon }), ...as }] },
});
const withSign = posted("u", { ...keyed, description: "X \u2713" }, { published: update("u", "X \u2713") });
it.each<Row>([
  ["a killed run of the resource", { notes: [note("x", own)] }, "edits u"],
  [
    "a resource of a different stack",
    { notes: [note("x", { ...own, isOwn: undefined })] },
    "rejects: editedSince",
  ],
  ["the resource, in an edit that reads may still return", wroteX({ until: now + hour }), "edits u"],
  ["the resource, in an edit that no read returns any more", wroteX({ until: now }), "rejects: editedSince"],
  [
    "the resource, with a character that reads lose and a status that someone changed",
    { state: withSign, shown: [{ ...x, status: "IDENTIFIED" }] },
    "rejects: editedSince",
  ],
])("before an edit: the shown content was written by %s", (_, given, outcome) =>
  expect(decided(changed({ shown: [{ ...update("u", "X"), ...atNoon }], ...given }))).toBe(outcome),
);

it("an edit is distinguished from drift that has disappeared, and never leads to a post", () => {
  const drifted = { ...state, published: normalizeUpdate(update("u", "X")) };
  expect(getResult(changed({ declared: keyed, state: drifted }))).toMatchObject({
    kind: "kept",
    recorded: { missing: false },
  });
  for (const events of [[edits("u")], [lost, history([b])]])
    expect(getResult(changed({ events })).kind).toBe("edited");
  expect(() => changed({ events: [responds(b)] })).toThrow("An edit led to a post.");
  const { command, task } = changed({ declared: { ...toB, publicIncidentUpdateDate: "2026-01-01" } });
  expect(command).toEqual({ kind: "edit", id: "u", date: "2026-01-01" });
  expect(task).toMatchObject({ notices: [] });
});

describe("an update that is no longer shown", () => {
  const createState = (ms: number) => ({ ...state, createdAt: new Date(now - ms).toISOString() });
  const gone = { shown: [], events: [byId()] };

  it.each<[string, Choice, outcome: string]>([
    ["is recorded as missing if the edit was lost", { declared: keyed }, "owns u"],
    ["is rejected while it may appear", { declared: keyed, state: createState(0) }, "rejects: gone"],
    ["is rejected if its age is unknown", { declared: keyed, state }, "rejects: gone"],
  ])("an update that is no longer shown %s", (_, given, outcome) => {
    const { state: of = createState(hour), ...others } = given;
    const lostEdits = of.kind === "posted" ? { ...of, mayShow: [{ version: "x" }] } : of;
    const step = changed({ ...gone, ...others, state: lostEdits });
    expect(decided(step)).toBe(outcome);
    if (outcome !== "owns u") return;
    const kept = { ...createState(hour), missing: true };
    expect(getResult(step)).toEqual({ kind: "kept", recorded: kept, notices: [] });
  });
});

it("the state records an edit as the service stored it", () => {
  const done = changed({ events: [edits("u", "B!")] });
  const remarks = [{ kind: "altered", id: "u" }];
  expect(getResult(done)).toMatchObject({
    recorded: { missing: false, mayShow: [{ version: state.written, until: expect.any(Number) }] },
    notices: remarks,
  });
  const again = begun({ declared: { ...keyed, description: "C" }, state: getResult(done).recorded });
  expect(decided(after(again, [history([update("u", "B!")])]))).toBe("edits u");
});

it("a text whose reads lose a character that the response contained is edited", () => {
  const sign = changed({ declared: { ...keyed, description: "B \u2713" }, events: [edits("u", "B \u2713")] });
  const again = begun({ declared: { ...keyed, description: "C" }, state: getResult(sign).recorded });
  expect(decided(after(again, [history([update("u", "B")])]))).toBe("edits u");
  expect(decided(after(again, [history([update("u", "B.")])]))).toBe("rejects: editedSince");
});

it("a preview predicts an edit with the public date that the update has", () => {
  const dated = { ...a, publicIncidentUpdateDate: "2026-01-02" };
  const edits = changed({ shown: [dated], state: { ...state, written: versionOf(dated) } });
  const { ledger, prediction } = predictWrite(edits.ledger, edits.task);
  expect(prediction).toMatchObject({ kind: "edited", was: dated });
  expect(ledger.view.updates).toMatchObject([{ ...dated, description: "B" }]);
});

function versionOf(shown: StatusPageIncidentUpdate): string {
  return computeContentVersion(normalizeUpdate(shown));
}

it("a run searches for an edit whose response contains the old text, and the next run edits again", () => {
  const ignored = changed({ events: [edits("u", a.description)] });
  expect(decided(ignored)).toBe("reads");
  const lost = after(ignored, [history([a]), timeUp]);
  expect(decided(lost)).toBe("rejects: editLost, keeps u");
  const again = begun({ declared: toB, state: getResult(lost).recorded });
  expect(decided(after(again, [history([a])]))).toBe("edits u");
});
