/** What a preview says of a declaration: as a fact, and in the lines of a terminal. */
import {
  begin,
  type Declaration,
  diff,
  type Ending,
  foresee,
  newLedger,
  type Notice,
  type Posted,
  type Refusal,
} from "../../provider/protocol";
import { previewFact, refusalText, terminalText } from "../../provider/wording";
import { after, declaration, endingOf, history, posted, sent, update } from "../protocol/steps";

type Subject = Parameters<typeof previewFact>[0];
type Replaced = Extract<Ending, { kind: "posted" }>["replaced"];

/** What a preview comes across, in short. */
interface Previewed {
  /** The names of values that aren't known yet. */
  readonly unknown?: ReadonlySet<string>;
  readonly notices?: readonly Notice[];
  readonly posts?: true;
  readonly isBehind?: boolean;
  readonly incidentName?: string | undefined;
  readonly replaced?: Replaced;
  readonly noResponse?: string | undefined;
  readonly failure?: Refusal;
}

/** What the protocol says of it. */
function endingFor({ declared, recorded }: Subject, given: Previewed): Ending {
  const { unknown, isBehind, noResponse: unread } = given;
  const foresight = { declared, recorded, unknown, isBehind, unread };
  return foresee(foresight, unknown || unread !== undefined ? undefined : endedAs(given));
}

function endedAs({ notices: remarks = [], posts, replaced, failure: refusal }: Previewed): Ending {
  if (refusal) return { kind: refusal.why === "unconfirmed" ? "unconfirmed" : "refused", refusal, remarks };
  const adopted = remarks.find((notice) => notice.tell === "adopted");
  const recorded = posted("u", {}, { createdAt: adopted?.update.created_at });
  if (posts) return { kind: "posted", recorded, replaced, remarks };
  return { kind: adopted ? "adopted" : "kept", recorded, remarks };
}

const since = "2026-01-01T12:00:00.000Z";
const at = Date.parse(since);
const urn = "urn:pulumi:test::shop::monitoring:index:IncidentUpdate::over";
const text = "All good.";
const subject = {
  urn,
  declared: declaration({ status: "RESOLVED", description: text }),
  isTextSecret: false,
} satisfies Subject;
const incidentName = 'Checkout "EU"';
const where = '"Checkout \\"EU\\"" (i)';
const refusals = {
  earlierEntry: { why: "earlierEntry" },
  occurrence: { why: "occurrence", count: 0 },
  unsettledTwin: { why: "unsettledTwin", by: "other" },
  noted: { why: "noted", posts: [], isLater: false, codes: [] },
  unconfirmed: { why: "unconfirmed", sent: sent(), codes: [] },
} satisfies Partial<Record<Refusal["why"], Refusal>>;
const reason = (why: keyof typeof refusals) => refusalText(refusals[why], subject.declared);
const title = 'IncidentUpdate "over"';
const content = ["  RESOLVED, no subscriber is emailed:", `  | ${text}`];
const posts = `${title} posts to ${where}`;
const alone = `${title} changes only in the state: nothing is posted`;
const stays = `${title} replaces an update, which stays public`;
const waits = `${title} may post to ${where}: \`pulumi up\` looks again`;
const searched = `${title} may post to ${where}: it is unknown whether it was published. \`pulumi up\` searches for it again`;
const six = { status: "IDENTIFIED", description: "Six hundred." } as const;
const shown = { status: "MONITORING", description: "Still slow" } as const;

const previewed = (given: Previewed, of: Partial<Subject> = {}) => {
  const name = "incidentName" in given ? given.incidentName : incidentName;
  const about = { ...subject, ...of, incidentName: name };
  const ending = endingFor(about, given);
  if (ending.kind === "refused") throw new Error("A refusal is an error.");
  const fact = previewFact(about, ending);
  return { fact, notices: terminalText(fact) };
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
  expect(previewed({ posts: true }, { place: { entry: 2, of: 4 } }).fact).toEqual({
    format: 2,
    urn,
    posts: "will",
    emails: false,
    blocks: [
      {
        head: `${title} (2 of 4) posts to ${where}`,
        lines: ["RESOLVED, no subscriber is emailed:"],
        text,
      },
    ],
  });
});

type Posts = ReturnType<typeof previewFact>["posts"];

it.each<[string, Posts, Previewed, readonly unknown[], Partial<Subject>?]>([
  ["a post", "will", { posts: true }, [[posts, ...content]]],
  [
    "an edit",
    "will",
    { posts: true, replaced: shown },
    [
      [posts, ...content],
      [stays, "  MONITORING:", "  | Still slow"],
    ],
  ],
  [
    "an edit of the date alone",
    "will",
    { posts: true, replaced: { ...shown, isRedated: true } },
    [
      [posts, expect.stringContaining("only publicIncidentUpdateDate changes"), ...content],
      expect.anything(),
    ],
  ],
  [
    "a later post",
    "may",
    { posts: true, isBehind: true },
    [[waits, "  It is posted once the result of the earlier update is known.", ...content]],
  ],
  ...(["earlierEntry", "occurrence"] as const).map((why): [string, Posts, Previewed, readonly unknown[]] => [
    `what lacks an earlier one (${why}), after one whose result is unknown`,
    "may",
    { failure: refusals[why], isBehind: true },
    [[waits, "  It is posted once the result of the earlier update is known.", ...content]],
  ]),
  [
    "an update that is sent again",
    "will",
    { posts: true, notices: [{ tell: "resent", at }] },
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
    "no",
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
    "no",
    { notices: [{ tell: "adopted", update: { ...update("u"), created_at: null } }] },
    [expect.arrayContaining([expect.stringMatching(/, public since an unknown time$/)])],
  ],
  [
    "one that is found",
    "no",
    { notices: [{ tell: "found", id: "u" }] },
    [[alone, expect.stringContaining("update u was published on incident i by a previous run")]],
    { recorded: sent() },
  ],
  [
    "one that is found, and a post",
    "will",
    { notices: [{ tell: "found", id: "u" }], posts: true, replaced: six },
    [
      [posts, expect.stringContaining("  IncidentUpdate: update u was published on incident i"), ...content],
      [stays, "  IDENTIFIED:", "  | Six hundred."],
    ],
    { recorded: sent(six) },
  ],
  [
    "a wait",
    "may",
    { posts: true, notices: [{ tell: "waits", ms: 1, isLater: false }] },
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
    "may",
    { posts: true, notices: [{ tell: "waits", ms: 1, isLater: true }], replaced: shown },
    [
      expect.arrayContaining([expect.stringContaining("sent a later entry of the timeline moments ago")]),
      [`${title} then replaces an update, which stays public`, "  MONITORING:", "  | Still slow"],
    ],
  ],
  [
    "what only an up can settle",
    "may",
    { failure: refusals.unsettledTwin },
    [[waits, `  If nothing more is known then, it fails: ${reason("unsettledTwin")}`, ...content]],
  ],
  [
    "what may be settled while an up waits",
    "may",
    { notices: [{ tell: "waits", ms: 1, isLater: false }], failure: refusals.noted },
    [expect.arrayContaining([`  If nothing more is known then, it fails: ${reason("noted")}`])],
  ],
  [
    "an unconfirmed update",
    "may",
    { failure: refusals.unconfirmed },
    [[searched, `  If it isn't found: ${reason("unconfirmed")}`, ...content]],
    { recorded: sent(subject.declared) },
  ],
  [
    "an unconfirmed update, and another is declared",
    "may",
    { failure: refusals.unconfirmed },
    [
      [
        `${title}: it is unknown whether this, sent at ${since}, was published. \`pulumi up\` searches for it again`,
        `  If it isn't found: ${reason("unconfirmed")}`,
        "  IDENTIFIED:",
        "  | Six hundred.",
      ],
      [`${title} posts to ${where} after that`, ...content],
    ],
    { recorded: sent(six, { at }) },
  ],
  [
    "an unconfirmed update that may not change, and does",
    "may",
    { failure: refusals.unconfirmed },
    [
      expect.arrayContaining(["  Only if it was not published, the change is posted."]),
      [`${title} posts to ${where} after that`, ...content],
    ],
    { recorded: sent(six), declared: { ...subject.declared, onChange: "refuse" } },
  ],
  [
    "an unconfirmed update that may not change, and doesn't",
    "may",
    { failure: refusals.unconfirmed },
    [[searched, `  If it isn't found: ${reason("unconfirmed")}`, ...content]],
    { recorded: sent(subject.declared), declared: { ...subject.declared, onChange: "refuse" } },
  ],
  [
    "an unconfirmed update that isn't public, as the user says, and another is declared",
    "will",
    { posts: true },
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
    "an unconfirmed update that isn't public, as the user says, and is declared again",
    "will",
    { posts: true },
    [[posts, ...content]],
    { recorded: sent(subject.declared) },
  ],
  [
    "an unconfirmed update of which a value isn't known",
    "may",
    unknown("description"),
    [
      expect.anything(),
      [`${title} posts to ${where} after that`, `${content[0]} (text that is not known yet)`],
    ],
    { recorded: sent(six), declared: known({}, "description") },
  ],
  [
    "what isn't known",
    "may",
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
    "may",
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
    "no",
    unknown("description"),
    [[alone, "  Not known yet: description. If the value changes, `pulumi up` refuses it."]],
    { recorded: posted("u", six), declared: known({ onChange: "refuse" }, "description") },
  ],
  [
    "a public update whose flag isn't known",
    "no",
    unknown("notifySubscribers", "followedBy"),
    [],
    { recorded: posted("u", subject.declared), declared: known({}, "notifySubscribers") },
  ],
  ["a change of the state alone", "no", {}, []],
  [
    "a change of the state alone that looks like more",
    "no",
    { notices: [{ tell: "stateOnly", id: "i/u", fields: ["notifySubscribers"] }] },
    [[alone, expect.stringContaining("so only the state changes (notifySubscribers)")]],
  ],
  [
    "an entry of a timeline",
    "will",
    { posts: true },
    [[`${title} (2 of 4) posts to ${where}`, ...content]],
    { place: { entry: 2, of: 4 } },
  ],
])("of %s", (_, may, given, notices, ...[of]) => {
  expect(previewed(given, of)).toMatchObject({ fact: { posts: may, unread: undefined }, notices });
});

it.each<[string, Previewed["noResponse"], Partial<Subject>, Posts, readonly unknown[]]>([
  [
    "",
    "HTTP 503.",
    {},
    "may",
    [[`${title} posts to incident i, unless an identical update exists there`, ...content]],
  ],
  [
    ", again",
    "",
    {},
    "may",
    [[`${title} posts to incident i, unless an identical update exists there`, ...content]],
  ],
  [
    " about an unconfirmed one",
    "HTTP 503.",
    { recorded: sent(subject.declared) },
    "may",
    [[searched.replace(where, "incident i"), ...content]],
  ],
  [" about a public one", "HTTP 503.", { recorded: posted("u") }, "no", []],
])("is not verified where the service doesn't respond%s", (_, noResponse, of, may, notices) => {
  const problem = "The preview could not read the service. HTTP 503.";
  expect(previewed({ noResponse, incidentName: undefined }, of)).toMatchObject({
    fact: { posts: may, unread: noResponse && `${title}: not verified. ${problem}` },
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
  const [block = []] = previewed({ posts: true, incidentName: name }).notices;
  const expected: unknown =
    typeof said === "string" ? `${title} posts to ${said}` : expect.stringMatching(said);
  expect(block[0]).toEqual(expected);
});

it("says whether subscribers are emailed, also a second time, and shows all lines of the text", () => {
  const declared = { ...subject.declared, description: "One.\n\nTwo.", notifySubscribers: true };
  const { fact, notices } = previewed({ posts: true, notices: [{ tell: "resent", at: 0 }] }, { declared });
  expect(fact.emails).toBe(true);
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
  const given = {
    failure: { ...refusals.unconfirmed, readProblem: { incidentMissing: false, text: "a\n  | b\u001b[2J." } },
  } as const;
  expect(previewed(given, { recorded: sent(subject.declared) }).notices).toEqual([
    [
      searched,
      expect.stringMatching(/^ {2}If it isn't found: .* failed: a \| b \[2J\. Nothing was posted/),
      ...content,
    ],
  ]);
});

describe("quotes no secret:", () => {
  const secret = { isTextSecret: true };
  const hidden = "  RESOLVED, no subscriber is emailed: (secret text)";
  const unconfirmed = { failure: refusals.unconfirmed };
  const sentAs = (isTextSecret: boolean, was: Partial<Declaration> = six) => ({
    recorded: sent(was, { at, isTextSecret }),
  });
  const one = { status: "RESOLVED", description: "All  good." } as const;

  it("neither the declared text nor the one that it replaces", () => {
    const { fact, notices } = previewed({ posts: true, replaced: shown }, secret);
    expect(notices).toEqual([
      [posts, hidden],
      [stays, "  MONITORING: (secret text)"],
    ]);
    expect(JSON.stringify(fact)).not.toMatch(/good|slow/);
  });

  it.each<[string, Partial<Subject>, RegExp]>([
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
    expect(previewed(unconfirmed, sentAs(true)).notices[1]).toEqual(expect.arrayContaining(content));
    const notices = [{ tell: "found", id: "u" } as const];
    expect(previewed({ posts: true, notices }, sentAs(true, one)).notices[0]).toEqual(
      expect.arrayContaining(content),
    );
  });

  it.each<[string, Partial<Subject>, string]>([
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
  const { notices } = previewed({ failure: refusals.unconfirmed }, { recorded });
  expect(notices).toHaveLength(blocks);
  expect(notices.flat().join()).not.toContain("unless it is the same");
});

describe("the update that a declaration replaces", () => {
  /** How a preview ends in which the resource of the state declares something else. */
  const replacing = (was: Posted, changes: Partial<Declaration>): Ending => {
    const declared = declaration(changes);
    const comparison = { resource: "own", was, declared, unknown: new Set<string>() };
    const { ledger = newLedger("off") } = diff(comparison, newLedger("off"));
    const begun = begin(ledger, { resource: "own", declared, nonce: "n", codes: [] });
    return endingOf(after(begun, [history([]), { on: "foreseen", at: since }]));
  };

  it.each<[string, Partial<Posted>, string | undefined]>([
    ["is what the service showed last", { published: update("u", "Edited") }, "Edited"],
    ["is as it was declared, if nothing else is known", { published: undefined }, "A"],
    ["is none, if it was deleted", { missing: true }, undefined],
  ])("%s", (_, others, description) => {
    const ending = replacing(posted("u", {}, others), { description: "B" });
    expect(ending).toMatchObject({ kind: "posted", replaced: description && { description } });
  });

  it("is what an earlier run sent, if it is found", () => {
    const given = { resource: "own", declared: declaration({ description: "B" }), nonce: "n", codes: [] };
    const begun = begin(newLedger("off"), { ...given, sent: sent() });
    const ending = endingOf(after(begun, [history([update("a")]), { on: "foreseen", at: since }]));
    expect(ending).toMatchObject({ kind: "posted", replaced: { description: "A" } });
  });

  it.each([
    ["its date", { publicIncidentUpdateDate: since }, true],
    ["its date and its text", { publicIncidentUpdateDate: since, description: "B" }, false],
    ["its text", { description: "B" }, false],
  ])("differs in %s alone, or not", (_, changes, isRedated) => {
    expect(replacing(posted("u"), changes)).toMatchObject({ replaced: { isRedated } });
  });

  it("is none of a new resource", () => {
    const given = { resource: "own", declared: declaration(), nonce: "n", codes: [] };
    const ending = endingOf(
      after(begin(newLedger("off"), given), [history([]), { on: "foreseen", at: since }]),
    );
    expect(ending).toMatchObject({ kind: "posted", replaced: undefined });
  });
});

it.each([
  ["urn:pulumi:test::shop::a:index:Page$b:index:Update::a::b$c", '"a::b$c"'],
  ["a:index:Page$b:index:Box$over", '"over"'],
])("names the resource of %s", (name, shownName) => {
  expect(previewed({ posts: true }, { urn: name }).notices[0]?.[0]).toBe(
    `IncidentUpdate ${shownName} posts to ${where}`,
  );
});

it.each([
  [false, "pulumi config set monitoring:resend cf3a1c20"],
  [true, 'pass resend "cf3a1c20" to its Provider'],
])("says how the code is set, also for an explicit Provider: %s", (isOfProvider, how) => {
  const ending = { kind: "unconfirmed", refusal: { ...refusals.unconfirmed, codes: ["cf3a1c20"] } } as const;
  const { blocks } = previewFact({ ...subject, isOfProvider }, { ...ending, remarks: [] });
  expect(blocks[0]?.lines.join()).toContain(how);
});
