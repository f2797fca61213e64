/**
 * What a user reads of each notice and refusal: the snapshot has every sentence. The guide on troubleshooting quotes most refusals;
 * other tests assert no more of a sentence than tells its reason. Previews: report.test.ts.
 */
import { type Declaration, type Notice, type Refusal } from "../../provider/protocol";
import { noticeText, refusalText } from "../../provider/wording";
import { declaration, missing, sent, unread, update } from "../protocol/steps";

const since = "2026-01-01T12:00:00.000Z";
const at = Date.parse(since);
const codes = ["cf3a1c20"];
const two = ["cf3a1c20", "0badcafe"];
const other = { id: "u", since };

/** The texts by what they are about. */
function said<Given extends readonly unknown[]>(
  cases: Record<string, Given>,
  text: (...given: Given) => unknown,
) {
  const texts = Object.entries(cases).map(([what, given]) => [what, text(...given)]);
  expect(Object.fromEntries(texts)).toMatchSnapshot();
}

it("a notice says what a run found or waits for", () => {
  const adopted = (description: string, more: object = {}): [Notice] => [
    { tell: "adopted", update: { ...update("u", description), ...more } },
  ];
  const cases: Record<string, [Notice]> = {
    adopted: adopted("A", { notifySubscribers: false }),
    "adopted, with other white space": adopted(" A\r\n"),
    "adopted, and edited since": adopted("edited"),
    "adopted, with another flag": adopted("A", { notifySubscribers: true }),
    altered: [{ tell: "altered", id: "u" }],
    several: [{ tell: "several", count: 2, id: "u" }],
    found: [{ tell: "found", id: "u" }],
    moved: [{ tell: "moved", id: "u" }],
    resent: [{ tell: "resent", at }],
    waits: [{ tell: "waits", ms: 59_001, isLater: false }],
    "waits until a code counts": [{ tell: "early", from: at }],
    "waits for a later entry": [{ tell: "waits", ms: 59_001, isLater: true }],
    "an update of which only the state changes": [
      { tell: "stateOnly", id: "i/u", fields: ["description", "occurrence"] },
    ],
  };
  said(cases, (notice) => noticeText(notice, declaration()));
  const [edited] = adopted("A", { notifySubscribers: false });
  expect(noticeText(edited, declaration({ notifySubscribers: true }))).toMatch(
    / adopted, nothing posted\. It shows notifySubscribers false, as after an edit, and true is declared; no email is sent now\.$/,
  );
});

it("a refusal says why nothing is posted, and what to do", () => {
  const entry = { followedBy: [] };
  const by = "urn:pulumi:test::shop::a:index:Page$b:index:Update::twin";
  const twin = { why: "twin", by, id: "u", isPosted: false } as const;
  const changedBack = { why: "changedBack", id: "u", next: 3 } as const;
  const post = { nonce: "x", words: "k", occurrence: 1, at, mayAppearUntil: at, answerableFrom: at };
  const noted = { why: "noted", posts: [{ ...post, id: "u" }], isLater: false, codes } as const;
  const dated = { id: "v", date: "2026-01-05T00:00:00.000Z", code: "" };
  const lost = { why: "lost", sent: sent({}, { at }), codes } as const;
  said<[Refusal, Partial<Declaration>?]>(
    {
      "a twin": [twin],
      "a twin of an entry": [twin, entry],
      "a twin, where both have an update": [{ ...twin, isPosted: true }],
      "a twin that has it as another occurrence": [{ ...twin, differs: "occurrence" }],
      "a twin that declares another content": [{ ...twin, differs: "content" }],
      "a twin that is unconfirmed": [{ why: "unsettledTwin", by }],
      "changed back": [{ ...changedBack, since }],
      "a later occurrence": [{ why: "occurrence", count: 1 }, { occurrence: 3 }],
      "a later occurrence of an entry": [{ why: "occurrence", count: 0 }, entry],
      changed: [{ why: "changed", fields: ["status", "description"] }],
      "a changed entry": [{ why: "changed", fields: ["status"] }, entry],
      "a change that is no edit": [{ why: "changed", fields: ["occurrence"] }, { onChange: "edit" }],
      "an edit of an update that is gone": [{ why: "gone", id: "u" }],
      "an edit of an update that isn't shown yet": [{ why: "gone", id: "u", from: at }],
      "an edit of an update without a date": [{ why: "undated", id: "u" }],
      "an edit to what exists": [{ why: "miscounted", count: 1, occurrence: 1 }],
      "an edit of somebody's edit": [
        { why: "editedSince", id: "u", shown: { status: "MONITORING", description: "Theirs" }, codes },
      ],
      "an edit without a response": [{ why: "editLost", text: "HTTP 503." }],
      "after a later entry": [{ why: "laterEntry", id: "u", alike: [] }, entry],
      "after a later entry, or of another date": [{ why: "laterEntry", id: "u", alike: [dated] }, entry],
      "before the entry that it follows": [{ why: "earlierEntry" }, entry],
      "a full history": [{ why: "full" }],
      "an update that the state had": [{ why: "undecided" }],
      "beside one of another date and one without a date": [
        { why: "alike", updates: [dated, { id: "w", date: undefined, code: "" }], codes: two },
      ],
      "an identical update that isn't shown": [noted],
      "an identical update without a response": [{ ...noted, posts: [post] }],
      "two identical updates that aren't shown": [
        { ...noted, posts: [...noted.posts, { ...post, at: at + 1000 }], codes: two },
      ],
      "an identical update, and too many questions for codes": [{ ...noted, codes: [] }],
      "very many identical updates": [{ ...noted, posts: Array.from({ length: 12 }, () => post) }],
      "another incident": [{ why: "moved", from: "j" }],
      "an update that the new address lacks": [{ why: "notThere", id: "u" }],
      "a post that the new address lacks": [{ why: "notThere" }],
      "a post that the new address may show later": [{ why: "notThere", from: at }],
      "what the service said": [{ why: "failed", text: "HTTP 403." }],
      "a lost post": [{ ...lost, problem: "Sent once." }],
      "a lost post whose code doesn't count yet": [{ ...lost, problem: "Sent once.", from: at + 120_000 }],
      "a lost post, and too many questions for codes": [{ ...lost, problem: "Sent once.", codes: [] }],
    },
    (refusal, declared) => refusalText(refusal, declaration(declared)),
  );
});

it("an update that is still unconfirmed has a way out", () => {
  const unconfirmed = { why: "unconfirmed", sent: sent({}, { at }), codes } as const;
  const answered = (id: string) => ({ ...unconfirmed, sent: sent({}, { at, answered: id }) });
  said<[Refusal, Partial<Declaration>?]>(
    {
      "not found": [unconfirmed],
      "not found, and the history is cut": [{ ...unconfirmed, isCut: true }],
      "not found, and two others are shown": [{ ...unconfirmed, others: [other, { id: "v" }] }],
      "not found, with a date": [{ ...unconfirmed, sent: sent({ publicIncidentUpdateDate: since }, { at }) }],
      "not read": [{ ...unconfirmed, codes: [], readProblem: { ...unread, text: "HTTP 503." } }],
      "no incident": [{ ...unconfirmed, codes: [], readProblem: { ...missing, text: "HTTP 404." } }],
      "answered with the incident": [answered("i")],
      "answered with an old update": [answered("u")],
      "an entry, answered with an old update": [answered("u"), { followedBy: [] }],
    },
    (refusal, declared) => refusalText(refusal, declaration(declared)),
  );
});

describe("an update that is still unconfirmed, and whose text is no secret,", () => {
  const was = { status: "IDENTIFIED", description: "Six\nhundred." } as const;
  const refusedOf = (declared: Partial<Declaration>, isTextSecret: boolean, wasSecret = false) => {
    const refusal = { why: "unconfirmed", sent: sent(was, { at, isTextSecret: wasSecret }), codes } as const;
    return refusalText(refusal, declaration(declared), { isTextSecret });
  };
  const seven = { description: "Seven hundred." };

  it("an unconfirmed update without a secret shows what was sent, and what is declared now", () => {
    said<Parameters<typeof refusedOf>>(
      {
        "the same": [was, false],
        "another, which may not change": [{ ...seven, onChange: "refuse" }, false],
        "another, which is edited": [{ ...seven, onChange: "edit" }, false],
        "a long one": [{ description: `${"It is slow. ".repeat(60)}END` }, false],
        "a secret now": [seven, true],
        "a secret before": [seven, false, true],
      },
      refusedOf,
    );
  });
});
