/**
 * What a user reads of each refusal and notice: the snapshot has every sentence. The guide on troubleshooting quotes
 * most of them; other tests assert no more of a sentence than tells its reason.
 */
import { noticeText, refusalText } from "../../provider/protocol/messages";
import { type Declaration, type Notice, type Refusal, type SearchMiss } from "../../provider/protocol";
import { declaration, update } from "./steps";

const since = "2026-01-01T12:00:00.000Z";

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
  const twin = { why: "twin", by, id: "u", hasOwn: false } as const;
  const changedBack = { why: "changedBack", id: "u", next: 3 } as const;
  const noted = { why: "noted", id: "u", at: Date.parse(since), isLater: false } as const;
  const answered = { why: "lost", miss: {} } as const;
  const full = { why: "full", count: 100 } as const;
  said<[Refusal, Partial<Declaration>?]>(
    {
      "a twin": [twin],
      "a twin of an entry": [twin, entry],
      "a twin, where both have an update": [{ ...twin, hasOwn: true }],
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
      "a full history": [full],
      "a full history, and the consent was used": [full, { onUnconfirmed: "resend" }],
      "an update that the state had": [{ why: "repeat" }],
      "an identical update that isn't shown": [noted],
      "an identical update that isn't shown, and the consent was used": [noted, { onUnconfirmed: "resend" }],
      "an identical update without a response": [{ ...noted, id: undefined }],
      "two identical updates that aren't shown": [
        { ...noted, others: [{ id: "u2", at: noted.at }, { at: noted.at }] },
      ],
      "a later entry without a response": [{ ...noted, id: undefined, isLater: true }, entry],
      "a rejected id": [{ why: "idRejected", text: "HTTP 422." }],
      "what the service said": [{ why: "failed", text: "HTTP 403." }],
      "a lost post": [{ why: "lost", problem: "Sent once.", miss: {} }],
      "a post that is answered with the incident": [{ ...answered, answered: "i" }],
      "a post that is answered with an old update": [{ ...answered, answered: "u" }],
      "an entry that is answered with an old update": [{ ...answered, answered: "u" }, entry],
    },
    (refusal, declared) => refusalText(refusal, declaration(declared)),
  );
});

it("an update that is still unconfirmed has a way out", () => {
  const redated = { ...update("x"), publicIncidentUpdateDate: "2026-01-31T09:30:05Z" };
  const was = declaration({ incidentId: "before" });
  said<[SearchMiss, Declaration["onUnconfirmed"]?, string?]>(
    {
      "not found": [{}],
      "not found, and the consent was used": [{}, "resend"],
      "another text": [{ lookalike: update("x", "Rewritten.") }],
      "another date": [{ lookalike: redated }],
      "no date": [{ lookalike: update("x") }],
      "not read": [{ readProblem: { incidentMissing: false, text: "HTTP 503." } }],
      "answered with the incident": [{}, "fail", "before"],
      "answered with an old update": [{}, "fail", "u"],
      "no incident": [{ readProblem: { incidentMissing: true, text: "HTTP 404." } }],
    },
    (miss, onUnconfirmed = "fail", answered) =>
      refusalText({ why: "unconfirmed", miss, answered }, declaration({ onUnconfirmed }), was),
  );
});

it("a notice", () => {
  const adopted = (description: string, more: object = {}): [Notice] => [
    { tell: "adopted", update: { ...update("u", description), ...more } },
  ];
  said<[Notice]>(
    {
      adopted: adopted("A", { notifySubscribers: false }),
      "adopted, with other white space": adopted(" A\r\n"),
      "adopted, and edited since": adopted("edited"),
      "adopted, of unknown age": adopted("A", { created_at: null }),
      "adopted, with another flag": adopted("A", { notifySubscribers: true }),
      several: [{ tell: "several", count: 2, id: "u" }],
      found: [{ tell: "found", incidentId: "j", id: "u" }],
      resent: [{ tell: "resent", incidentId: "j" }],
      waits: [{ tell: "waits", ms: 59_001, isLater: false }],
      "waits for a later entry": [{ tell: "waits", ms: 59_001, isLater: true }],
    },
    (notice) => noticeText(notice, declaration()),
  );
});
