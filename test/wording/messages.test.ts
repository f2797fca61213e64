/**
 * Compares the message of each notice and rejection with a snapshot. The guide on troubleshooting quotes most rejections, and other tests
 * compare only the reason in a message. report.test.ts tests previews.
 */
import { type Declaration, type Notice, type Rejection } from "../../provider/protocol";
import { formatNotice, formatRejection } from "../../provider/wording";
import { declaration, missing, sent, unread, update } from "../protocol/steps";

const since = "2026-01-01T12:00:00.000Z";
const at = Date.parse(since);
const codes = ["cf3a1c20"];
const two = ["cf3a1c20", "0badcafe"];
const other = { id: "u", since };
/** Properties of an incident and of a timeline's entry. */
const incident = { name: "Outage" };
const entry = { followedBy: [] };
const keyed = { ...entry, key: "one" };
const onPage = { ...keyed, statusPageId: "p" };

/** Compares the messages for these cases with the snapshot. */
function matchTexts<Given extends readonly unknown[]>(
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
    "adopted, and edited later": adopted("edited"),
    "adopted, with another flag": adopted("A", { notifySubscribers: true }),
    altered: [{ kind: "altered", id: "u" }],
    found: [{ kind: "found", id: "u" }],
    resent: [{ kind: "resent", at }],
    waits: [{ kind: "waits", ms: 59_001, isLater: false }],
    "waits until a code takes effect": [{ kind: "early", from: at }],
    "waits for a later entry": [{ kind: "waits", ms: 59_001, isLater: true }],
    "adopted at an unknown time": [{ kind: "adopted", update: { ...update("u"), created_at: undefined } }],
    "an edit to another text": [{ kind: "rewrites", id: "u" }],
    "after an unconfirmed update": [{ kind: "behind" }],
    unread: [{ kind: "unread", why: "HTTP 503." }],
    "unread, as an earlier preview reported": [{ kind: "unread", why: "" }],
    "an unknown value": [{ kind: "notKnown", fields: ["containerId"] }],
    "unknown values, which must not change": [
      { kind: "notKnown", fields: ["status", "description"], isRejected: true },
    ],
    "an unknown value, which must not change": [{ kind: "notKnown", fields: ["status"], isRejected: true }],
    "an update of which only the state changes": [
      { kind: "stateOnly", id: "i/u", fields: ["description", "notifySubscribers"] },
    ],
  };
  matchTexts(cases, (notice) => formatNotice(notice, declaration()));
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
  const twin = { kind: "twin", by, id: "u" } as const;
  const unsettled = { kind: "twin", by } as const;
  const post = { nonce: "x", contentKey: "k", occurrence: 1, at, mayAppearUntil: at, codeStart: at };
  const lostPost = { kind: "doubtedPost", posts: [{ ...post, id: "u" }], isLater: false, codes } as const;
  const dated = { id: "v", date: "2026-01-05T00:00:00.000Z", code: "" };
  const lost = { kind: "lost", sent: sent({}, { at }), codes } as const;
  const theirs = { status: "MONITORING", description: "Theirs" } as const;
  const editedSince = { kind: "editedSince", id: "u", shown: theirs } as const;
  const changed = (...fields: string[]) => ({ kind: "changed", fields, shown: theirs }) as const;
  const keyReused = { kind: "keyReused", shown: theirs } as const;
  const laterEntry = { kind: "laterEntry", id: "u", alike: [] } as const;
  const renamed = { id: "v", date: since, code: "", isRenamed: true } as const;
  const alike = (...updates: Extract<Rejection, { kind: "alike" }>["updates"]) =>
    ({ kind: "alike", updates, codes }) as const;
  const [open, over] = [
    { ...dated, isResolved: false },
    { ...dated, id: "w", isResolved: true },
  ];
  matchTexts<[Rejection, Partial<Declaration>?, Parameters<typeof formatRejection>[2]?]>(
    {
      "a twin": [twin],
      "a twin of an entry": [twin, entry],
      "a twin of an incident": [twin, incident],
      "a twin of another Provider": [{ ...twin, by: "" }],
      "a twin that the preview would post": [{ ...twin, id: '["i","f28c",null,1]' }],
      "a twin whose post has an unknown result": [unsettled],
      "a changed update": [changed("status", "description")],
      "a changed update whose text is a secret": [changed("status"), {}, { isTextSecret: true }],
      "a changed update that isn't shown": [{ kind: "changed", fields: ["status"] }],
      "a changed entry on a page with cards": [changed("description"), keyed],
      "a changed incident": [changed("name"), incident],
      "a changed location of an entry": [changed("statusPageId"), onPage],
      "a changed page of an incident": [changed("containerId"), incident],
      "an update on an incident that this run opens": [
        { ...changed("containerId"), from: "i", opener: "urn:pulumi:s::p::t::next" },
        {},
        { title: 'IncidentUpdate "done"' },
      ],
      "another entry under the same key": [keyReused, onPage],
      "another entry under the same key, with secret text": [keyReused, onPage, { isTextSecret: true }],
      "an edit to RESOLVED": [{ ...keyReused, isResolution: true }, onPage],
      "a date that the page rejects": [{ kind: "tooEarly", began: at }],
      "an edit of someone else's text": [editedSince, onPage],
      "an edit of someone else's text, with secret text": [editedSince, onPage, { isTextSecret: true }],
      "an edit of a dated update": [
        { ...editedSince, shown: { ...theirs, publicIncidentUpdateDate: since } },
        { ...onPage, publicIncidentUpdateDate: "2026-01-05" },
      ],
      "an edit of a deleted update": [{ kind: "gone", id: "u" }, onPage],
      "an edit of an update that isn't shown yet": [{ kind: "gone", id: "u", from: at }, onPage],
      "an edit of an update without a date": [{ kind: "undated", id: "u" }, onPage],
      "an edit without a response": [{ kind: "editLost", text: "HTTP 503." }, onPage],
      "after a later entry": [laterEntry, keyed],
      "after a later entry, or of another date": [{ ...laterEntry, alike: [dated] }, keyed],
      "before someone else's update": [{ ...laterEntry, unowned: theirs }, keyed],
      "before the entry that it follows": [{ kind: "earlierEntry" }, keyed],
      "an entry whose key is new": [alike(renamed), keyed],
      "an entry whose key is new, or of another date": [alike(renamed, dated), keyed],
      "next to an update with another date and an update without a date": [
        { kind: "alike", updates: [dated, { id: "w", date: undefined, code: "" }], codes: two },
      ],
      "an incident next to an open incident": [alike(open), incident],
      "an incident next to two open incidents": [alike(open, { ...open, id: "x" }), incident],
      "an incident next to a resolved incident": [alike(over), incident],
      "an incident next to an open and a resolved incident": [alike(open, over), incident],
      "an identical update that isn't shown": [lostPost],
      "an identical update without a response": [{ ...lostPost, posts: [post] }],
      "two identical updates that aren't shown": [
        { ...lostPost, posts: [...lostPost.posts, { ...post, at: at + 1000 }], codes: two },
      ],
      "ten identical updates": [{ ...lostPost, posts: Array.from({ length: 10 }, () => post) }],
      "twelve identical updates": [{ ...lostPost, posts: Array.from({ length: 12 }, () => post) }],
      "an identical update, and too many codes": [{ ...lostPost, codes: [] }],
      "a later entry that isn't shown": [{ ...lostPost, isLater: true, others: [other] }, keyed],
      "codes that are set for others": [{ ...lostPost, set: two }],
      "a code for a Provider": [lostPost, {}, { isOfProvider: true }],
      "a full history": [{ kind: "full" }],
      "an update that the state had": [{ kind: "undecided" }],
      "an incident that the state had": [{ kind: "undecided" }, incident],
      "an unconfirmed update, on another incident": [{ kind: "moved", from: "j" }],
      "an error of the service": [{ kind: "failed", text: "HTTP 403." }],
      "a lost response": [lost],
      "a lost incident": [{ ...lost, sent: sent(incident, { at }) }, incident, { title: "Incident" }],
      "a lost post": [{ ...lost, problem: "Sent once." }],
      "a lost post whose code doesn't take effect yet": [
        { ...lost, problem: "Sent once.", from: at + 120_000 },
      ],
      "a lost post, and too many codes": [{ ...lost, problem: "Sent once.", codes: [] }],
    },
    (rejection, declared, options) => formatRejection(rejection, declaration(declared), options),
  );
});

it("an update that is still unconfirmed can be resolved", () => {
  const unconfirmed = { kind: "unconfirmed", sent: sent({}, { at }), codes } as const;
  const answered = (id: string) => ({ ...unconfirmed, sent: sent({}, { at, answered: id }) });
  matchTexts<[Rejection, Partial<Declaration>?]>(
    {
      "not found": [unconfirmed],
      "not found, and the history is truncated": [{ ...unconfirmed, isCut: true }],
      "not found, and another is shown": [{ ...unconfirmed, others: [other] }],
      "not found, and two others are shown": [{ ...unconfirmed, others: [other, { id: "v" }] }],
      "not found, with a date": [{ ...unconfirmed, sent: sent({ publicIncidentUpdateDate: since }, { at }) }],
      "not read": [{ ...unconfirmed, codes: [], readProblem: { ...unread, text: "HTTP 503." } }],
      "not read, because the incident is missing": [
        { ...unconfirmed, codes: [], readProblem: { ...missing, text: "HTTP 404." } },
      ],
      "an incident, answered with an old one": [
        { ...unconfirmed, sent: sent(incident, { at, answered: "u" }) },
        incident,
      ],
      "answered with the incident": [answered("i")],
      "answered with an old update": [answered("u")],
      "an entry, answered with an old update": [answered("u"), { followedBy: [] }],
    },
    (rejection, declared) => formatRejection(rejection, declaration(declared)),
  );
});

it("a message states only its own outcome, not the outcome of a read whose failure it quotes", () => {
  const text = "Reading incident i: the response contains no updates. Nothing was posted. Try again later.";
  const failed = { sent: sent({}, { at }), codes: [], readProblem: { ...unread, text } };
  const listOutcomes = (rejection: Rejection) =>
    formatRejection(rejection, declaration()).match(/Nothing was \w+\./g) ?? [];
  expect(listOutcomes({ kind: "unconfirmed", ...failed })).toEqual(["Nothing was posted."]);
  // The update was sent, so the message must not claim that nothing was posted.
  expect(listOutcomes({ kind: "lost", problem: "Sent once.", ...failed })).toEqual([]);
});

it("an unconfirmed update without a secret shows the sent and the declared description", () => {
  const was = { status: "IDENTIFIED", description: "Six\nhundred." } as const;
  const seven = { description: "Seven hundred." };
  const formatRejectedPost = (declared: Partial<Declaration>, isTextSecret: boolean, wasSecret = false) => {
    const rejection = {
      kind: "unconfirmed",
      sent: sent(was, { at, isTextSecret: wasSecret }),
      codes,
    } as const;
    return formatRejection(rejection, declaration(declared), { isTextSecret });
  };
  matchTexts<Parameters<typeof formatRejectedPost>>(
    {
      "the same": [was, false],
      "another, of an update": [seven, false],
      "another, of an entry that is edited": [{ ...seven, ...onPage }, false],
      "a long one": [{ description: `${"It is slow. ".repeat(60)}END` }, false],
      "a secret now": [seven, true],
      "a secret before": [seven, false, true],
    },
    formatRejectedPost,
  );
});
