/** What a preview says of a declaration: as a fact, and in the lines of a terminal. */
import {
  type Declaration,
  newLedger,
  type Previewed,
  previewFact,
  previewBlocks,
  previewLines,
  type PreviewSubject,
  type Recorded,
  type Refusal,
  replacedBy,
} from "../../provider/protocol";
import { declaration, posted, sent, update } from "./steps";

const since = "2026-01-01T12:00:00.000Z";
const at = Date.parse(since);
const urn = "urn:pulumi:test::shop::monitoring:index:IncidentUpdate::over";
const text = "All good.";
const subject = {
  urn,
  declared: declaration({ status: "RESOLVED", description: text }),
  isTextSecret: false,
} satisfies PreviewSubject;
const incidentName = 'Checkout "EU"';
const where = '"Checkout \\"EU\\"" (i)';
const failure = (why: Refusal["why"]) => ({ why, text: "Why." });
const title = 'IncidentUpdate "over"';
const content = ["  RESOLVED, no subscriber is emailed:", `  | ${text}`];
const posts = `${title} posts to ${where}`;
const stays = `${title} replaces an update, which stays public`;
const waits = `${title} may post to ${where}: \`pulumi up\` looks again`;
const searched = `${title} may post to ${where}: it is unknown whether it was published. \`pulumi up\` searches for it again`;
const six = { status: "IDENTIFIED", description: "Six hundred." } as const;
const shown = { status: "MONITORING", description: "Still slow" } as const;

const previewed = (given: Previewed, of: Partial<PreviewSubject> = {}) => {
  const fact = previewFact({ ...subject, ...of }, { incidentName, ...given });
  return { fact, ...previewLines(fact) };
};
const unknown = (...names: string[]): Previewed => ({ unknown: new Set(names) });
/** What is known of the declaration. */
const known = (changes: Partial<Declaration>, ...names: (keyof Declaration)[]): Partial<Declaration> =>
  Object.fromEntries(
    Object.entries({ ...subject.declared, ...changes }).filter(
      ([name]) => !names.some((each) => each === name),
    ),
  );

it("a fact says what is posted, where, and who is emailed", () => {
  expect(previewed({ effect: "posts" }, { place: { entry: 2, of: 4 } }).fact).toEqual({
    format: 1,
    urn,
    effect: "posts",
    incident: { id: "i", name: incidentName },
    status: "RESOLVED",
    emails: false,
    text,
    isTextSecret: false,
    place: { entry: 2, of: 4 },
    isVerified: true,
    notices: [],
  });
});

type Effect = ReturnType<typeof previewFact>["effect"];

it.each<[string, Effect, Previewed, readonly unknown[], Partial<PreviewSubject>?]>([
  ["a post", "posts", { effect: "posts" }, [[posts, ...content]]],
  [
    "an edit",
    "replaces",
    { effect: "posts", replaced: shown },
    [
      [posts, ...content],
      [stays, "  MONITORING:", "  | Still slow"],
    ],
  ],
  [
    "an edit of the date alone",
    "replaces",
    { effect: "posts", replaced: { ...shown, isRedated: true } },
    [
      [posts, expect.stringContaining("only publicIncidentUpdateDate changes"), ...content],
      expect.anything(),
    ],
  ],
  [
    "a later post",
    "waits",
    { effect: "posts", isBehind: true },
    [[waits, "  It is posted once the result of the earlier update is known.", ...content]],
  ],
  ...(["earlier", "occurrence"] as const).map((why): [string, Effect, Previewed, readonly unknown[]] => [
    `what lacks an ${why}, after one whose result is unknown`,
    "waits",
    { failure: failure(why), isBehind: true },
    [[waits, "  It is posted once the result of the earlier update is known.", ...content]],
  ]),
  [
    "an update that is sent again",
    "posts",
    { effect: "posts", notices: [{ tell: "resent", at }] },
    [
      [
        posts,
        `  An earlier run sent this update at ${since}, and the incident doesn't show it: it may become public twice.`,
        ...content,
      ],
    ],
  ],
  [
    "an adoption",
    "adopts",
    { notices: [{ tell: "adopted", update: update("u") }] },
    [
      [
        `${title} adopts u of ${where}, public since ${since}`,
        "  RESOLVED, nothing is posted:",
        `  | ${text}`,
      ],
    ],
  ],
  [
    "an adoption of unknown age",
    "adopts",
    { notices: [{ tell: "adopted", update: { ...update("u"), created_at: null } }] },
    [expect.arrayContaining([expect.stringMatching(/, public since an unknown time$/)])],
  ],
  [
    "one that is found",
    "stateOnly",
    { notices: [{ tell: "found", id: "u" }] },
    [expect.stringContaining("update u was published on incident i by a previous run")],
    { recorded: sent() },
  ],
  [
    "one that is found, and a post",
    "replaces",
    { notices: [{ tell: "found", id: "u" }], effect: "posts", replaced: six },
    [
      [posts, expect.stringContaining("  IncidentUpdate: update u was published on incident i"), ...content],
      [stays, "  IDENTIFIED:", "  | Six hundred."],
    ],
    { recorded: sent(six) },
  ],
  [
    "a wait",
    "waits",
    { effect: "waits", notices: [{ tell: "waits", ms: 1, isLater: false }] },
    [
      [
        waits,
        "  This machine sent an identical update moments ago, and the service doesn't show it yet. Only if it doesn't appear, this one is posted.",
        ...content,
      ],
    ],
  ],
  [
    "a wait for a later entry, of an edit",
    "waits",
    { effect: "waits", notices: [{ tell: "waits", ms: 1, isLater: true }], replaced: shown },
    [
      expect.arrayContaining([expect.stringContaining("sent a later entry of the timeline moments ago")]),
      [`${title} then replaces an update, which stays public`, "  MONITORING:", "  | Still slow"],
    ],
  ],
  [
    "what only an up can settle",
    "waits",
    { failure: failure("unsettledTwin") },
    [[waits, "  If nothing more is known then, it fails: Why.", ...content]],
  ],
  [
    "what may be settled while an up waits",
    "waits",
    { effect: "waits", failure: failure("noted") },
    [expect.arrayContaining(["  If nothing more is known then, it fails: Why."])],
  ],
  ["a refusal", "refused", { failure: failure("twin") }, []],
  [
    "an unconfirmed update",
    "unconfirmed",
    { failure: failure("unconfirmed") },
    [[searched, "  If it isn't found: Why.", ...content]],
    { recorded: sent(subject.declared) },
  ],
  [
    "an unconfirmed update, and another is declared",
    "unconfirmed",
    { failure: failure("unconfirmed") },
    [
      [
        `${title}: it is unknown whether this, sent at ${since}, was published. \`pulumi up\` searches for it again`,
        "  If it isn't found: Why.",
        "  IDENTIFIED:",
        "  | Six hundred.",
      ],
      [`${title} posts to ${where} after that`, ...content],
    ],
    { recorded: sent(six, { at }) },
  ],
  [
    "an unconfirmed update that may not change, and does",
    "unconfirmed",
    { failure: failure("unconfirmed") },
    [
      expect.arrayContaining(["  Only if it was not published, the change is posted."]),
      [`${title} posts to ${where} after that`, ...content],
    ],
    { recorded: sent(six), declared: { ...subject.declared, onChange: "refuse" } },
  ],
  [
    "an unconfirmed update that may not change, and doesn't",
    "unconfirmed",
    { failure: failure("unconfirmed") },
    [[searched, "  If it isn't found: Why.", ...content]],
    { recorded: sent(subject.declared), declared: { ...subject.declared, onChange: "refuse" } },
  ],
  [
    "an unconfirmed update that isn't public, as the user says, and another is declared",
    "posts",
    { effect: "posts" },
    [
      [posts, ...content],
      [
        `${title}: an earlier run sent this at ${since}. It may become public, too`,
        "  IDENTIFIED:",
        "  | Six hundred.",
      ],
    ],
    { recorded: sent(six, { at }) },
  ],
  [
    "an unconfirmed update of which a value isn't known",
    "unconfirmed",
    unknown("description"),
    [
      expect.anything(),
      [`${title} posts to ${where} after that`, `${content[0]} (text that is not known yet)`],
    ],
    { recorded: sent(six), declared: known({}, "description") },
  ],
  [
    "what isn't known",
    "unknown",
    unknown("incidentId", "status", "description", "notifySubscribers"),
    [
      [
        `${title} posts to an incident that is not known yet, unless an identical update exists there`,
        "  a status that is not known yet, it is not known yet whether subscribers are emailed: (text that is not known yet)",
      ],
    ],
    { declared: {} },
  ],
  [
    "a public update whose text isn't known",
    "unknown",
    unknown("status", "description", "notifySubscribers"),
    [
      [
        `${title} posts to ${where}, if what it declares changes`,
        "  Not known yet: status, description.",
        "  a status that is not known yet, it is not known yet whether subscribers are emailed: (text that is not known yet)",
      ],
      [`${title} then replaces an update, which stays public`, "  INVESTIGATING:", "  | A"],
    ],
    {
      recorded: posted("u"),
      declared: known({}, "status", "description", "notifySubscribers"),
    },
  ],
  [
    "a public update that must not change, whose text isn't known",
    "stateOnly",
    unknown("description"),
    ["IncidentUpdate i/u: description not known yet. If the value changes, `pulumi up` refuses it."],
    { recorded: posted("u", six), declared: known({ onChange: "refuse" }, "description") },
  ],
  [
    "a public update whose flag isn't known",
    "stateOnly",
    unknown("notifySubscribers", "followedBy"),
    [],
    { recorded: posted("u", subject.declared), declared: known({}, "notifySubscribers") },
  ],
  ["a change of the state alone", "stateOnly", {}, []],
  ["a change of the state alone that looks like more", "stateOnly", { remarks: ["a\nb"] }, ["a\nb"]],
  [
    "an entry of a timeline",
    "posts",
    { effect: "posts" },
    [[`${title} (2 of 4) posts to ${where}`, ...content]],
    { place: { entry: 2, of: 4 } },
  ],
])("of %s", (_, effect, given, notices, ...[of]) => {
  const said = previewed(given, of);
  expect(said).toMatchObject({ fact: { effect, isVerified: true }, notices, warnings: [] });
  expect(said.fact.failure).toBe(effect === "refused" ? "Why." : undefined);
});

it.each<[string, Previewed["noResponse"], Partial<PreviewSubject>, Effect, readonly unknown[]]>([
  [
    "",
    "HTTP 503.",
    {},
    "unknown",
    [[`${title} posts to incident i, unless an identical update exists there`, ...content]],
  ],
  [
    ", again",
    "",
    {},
    "unknown",
    [[`${title} posts to incident i, unless an identical update exists there`, ...content]],
  ],
  [
    " about an unconfirmed one",
    "HTTP 503.",
    { recorded: sent(subject.declared) },
    "unconfirmed",
    [[searched.replace(where, "incident i"), ...content]],
  ],
  [" about a public one", "HTTP 503.", { recorded: posted("u") }, "stateOnly", []],
])("is not verified where the service doesn't respond%s", (_, noResponse, of, effect, notices) => {
  const problem = "The preview could not read the service. HTTP 503.";
  const problems = noResponse === "" ? [] : [problem];
  expect(previewed({ noResponse, incidentName: undefined }, of)).toMatchObject({
    fact: { effect, isVerified: false, notices: problems },
    warnings: problems.map((each) => `${title}: not verified. ${each}`),
    notices,
  });
});

it.each([
  ["an incident without a name", undefined, "incident i"],
  [
    "a long name of an incident",
    `The ${"very ".repeat(20)}slow checkout`,
    /"The (very )+v … y (very )+slow checkout" \(i\)/,
  ],
  ["a name of the greatest length", "n".repeat(60), `"${"n".repeat(60)}" (i)`],
  [
    "a longer name that is cut between words",
    `${"a".repeat(39)} ${"m".repeat(10)} ${"z".repeat(19)}`,
    `"${"a".repeat(39)} … ${"z".repeat(19)}" (i)`,
  ],
  [
    "a name that would rewrite a terminal or its order",
    "\u001b[2J\u202eg\u2028\n##vso[x]",
    '"\\u001b[2J\\u{202e}g\\u{2028}\\n# #vso[x]" (i)',
  ],
])("names %s", (_, name, said) => {
  const [block = []] = previewed({ effect: "posts", incidentName: name }).notices;
  const expected: unknown =
    typeof said === "string" ? `${title} posts to ${said}` : expect.stringMatching(said);
  expect(block[0]).toEqual(expected);
});

it("says whether subscribers are emailed, also a second time, and shows all lines of the text", () => {
  const declared = { ...subject.declared, description: "One.\n\nTwo.", notifySubscribers: true };
  const { fact, notices } = previewed(
    { effect: "posts", notices: [{ tell: "resent", at: 0 }] },
    { declared },
  );
  expect(fact).toMatchObject({
    emails: true,
    sent: { at: "1970-01-01T00:00:00.000Z", status: "RESOLVED", text: "One.\n\nTwo." },
  });
  expect(notices).toEqual([
    [
      posts,
      "  An earlier run sent this update at 1970-01-01T00:00:00.000Z, and the incident doesn't show it: it may become public twice, and subscribers may be emailed a second time.",
      "  RESOLVED, every subscriber is emailed:",
      "  | One.",
      "  |",
      "  | Two.",
    ],
  ]);
});

it("keeps what the service says in a line", () => {
  const given = { failure: { why: "unconfirmed", text: "a\n  | b\u001b[2J" } } as const;
  expect(previewed(given, { recorded: sent(subject.declared) }).notices).toEqual([
    [searched, "  If it isn't found: a | b [2J", ...content],
  ]);
});

describe("quotes no secret:", () => {
  const secret = { isTextSecret: true };
  const hidden = "  RESOLVED, no subscriber is emailed: (secret text)";
  const unconfirmed = { failure: failure("unconfirmed") };
  const sentAs = (isTextSecret: boolean, was: Partial<Declaration> = six) => ({
    recorded: sent(was, { at, isTextSecret }),
  });
  const one = { status: "RESOLVED", description: "All  good." } as const;

  it("neither the declared text nor the one that it replaces", () => {
    const { fact, notices } = previewed({ effect: "posts", replaced: shown }, secret);
    expect(notices).toEqual([
      [posts, hidden],
      [stays, "  MONITORING: (secret text)"],
    ]);
    expect(JSON.stringify(fact)).not.toMatch(/good|slow/);
  });

  it.each<[string, Partial<PreviewSubject>, RegExp]>([
    ["what was sent as plain, and is declared as a secret", { ...secret, ...sentAs(false) }, /good|hundred/],
    ["what was sent as a secret, and another text is declared", sentAs(true), /hundred/],
    ["what was sent as a secret, and is declared as plain", sentAs(true, one), /good/],
  ])("%s", (_, of, words) => {
    const { fact, notices } = previewed(unconfirmed, of);
    expect(JSON.stringify([fact, notices])).not.toMatch(words);
    expect(notices.flat()).toContainEqual(
      expect.stringMatching(/^ {2}(IDENTIFIED|RESOLVED): \(secret text\)$/),
    );
  });

  it("but another text that is declared as plain, and what is public by now", () => {
    expect(previewed(unconfirmed, sentAs(true)).fact).toMatchObject({ text, isTextSecret: false });
    const notices = [{ tell: "waits", ms: 1, isLater: false } as const, { tell: "found", id: "u" } as const];
    const found = previewed({ notices }, sentAs(true, one));
    expect(found.fact).toMatchObject({ text, isTextSecret: false, sent: undefined });
  });

  it.each<[string, Partial<PreviewSubject>, string]>([
    ["may be the declared one", { ...secret, ...sentAs(true, one) }, ", unless it is the same"],
    ["has another status", { ...secret, ...sentAs(true) }, ""],
    ["is of a text that isn't known", { ...sentAs(true), declared: known({}, "description") }, ""],
  ])("says where a secret that was sent %s", (_, of, unless) => {
    const { notices } = previewed(
      { ...unconfirmed, notices: [{ tell: "waits", ms: 1, isLater: false }] },
      of,
    );
    expect(notices[1]?.[0]).toBe(`${title} posts to ${where} after that${unless}`);
  });
});

it.each<[string, Partial<Declaration>, number]>([
  ["the declared one", {}, 1],
  ["another text", { description: "Other." }, 2],
  ["another status", six, 2],
  ["its text with another status", { status: "IDENTIFIED" }, 2],
])("an unconfirmed update that was sent as %s", (_, was, blocks) => {
  const recorded = sent({ ...subject.declared, ...was });
  const { notices } = previewed({ failure: failure("unconfirmed") }, { recorded });
  expect(notices).toHaveLength(blocks);
  expect(notices.flat().join()).not.toContain("unless it is the same");
});

it("a comment also lists what a terminal shows as an error, or not at all", () => {
  const blocks = (given: Previewed) => previewBlocks(previewFact(subject, { incidentName, ...given }));
  const refused = { failure: { why: "twin", text: "Why.\nWhat to do." } } as const;
  const lines = ["Why.", "What to do."];
  expect(blocks(refused)).toEqual([{ head: `${title} is refused: nothing is posted`, lines }]);
  const head = `${title} changes only in the state: nothing is posted`;
  expect(blocks({ remarks: ["a"] })).toEqual([{ head, lines: ["a"] }]);
});

describe("the update that a declaration replaces", () => {
  const ledger = (recorded: Recorded) => {
    if (recorded.kind === "sent") throw new Error("It replaces nothing.");
    const plans = new Map([["own", { kind: "replaces", recorded } as const]]);
    return { ...newLedger("off"), plans };
  };
  const task = (kept?: Recorded, declared = declaration()) => {
    const phase = { at: "decide", lineage: { past: [] }, lookedUp: [] } as const;
    const given = { nonce: "n", isTextSecret: false, codes: [], used: [], notices: [], applied: [], phase };
    return { resource: "own", declared, ...given, kept };
  };

  it.each<[string, Recorded, Recorded | undefined, string | undefined]>([
    [
      "is what the service showed last",
      posted("u", {}, { published: update("u", "Edited") }),
      undefined,
      "Edited",
    ],
    [
      "is as it was declared, if nothing else is known",
      posted("u", {}, { published: undefined }),
      undefined,
      "A",
    ],
    ["is none, if it was deleted", posted("u", {}, { missing: true }), undefined, undefined],
    ["is what an earlier run sent, if it is found", posted("u"), posted("v", { description: "B" }), "B"],
  ])("%s", (_, recorded, kept, description) => {
    expect(replacedBy(ledger(recorded), task(kept))?.description).toBe(description);
  });

  it.each([
    ["its date", { publicIncidentUpdateDate: since }, true],
    ["its date and its text", { publicIncidentUpdateDate: since, description: "B" }, false],
    ["its text", { description: "B" }, false],
  ])("differs in %s alone, or not", (_, changes, isRedated) => {
    expect(replacedBy(ledger(posted("u")), task(undefined, declaration(changes)))).toMatchObject({
      isRedated,
    });
  });

  it("is none of a new resource", () => {
    expect(replacedBy(newLedger("off"), task())).toBeUndefined();
  });
});

it.each([
  ["urn:pulumi:test::shop::a:index:Page$b:index:Update::a::b$c", '"a::b$c"'],
  ["a:index:Page$b:index:Box$over", '"over"'],
])("names the resource of %s", (name, shownName) => {
  expect(previewed({ effect: "posts" }, { urn: name }).notices[0]?.[0]).toBe(
    `IncidentUpdate ${shownName} posts to ${where}`,
  );
});
