/**
 * What a user reads of each notice and refusal: the snapshot has every sentence. The guide on troubleshooting quotes most refusals;
 * other tests assert no more of a sentence than tells its reason. Previews: report.test.ts.
 */
import { type Declaration, type Notice, type Refusal } from "../../provider/protocol";
import { formatNotice, formatRefusal } from "../../provider/wording";
import { declaration, missing, sent, unread, update } from "../protocol/steps";

const since = "2026-01-01T12:00:00.000Z";
const at = Date.parse(since);
const codes = ["cf3a1c20"];
const two = ["cf3a1c20", "0badcafe"];
const other = { id: "u", since };
/** What the declaration of an incident has, and that of an entry of a timeline. */
const incident = { name: "Outage" };
const entry = { followedBy: [] };
const keyed = { ...entry, key: "one" };

/** The texts by what they are about. */
function said<Given extends readonly unknown[]>(
  cases: Record<string, Given>,
  text: (...given: Given) => unknown,
) {
  const texts = Object.entries(cases).map(([what, given]) => [what, text(...given)]);
  expect(Object.fromEntries(texts)).toMatchSnapshot();
}

it("a notice reports what a run found or waits for", () => {
  const adopted = (description: string, more: object = {}): [Notice] => [
    { kind: "adopted", update: { ...update("u", description), ...more } },
  ];
  const cases: Record<string, [Notice]> = {
    adopted: adopted("A", { notifySubscribers: false }),
    "adopted, with other white space": adopted(" A\r\n"),
    "adopted, and edited since": adopted("edited"),
    "adopted, with another flag": adopted("A", { notifySubscribers: true }),
    altered: [{ kind: "altered", id: "u" }],
    several: [{ kind: "several", count: 2, id: "u" }],
    found: [{ kind: "found", id: "u" }],
    resent: [{ kind: "resent", at }],
    waits: [{ kind: "waits", ms: 59_001, isLater: false }],
    "waits until a code counts": [{ kind: "early", from: at }],
    "waits for a later entry": [{ kind: "waits", ms: 59_001, isLater: true }],
    "adopted at an unknown time": [{ kind: "adopted", update: { ...update("u"), created_at: undefined } }],
    "an edit to another text": [{ kind: "rewrites", id: "u" }],
    "after an unconfirmed one": [{ kind: "behind" }],
    unread: [{ kind: "unread", why: "HTTP 503." }],
    "unread, as an earlier one said": [{ kind: "unread", why: "" }],
    "an unknown value": [{ kind: "notKnown", fields: ["containerId"] }],
    "unknown values, which must not change": [
      { kind: "notKnown", fields: ["status", "description"], isRefused: true },
    ],
    "an unknown value, which must not change": [{ kind: "notKnown", fields: ["status"], isRefused: true }],
    "an update of which only the state changes": [
      { kind: "stateOnly", id: "i/u", fields: ["description", "occurrence"] },
    ],
  };
  said(cases, (notice) => formatNotice(notice, declaration()));
  expect(formatNotice({ kind: "found", id: "u" }, declaration(incident))).toContain(
    "opened incident u on status page i",
  );
  const [edited] = adopted("A", { notifySubscribers: false });
  expect(formatNotice(edited, declaration({ notifySubscribers: true }))).toMatch(
    / Nothing was posted\. On the service, its notifySubscribers is false \(an edit resets it\), but true is declared\. No email is sent now\.$/,
  );
});

it("a rejection gives the reason and the next step", () => {
  const by = "urn:pulumi:test::shop::a:index:Page$b:index:Update::twin";
  const twin = { kind: "twin", by, id: "u", isPosted: false } as const;
  const post = { nonce: "x", words: "k", occurrence: 1, at, mayAppearUntil: at, codeStart: at };
  const noted = { kind: "noted", posts: [{ ...post, id: "u" }], isLater: false, codes } as const;
  const dated = { id: "v", date: "2026-01-05T00:00:00.000Z", code: "" };
  const lost = { kind: "lost", sent: sent({}, { at }), codes } as const;
  const theirs = { id: "u", shown: { status: "MONITORING", description: "Theirs" } } as const;
  const renamed = { id: "v", date: since, code: "", isRenamed: true } as const;
  const alike = (...updates: Extract<Refusal, { kind: "alike" }>["updates"]) =>
    ({ kind: "alike", updates, codes }) as const;
  const [open, over] = [
    { ...dated, isOver: false },
    { ...dated, id: "w", isOver: true },
  ];
  const page = { statusPageId: "p" };
  const title = 'IncidentUpdate "over"';
  said<[Refusal, Partial<Declaration>?, Parameters<typeof formatRefusal>[2]?]>(
    {
      "a twin": [twin],
      "a twin of an incident": [twin, incident],
      "a twin of another Provider": [{ ...twin, by: "" }],
      "an unconfirmed twin of another Provider": [{ kind: "unsettledTwin", by: "" }],
      "a changed entry on a page with components": [{ kind: "changed", fields: ["status"] }, entry, page],
      "a changed entry with a key": [{ kind: "changed", fields: ["description"] }, keyed, page],
      "a changed update on a page with components": [{ kind: "changed", fields: ["status"] }, {}, page],
      "a changed occurrence": [{ kind: "changed", fields: ["occurrence"] }],
      "a change of which a part is an edit": [
        { kind: "changed", fields: ["occurrence", "status"] },
        { onChange: "edit" },
      ],
      "a changed date and text": [{ kind: "changed", fields: ["publicIncidentUpdateDate", "description"] }],
      "a changed incident": [{ kind: "changed", fields: ["name"] }, incident],
      "an edit of an incident that is gone": [{ kind: "gone", id: "u" }, incident],
      "an incident that the state had": [{ kind: "undecided" }, incident],
      "an incident on another page": [{ kind: "moved", from: "j" }, incident],
      "a changed page": [{ kind: "changed", fields: ["statusPageId"] }, {}, page],
      "another entry under the same key": [{ kind: "keyReused" }, keyed],
      "a date that the page rejects": [{ kind: "tooEarly", began: at }],
      "an edit before a later entry": [{ kind: "editedSince", ...theirs, waiting: 1 }, entry],
      "an edit before two later entries, of a dated update": [
        {
          ...{ kind: "editedSince", ...theirs, waiting: 2 },
          shown: { ...theirs.shown, publicIncidentUpdateDate: since },
        },
        entry,
      ],
      "a keyed entry after a later one": [{ kind: "laterEntry", id: "u", alike: [] }, keyed],
      "an entry whose key was removed": [alike(renamed), entry],
      "an entry whose key is new": [alike(renamed), keyed],
      "an entry whose key is new, or of another date": [alike(renamed, dated), keyed],
      "an incident beside an open one": [alike(open), incident],
      "an incident beside two open ones": [alike(open, { ...open, id: "x" }), incident],
      "an incident beside one that is over": [alike(over), incident],
      "an incident beside an open one and one that is over": [alike(open, over), incident],
      "a later entry that isn't shown": [{ ...noted, isLater: true, others: [other] }, keyed],
      "ten identical updates": [{ ...noted, posts: Array.from({ length: 10 }, () => post) }],
      "codes that are set for others": [{ ...noted, set: two }],
      "a code for a Provider": [noted, {}, { isOfProvider: true }],
      "a lost response": [lost],
      "a lost response with another update": [
        { ...lost, sent: sent({}, { at, answered: "u" }) },
        {},
        { title },
      ],
      "a lost incident": [{ ...lost, sent: sent(incident, { at }) }, incident, { title: "Incident" }],
      "a twin that the preview would post": [{ ...twin, id: '["i","f28c",null,1]' }],
      "a twin of an entry": [twin, entry],
      "a twin, where both have an update": [{ ...twin, isPosted: true }],
      "a twin that has it as another occurrence": [{ ...twin, differs: "occurrence" }],
      "a twin that declares another content": [{ ...twin, differs: "content" }],
      "a twin that is unconfirmed": [{ kind: "unsettledTwin", by }],
      "a later occurrence": [{ kind: "occurrence", count: 1 }, { occurrence: 3 }],
      "a later occurrence of an entry": [{ kind: "occurrence", count: 0 }, entry],
      changed: [{ kind: "changed", fields: ["status", "description"] }],
      "a changed entry": [{ kind: "changed", fields: ["status"] }, entry],
      "a change that is no edit": [{ kind: "changed", fields: ["occurrence"] }, { onChange: "edit" }],
      "an edit of an update that is gone": [{ kind: "gone", id: "u" }],
      "an edit of an update that isn't shown yet": [{ kind: "gone", id: "u", from: at }],
      "an edit of an update without a date": [{ kind: "undated", id: "u" }],
      "the second occurrence": [{ kind: "occurrence", count: 1 }, { occurrence: 2 }],
      "an edit of somebody's edit": [
        {
          kind: "editedSince",
          id: "u",
          shown: { status: "MONITORING", description: "Theirs" },
          waiting: 0,
        },
      ],
      "an edit to RESOLVED": [{ kind: "keyReused", isResolution: true }],
      "an edit of an entry to RESOLVED": [
        { kind: "keyReused", isResolution: true },
        { ...entry, key: "one" },
      ],
      "before somebody else's update": [
        { kind: "laterEntry", id: "u", unowned: { status: "MONITORING", description: "Theirs" }, alike: [] },
        { ...entry, key: "one" },
      ],
      "an edit without a response": [{ kind: "editLost", text: "HTTP 503." }],
      "after a later entry": [{ kind: "laterEntry", id: "u", alike: [] }, entry],
      "after a later entry, or of another date": [{ kind: "laterEntry", id: "u", alike: [dated] }, entry],
      "before the entry that it follows": [{ kind: "earlierEntry" }, entry],
      "a full history": [{ kind: "full" }],
      "an update that the state had": [{ kind: "undecided" }],
      "beside one of another date and one without a date": [
        { kind: "alike", updates: [dated, { id: "w", date: undefined, code: "" }], codes: two },
      ],
      "an identical update that isn't shown": [noted],
      "an identical update without a response": [{ ...noted, posts: [post] }],
      "two identical updates that aren't shown": [
        { ...noted, posts: [...noted.posts, { ...post, at: at + 1000 }], codes: two },
      ],
      "an identical update, and too many questions for codes": [{ ...noted, codes: [] }],
      "very many identical updates": [{ ...noted, posts: Array.from({ length: 12 }, () => post) }],
      "another incident": [{ kind: "moved", from: "j" }],
      "what the service said": [{ kind: "failed", text: "HTTP 403." }],
      "a lost post": [{ ...lost, problem: "Sent once." }],
      "a lost post whose code doesn't count yet": [{ ...lost, problem: "Sent once.", from: at + 120_000 }],
      "a lost post, and too many questions for codes": [{ ...lost, problem: "Sent once.", codes: [] }],
    },
    (refusal, declared, options) => formatRefusal(refusal, declaration(declared), options),
  );
});

it("an update that is still unconfirmed can be resolved", () => {
  const unconfirmed = { kind: "unconfirmed", sent: sent({}, { at }), codes } as const;
  const answered = (id: string) => ({ ...unconfirmed, sent: sent({}, { at, answered: id }) });
  said<[Refusal, Partial<Declaration>?]>(
    {
      "not found": [unconfirmed],
      "not found, and the history is cut": [{ ...unconfirmed, isCut: true }],
      "not found, and another is shown": [{ ...unconfirmed, others: [other] }],
      "not found, and two others are shown": [{ ...unconfirmed, others: [other, { id: "v" }] }],
      "not found, with a date": [{ ...unconfirmed, sent: sent({ publicIncidentUpdateDate: since }, { at }) }],
      "not read": [{ ...unconfirmed, codes: [], readProblem: { ...unread, text: "HTTP 503." } }],
      "no incident": [{ ...unconfirmed, codes: [], readProblem: { ...missing, text: "HTTP 404." } }],
      "no page": [
        {
          ...{ ...unconfirmed, sent: sent(incident, { at }), codes: [] },
          readProblem: { ...missing, text: "HTTP 404." },
        },
        incident,
      ],
      "an incident, answered with an old one": [
        { ...unconfirmed, sent: sent(incident, { at, answered: "u" }) },
        incident,
      ],
      "answered with the incident": [answered("i")],
      "answered with an old update": [answered("u")],
      "an entry, answered with an old update": [answered("u"), { followedBy: [] }],
    },
    (refusal, declared) => formatRefusal(refusal, declaration(declared)),
  );
});

it("a message states its own outcome only, and not that of a read whose failure it quotes", () => {
  const text = "Reading incident i: the response contains no updates. Nothing was posted. Try again later.";
  const failed = { sent: sent({}, { at }), codes: [], readProblem: { ...unread, text } };
  const listOutcomes = (refusal: Refusal) =>
    formatRefusal(refusal, declaration()).match(/Nothing was \w+\./g) ?? [];
  expect(listOutcomes({ kind: "unconfirmed", ...failed })).toEqual(["Nothing was posted."]);
  // The update was sent.
  expect(listOutcomes({ kind: "lost", problem: "Sent once.", ...failed })).toEqual([]);
});

describe("an update that is still unconfirmed, and whose text is no secret,", () => {
  const was = { status: "IDENTIFIED", description: "Six\nhundred." } as const;
  const formatRefusedPost = (declared: Partial<Declaration>, isTextSecret: boolean, wasSecret = false) => {
    const refusal = { kind: "unconfirmed", sent: sent(was, { at, isTextSecret: wasSecret }), codes } as const;
    return formatRefusal(refusal, declaration(declared), { isTextSecret });
  };
  const seven = { description: "Seven hundred." };

  it("an unconfirmed update without a secret shows the sent and the declared text", () => {
    said<Parameters<typeof formatRefusedPost>>(
      {
        "the same": [was, false],
        "another, which may not change": [{ ...seven, onChange: "refuse" }, false],
        "another, which is edited": [{ ...seven, onChange: "edit" }, false],
        "a long one": [{ description: `${"It is slow. ".repeat(60)}END` }, false],
        "a secret now": [seven, true],
        "a secret before": [seven, false, true],
      },
      formatRefusedPost,
    );
  });
});
