/**
 * What a user reads of each notice and refusal: the snapshot has every sentence. The guide on troubleshooting quotes most refusals;
 * other tests assert no more of a sentence than tells its reason. Previews: preview.test.ts.
 */
import {
  checkpointsText,
  type Declaration,
  emailEnabledText,
  maxCodes,
  type Notice,
  noticeText,
  occurrenceText,
  previewText,
  type Refusal,
  refusalText,
  removedText,
  respelledText,
  skippedText,
  unusedCodesText,
} from "../../provider/protocol";
import { declaration, missing, sent, unread, update } from "./steps";

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

it("a notice", () => {
  const adopted = (description: string, more: object = {}): [Notice] => [
    { tell: "adopted", update: { ...update("u", description), ...more } },
  ];
  const cases: Record<string, [Notice]> = {
    adopted: adopted("A", { notifySubscribers: false }),
    "adopted, with other white space": adopted(" A\r\n"),
    "adopted, and edited since": adopted("edited"),
    "adopted, of unknown age": adopted("A", { created_at: null }),
    "adopted, with another flag": adopted("A", { notifySubscribers: true }),
    several: [{ tell: "several", count: 2, id: "u" }],
    found: [{ tell: "found", id: "u" }],
    resent: [{ tell: "resent", at }],
    waits: [{ tell: "waits", ms: 59_001, isLater: false }],
    "waits for a later entry": [{ tell: "waits", ms: 59_001, isLater: true }],
  };
  const texts = Object.entries(cases).map(([what, [notice]]) => [what, noticeText(notice, declaration())]);
  expect(Object.fromEntries(texts)).toMatchSnapshot();
});

it.each([
  ["of the stack", unusedCodesText(["7f3a1c20", "0badcafe"], false)],
  ["of a Provider", unusedCodesText(["7f3a1c20"], true)],
])("codes %s that answered nothing", (_, text) => {
  expect(text).toMatchSnapshot();
});

it("a state that is saved only at the end of a run", () => {
  expect(checkpointsText).toMatchSnapshot();
});

it.each([
  ["that is removed", removedText("i/u", false)],
  ["that is removed, unconfirmed", removedText("i/u", true)],
  ["whose email is turned on", emailEnabledText("i/u")],
  ["whose occurrence is changed", occurrenceText("i/u", 2)],
  ["in other white space", respelledText("i/u")],
])("an update %s", (_, text) => {
  expect(text).toMatchSnapshot();
});

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
      "beside one of another date": [{ why: "otherDate", id: "u", date: "2026-01-05T00:00:00.000Z" }],
      "beside one without a date": [{ why: "otherDate", id: "u" }],
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

type Previewed = Parameters<typeof previewText>[0];

const resource = "urn:pulumi:test::shop::monitoring:index:IncidentUpdate::over";
const subject = {
  resource,
  declared: declaration({ status: "RESOLVED", description: "All good." }),
  isTextSecret: false,
};
const incidentName = 'Checkout "EU"';
const where = '"Checkout \\"EU\\"" (i)';
const failure = (why: Refusal["why"]) => ({ why, text: "Why." });
const waits = (isLater: boolean): Partial<Previewed> => ({
  effect: "waits",
  notices: [
    { tell: "resent", at: 0 },
    { tell: "waits", ms: 1, isLater },
  ],
});
const content = ["  RESOLVED, no subscriber is emailed:", "  | All good."];
const searched =
  'IncidentUpdate "over": it is unknown whether it was published. `pulumi up` searches for it again';
const conditional = [
  'IncidentUpdate "over" posts to incident i, unless an identical update exists there',
  ...content,
];
const posts = `IncidentUpdate "over" posts to ${where}`;

it.each<[string, Partial<Previewed>, readonly unknown[]]>([
  ["a post", { effect: "posts" }, [[posts, ...content]]],
  [
    "an edit",
    { effect: "posts", replaced: { status: "MONITORING", description: "Still slow" } },
    [
      [posts, ...content],
      ['IncidentUpdate "over" replaces an update, which stays public', "  MONITORING:", "  | Still slow"],
    ],
  ],
  [
    "a later post",
    { effect: "posts", isBehind: true },
    [[`${posts}, once the result of the earlier update is known`, ...content]],
  ],
  [
    "an update that is sent again",
    { effect: "posts", resent: { at: Date.UTC(2026, 0, 1) } },
    [
      [
        posts,
        "  An earlier run sent this update at 2026-01-01T00:00:00.000Z and received no response: it may become public twice.",
        ...content,
      ],
    ],
  ],
  [
    "an adoption",
    { notices: [{ tell: "adopted", update: update("u") }] },
    [
      [
        `IncidentUpdate "over" adopts u of ${where}, public since ${since}`,
        "  RESOLVED, nothing is posted:",
        "  | All good.",
      ],
    ],
  ],
  [
    "an adoption of unknown age",
    { notices: [{ tell: "adopted", update: { ...update("u"), created_at: null } }] },
    [expect.arrayContaining([expect.stringMatching(/, public since an unknown time$/)])],
  ],
  [
    "one that is found, and a post",
    { notices: [{ tell: "found", id: "u" }], effect: "posts" },
    [expect.stringContaining("update u was published on incident i"), [posts, ...content]],
  ],
  [
    "an incident without a name",
    { effect: "posts", incidentName: undefined },
    [['IncidentUpdate "over" posts to incident (i)', ...content]],
  ],
  [
    "a long name of an incident",
    { effect: "posts", incidentName: `The ${"very ".repeat(20)}slow checkout` },
    [[expect.stringMatching(/posts to "The (very )+v … y (very )+slow checkout" \(i\)$/), ...content]],
  ],
  [
    "a name of the greatest length",
    { effect: "posts", incidentName: "n".repeat(60) },
    [[`IncidentUpdate "over" posts to "${"n".repeat(60)}" (i)`, ...content]],
  ],
  [
    "a longer name that is cut between words",
    { effect: "posts", incidentName: `${"a".repeat(39)} ${"m".repeat(10)} ${"z".repeat(19)}` },
    [[`IncidentUpdate "over" posts to "${"a".repeat(39)} … ${"z".repeat(19)}" (i)`, ...content]],
  ],
  [
    "a name that would rewrite a terminal or its order",
    { effect: "posts", incidentName: "\u001b[2J\u202eg\u2028\n##vso[x]" },
    [['IncidentUpdate "over" posts to "\\u001b[2J\\u{202e}g\\u{2028}\\n# #vso[x]" (i)', ...content]],
  ],
  ["a notice of the up alone", { notices: [{ tell: "resent", at: 0 }] }, []],
  [
    "a wait",
    waits(false),
    [
      [
        `IncidentUpdate "over" waits for an identical update that this machine sent to ${where} moments ago`,
        "  The service doesn't show it yet. Only if it doesn't appear, the update is posted.",
        ...content,
      ],
    ],
  ],
  [
    "a wait for a later entry",
    waits(true),
    [
      expect.arrayContaining([
        expect.stringContaining("waits for a later entry of the timeline that this machine"),
      ]),
    ],
  ],
  [
    "no response",
    { noResponse: "HTTP 503." },
    ['IncidentUpdate "over": the preview could not read the service. HTTP 503.', conditional],
  ],
  ["no response, again", { noResponse: "" }, [conditional]],
  [
    "an unconfirmed update",
    { failure: failure("unconfirmed") },
    [[searched, "  If it isn't found: Why.", ...content]],
  ],
  [
    "what only an up can settle",
    { failure: failure("unsettledTwin") },
    [
      [
        'IncidentUpdate "over": `pulumi up` looks again',
        "  If nothing more is known then, it fails: Why.",
        ...content,
      ],
    ],
  ],
  [
    "what may be settled while an up waits",
    { ...waits(false), failure: failure("noted") },
    [expect.arrayContaining(['IncidentUpdate "over": `pulumi up` looks again'])],
  ],
])("of %s", (_, given, notices) => {
  expect(previewText({ notices: [], incidentName, ...given }, subject)).toEqual({ notices });
});

it("says whether subscribers are emailed, also a second time, and shows all lines of the text", () => {
  const declared = { ...subject.declared, description: "One.\n\nTwo.", notifySubscribers: true };
  const previewed = { notices: [], incidentName, effect: "posts", resent: { at: 0 } } as const;
  expect(previewText(previewed, { ...subject, declared }).notices).toEqual([
    [
      posts,
      "  An earlier run sent this update at 1970-01-01T00:00:00.000Z and received no response: it may become public twice, and subscribers may be emailed a second time.",
      "  RESOLVED, every subscriber is emailed:",
      "  | One.",
      "  |",
      "  | Two.",
    ],
  ]);
});

it("keeps what the service says in a line", () => {
  const given = { notices: [], failure: { why: "unconfirmed", text: "a\n  | b\u001b[2J" } } as const;
  expect(previewText(given, subject).notices).toEqual([
    [searched, "  If it isn't found: a | b [2J", ...content],
  ]);
});

it("quotes no secret, and not the text that it replaces", () => {
  const replaced = { status: "MONITORING", description: "Still slow." } as const;
  const secret = { ...subject, isTextSecret: true };
  expect(previewText({ notices: [], incidentName, effect: "posts", replaced }, secret).notices).toEqual([
    [posts, "  RESOLVED, no subscriber is emailed: (secret text)"],
    ['IncidentUpdate "over" replaces an update, which stays public', "  MONITORING: (secret text)"],
  ]);
});

it("fails as the up would", () => {
  const said = previewText({ notices: [], failure: failure("twin") }, subject);
  expect(said).toEqual({ notices: [], failure: "Why." });
});

it("says that an unconfirmed update is searched for, also when the service doesn't respond", () => {
  const said = previewText({ notices: [], noResponse: "" }, { ...subject, isUnconfirmed: true });
  expect(said).toEqual({ notices: [[searched, ...content]] });
});

it("names a resource by its id when the engine doesn't say which one it is", () => {
  expect(searchedText({ ...subject, resource: undefined, id: "i/u" })[0]).toMatch(/^IncidentUpdate i\/u: /);
  expect(searchedText({ ...subject, resource: undefined })[0]).toMatch(/^IncidentUpdate: /);
});

it("an update whose turn came after a failure", () => {
  expect(skippedText("i")).toMatchSnapshot();
});
