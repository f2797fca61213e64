/**
 * What a user reads of each refusal: the snapshot has every sentence. The guide on troubleshooting quotes
 * most of them; other tests assert no more of a sentence than tells its reason.
 */
import { refusalText, skippedText } from "../../../provider/protocol/texts";
import { type Declaration, type Refusal } from "../../../provider/protocol";
import { maxCodes } from "../../../provider/protocol/question";
import { declaration, missing, sent, unread } from "../steps";

const since = "2026-01-01T12:00:00.000Z";
const at = Date.parse(since);
const codes = ["7f3a1c20"];
const two = ["7f3a1c20", "0badcafe"];

/** The texts by what they are about. */
function said<Case extends readonly unknown[]>(
  cases: Record<string, Case>,
  text: (...given: Case) => unknown,
) {
  expect(
    Object.fromEntries(Object.entries(cases).map(([what, given]) => [what, text(...given)])),
  ).toMatchSnapshot();
}

it("a refusal", () => {
  const entry = { followedBy: [] };
  const by = "urn:pulumi:test::shop::a:index:Page$b:index:Update::twin";
  const twin = { why: "twin", by, id: "u", isPosted: false } as const;
  const changedBack = { why: "changedBack", id: "u", next: 3 } as const;
  const post = { nonce: "x", key: "k", occurrence: 1, at, mayAppearUntil: at };
  const noted = { why: "noted", posts: [{ ...post, id: "u" }], isLater: false, codes } as const;
  const lost = { why: "lost", sent: sent({}, { at }), codes } as const;
  const answered = (id: string) => ({ ...lost, sent: sent({}, { at, answered: id }) });
  said<[Refusal, Partial<Declaration>?]>(
    {
      "a twin": [twin],
      "a twin of an entry": [twin, entry],
      "a twin, where both have an update": [{ ...twin, isPosted: true }],
      "a twin that has it as another occurrence": [{ ...twin, differs: "occurrence" }],
      "a twin that declares another content": [{ ...twin, differs: "content" }],
      "a twin that is unconfirmed": [{ why: "unsettledTwin", by }],
      "changed back": [{ ...changedBack, since }],
      "changed back, at an unknown time": [changedBack],
      "a later occurrence": [{ why: "occurrence", count: 1 }, { occurrence: 3 }],
      "a later occurrence of an entry": [{ why: "occurrence", count: 0 }, entry],
      changed: [{ why: "changed", fields: ["status", "description"] }],
      "a changed entry": [{ why: "changed", fields: ["status"] }, entry],
      "after a later entry": [{ why: "later", id: "u" }, entry],
      "before the entry that it follows": [{ why: "earlier" }, entry],
      "a full history": [{ why: "full", count: 100, codes }],
      "a full history, and another code is set": [{ why: "full", count: 100, codes: two }],
      "an update that the state had": [{ why: "repeat" }],
      "an identical update that isn't shown": [noted],
      "an identical update without a response": [{ ...noted, posts: [post] }],
      "two identical updates that aren't shown": [
        { ...noted, posts: [...noted.posts, { ...post, at: at + 1000 }], codes: two },
      ],
      "as many identical updates as it names": [
        { ...noted, posts: Array.from({ length: 10 }, () => post), codes: two },
      ],
      "an identical update, and too many questions for codes": [{ ...noted, codes: [] }],
      "very many identical updates": [
        { ...noted, posts: Array.from({ length: 12 }, () => post), codes: two },
      ],
      "a later entry without a response": [{ ...noted, posts: [post], isLater: true }, entry],
      "another incident": [{ why: "moved", from: "j" }],
      "a rejected id": [{ why: "idRejected", text: "HTTP 422." }],
      "what the service said": [{ why: "failed", text: "HTTP 403." }],
      "a lost post": [{ ...lost, problem: "Sent once." }],
      "a lost post, and too many questions for codes": [{ ...lost, problem: "Sent once.", codes: [] }],
      "a lost post, and the incident is gone": [
        { ...lost, problem: "Sent once.", readProblem: { ...missing, text: "HTTP 404." } },
      ],
      "a lost post, and the incident can't be read": [
        { ...lost, problem: "Sent once.", readProblem: { ...unread, text: "HTTP 503." } },
      ],
      "a post that is answered with the incident": [answered("i")],
      "a post that is answered with an old update": [answered("u")],
      "an entry that is answered with an old update": [answered("u"), entry],
    },
    (refusal, declared) => refusalText(refusal, declaration(declared)),
  );
});

it("a refusal stays short, however many posts it is about", () => {
  const post = { nonce: "x", id: "u".repeat(36), key: "k", occurrence: 1, at, mayAppearUntil: at };
  const posts = Array.from({ length: 5_000 }, () => post);
  const text = refusalText(
    { why: "noted", posts, isLater: false, codes: Array.from({ length: maxCodes }, () => "7f3a1c20") },
    declaration(),
  );
  expect(text.length).toBeLessThan(2_500);
});

it("an update that is still unconfirmed has a way out", () => {
  const unconfirmed = { why: "unconfirmed", sent: sent({}, { at }), codes } as const;
  const answered = (id: string) => ({ ...unconfirmed, sent: sent({}, { at, answered: id }) });
  said<[Refusal, Partial<Declaration>?]>(
    {
      "not found": [unconfirmed],
      "not found, and another code is set": [{ ...unconfirmed, codes: two }],
      "not read": [{ ...unconfirmed, codes: [], readProblem: { ...unread, text: "HTTP 503." } }],
      "no incident": [{ ...unconfirmed, codes: [], readProblem: { ...missing, text: "HTTP 404." } }],
      "answered with the incident": [answered("i")],
      "answered with an old update": [answered("u")],
      "an entry, answered with an old update": [answered("u"), { followedBy: [] }],
    },
    (refusal, declared) => refusalText(refusal, declaration(declared)),
  );
});

it("an update whose turn came after a failure", () => {
  expect(skippedText("i")).toMatchSnapshot();
});
