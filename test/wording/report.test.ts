/** Tests the report of a preview about a declaration, as a fact and as lines in a terminal. A snapshot contains the lines. */
import {
  type Content,
  type Declaration,
  predict,
  type Prediction,
  type Notice,
  type Rejection,
} from "../../provider/protocol";
import { formatNoticeText } from "../../provider/texts";
import {
  createRejectedFact,
  createUnknownFact,
  formatBlockLines,
  formatUpdateBlocks,
  previewedUpdate,
  readFact,
  createPreviewFact,
  formatForTerminal,
} from "../../provider/wording";
import { renderTerminalLines } from "../../cli/documents";
import { declaration, posted, sent, update } from "../protocol/steps";

type Subject = Parameters<typeof createPreviewFact>[0];

/** Short forms of the results of a preview. */
interface Previewed {
  /** The names of the unknown values. */
  readonly unknown?: ReadonlySet<string>;
  readonly notices?: readonly Notice[];
  readonly posts?: true;
  readonly isBehind?: boolean;
  /** The content before an edit. */
  readonly was?: Content;
  readonly noResponse?: string | undefined;
  readonly failure?: Rejection;
}

function endedAs({ notices: remarks = [], posts, was, failure: rejection }: Previewed): Prediction {
  if (rejection)
    return {
      kind: rejection.kind === "unconfirmed" ? "unconfirmed" : "refused",
      rejection,
      notices: remarks,
    };
  const adopted = remarks.find((notice) => notice.kind === "adopted");
  const recorded = posted("u", {}, { createdAt: adopted?.update.created_at });
  if (was) return { kind: "edited", recorded, was, notices: remarks };
  if (posts) return { kind: "posted", notices: remarks };
  return { kind: adopted ? "adopted" : "kept", recorded, notices: remarks };
}

const since = "2026-01-01T12:00:00.000Z";
const at = Date.parse(since);
const named = (name: string): NonNullable<Subject["incident"]> => ({ id: "i", name });
const urn = "urn:pulumi:test::shop::monitoring:index:IncidentUpdate::over";
const declared = declaration({ status: "RESOLVED", description: "All good." });
const subject = { urn, declared, isTextSecret: false, incident: named('Checkout "EU"') } satisfies Subject;

/** The position of the second of four entries. */
const second = { keys: ["a", "b", "c", "d"], index: 1 };

const createReport = (given: Previewed, of: Partial<Subject> = {}) => {
  const about: Subject = { ...subject, ...of };
  const { unknown, isBehind, noResponse: unread } = given;
  const ended = unknown || unread !== undefined ? undefined : endedAs(given);
  // The protocol's prediction for this result.
  const prediction = predict({ ...about, unknown, isBehind, unread }, ended);
  if (prediction.kind === "refused") throw new Error("A rejection is an error.");
  return createPreviewFact(about, prediction);
};

it("no line starts with a command in the service's text", () => {
  const was = { ...declared, status: "::add-mask::x" };
  const said = formatNoticeText(formatForTerminal(createReport({ was }), at).flat());
  expect(said).toContain("\n  : :add-mask::x:\n");
  expect(said).not.toMatch(/^ *::/m);
});

type Case = readonly [given: Previewed, of?: Partial<Subject>];

/** Compares each case with the snapshot: its lines, whether it posts and sends emails, and the reason if the service wasn't read. */
function matchReports(cases: Readonly<Record<string, Case>>): void {
  const texts = Object.entries(cases).map(([what, [given, of]]) => {
    const fact = createReport(given, of);
    const { posts, emails, unread } = fact;
    const unverified = unread === undefined ? [] : [`unread: ${unread}`];
    const seen = [...unverified, ...formatForTerminal(fact, at).map(formatNoticeText)];
    return [what, [`posts: ${posts}, emails: ${emails}`, ...seen].join("\n")];
  });
  expect(Object.fromEntries(texts)).toMatchSnapshot();
}

const unknown = (...names: string[]): Previewed => ({ unknown: new Set(names) });
/** Returns the declaration without its unknown values. */
const without = (...names: (keyof Declaration)[]): Partial<Declaration> =>
  Object.fromEntries(Object.entries(declared).filter(([name]) => !names.some((each) => each === name)));
const keyed = { key: "cause", statusPageId: "p" };
const six = { status: "IDENTIFIED", description: "Six hundred." } as const;
const shown = { status: "MONITORING", description: "Still slow" } as const;
const sentSix = { recorded: sent(six, { at }) };
const sentSame = { recorded: sent(declared) };
const sentOther = { recorded: sent({ ...declared, description: "Other." }) };
const posts = { posts: true } as const;
const unconfirmed = { failure: { kind: "unconfirmed", sent: sent(), codes: ["cf3a1c20"] } } as const;
const found = { kind: "found", id: "u" } as const;
const waits = { kind: "waits", ms: 1, isLater: false } as const;

it("a fact contains the posted text, its location, and whether emails are sent", () => {
  const head = 'IncidentUpdate "over" (2 of 4) posts to "Checkout \\"EU\\"" (i)';
  const warnings = { warnings: ["It is odd."] };
  expect(createReport(posts, { ...warnings, place: second })).toEqual({
    format: 3,
    urn,
    posts: "will",
    becomes: "posted",
    incident: { id: "i", name: 'Checkout "EU"' },
    status: "RESOLVED",
    text: "All good.",
    warnings: ["It is odd."],
    timeline: { name: "over", entry: 2, of: 4 },
    emails: false,
    blocks: [{ head, lines: [], isDeclared: true }],
  });
  expect(createReport(adopted(since), warnings).warnings).toEqual([]);
});

it("a fact names the timeline of an entry", () => {
  const of = {
    urn: urn.replace(/[^:]+$/, "story-cause"),
    place: second,
    declared: { ...declared, key: "cause" },
  };
  expect(createReport(posts, of).timeline).toEqual({ name: "story", entry: 2, of: 4 });
});

const adopted = (created_at: string | undefined): Previewed => {
  return { notices: [{ kind: "adopted", update: { ...update("u"), created_at } }] };
};

const opened = { declared: declaration({ name: "Outage" }), incident: named("Acme") };
const impacts = [{ component: "Cart", id: "c", state: "MAJOR_OUTAGE" }];
const newestUpdate = (description: string, more: object = {}): Partial<Subject> => ({
  incident: { ...named("Checkout"), incidentUpdates: [{ ...update("u1", description, -1), ...more }] },
});
const secretly = (description: string) => ({ ...newestUpdate(description), isTextSecret: true });
it.each<[string, Previewed, Partial<Subject>, object]>([
  ["a post", posts, newestUpdate("Older"), { newest: { text: "Older" }, warnings: [], adopts: undefined }],
  [
    "an edit, with warnings and without an email",
    { was: shown },
    {
      ...newestUpdate("Older"),
      declared: { ...declared, notifySubscribers: true },
      warnings: ["It is odd."],
    },
    { emails: false, warnings: ["It is odd."], newest: undefined },
  ],
  ["an adoption", adopted(since), newestUpdate("Older"), { adopts: "u", warnings: [], newest: undefined }],
  ["a newest update of the same text", posts, newestUpdate("All good."), { newest: { text: "All good." } }],
  ["a newest update that is a secret", posts, secretly("All good."), { newest: { text: undefined } }],
  ["a newest update of another secret", posts, secretly("Older"), { newest: { text: "Older" } }],
  [
    "a newest update of 200 characters",
    posts,
    newestUpdate("x".repeat(200)),
    { newest: { text: "x".repeat(200) } },
  ],
  ["a newest update without text", posts, newestUpdate(" \n"), { newest: { text: "" } }],
  [
    "an incident",
    posts,
    { ...opened, impacts },
    { statusPage: { id: "i", name: "Acme" }, name: "Outage", impacts, incident: undefined },
  ],
  ["an incident with a secret name", posts, { ...opened, isNameSecret: true }, { name: undefined }],
  [
    "an incident whose name and page aren't known yet",
    posts,
    { declared: { name: "" } },
    { statusPage: undefined, name: undefined },
  ],
  [
    "an incident next to a public incident",
    posts,
    { ...opened, ...newestUpdate("Older") },
    { newest: undefined },
  ],
])("a fact contains the known values of %s", (_, given, of, expected) => {
  expect(createReport(given, of)).toMatchObject(expected);
});

it("a report describes the result for an incident", () => {
  matchReports({
    "on a page": [posts, { ...opened, impacts }],
    "on a page that wasn't read": [posts, { ...opened, incident: undefined }],
    "whose name and page aren't known yet": [posts, { declared: { name: "" }, incident: undefined }],
    "whose impacts change": [
      {},
      {
        ...opened,
        impactChanges: [
          { component: "Cart", was: "MAJOR_OUTAGE", becomes: "OPERATIONAL" },
          { component: "Search", was: "OPERATIONAL", becomes: "UNDER_MAINTENANCE" },
        ],
      },
    ],
  });
});

it("a report describes the result for an update", () => {
  matchReports({
    "an update that is sent again": [{ ...posts, notices: [{ kind: "resent", at }] }],
    "an update that is sent and emailed again, in several lines": [
      { ...posts, notices: [{ kind: "resent", at }] },
      { declared: { ...declared, description: "One.\n\nTwo.", notifySubscribers: true } },
    ],
    "an update that may appear while an up waits": [
      { notices: [waits], failure: { kind: "doubtedPost", posts: [], isLater: false, codes: ["cf3a1c20"] } },
    ],
    "an unconfirmed update that changes": [unconfirmed, sentSix],
    "an unconfirmed update that doesn't change": [unconfirmed, sentSame],
    "an unconfirmed update with different text": [unconfirmed, sentOther],
    "an unconfirmed update that isn't public according to a code, and is declared again": [posts, sentSame],
    "an unconfirmed update of an explicit Provider": [unconfirmed, { ...sentSame, isOfProvider: true }],
    "an unknown update": [unknown("incidentId", "status", "description"), { declared: {} }],
    "a public update whose text isn't known": [
      unknown("status", "description", "notifySubscribers"),
      { recorded: posted("u"), declared: without("status", "description", "notifySubscribers") },
    ],
    "an unconfirmed update that is edited": [
      unconfirmed,
      { recorded: sent({ ...six, ...keyed }, { at }), declared: { ...declared, ...keyed } },
    ],
    "an unconfirmed update of another status": [
      unconfirmed,
      { recorded: sent({ ...declared, status: "MONITORING" }, { at }) },
    ],
    "an update next to an unconfirmed update that isn't found yet": [{ ...posts, notices: [waits] }, sentSix],
    "an update with a notice that the fact replaces": [{ ...posts, notices: [{ kind: "found", id: "u" }] }],
    "an adopted update of an unknown time": [adopted(undefined)],
    "a change that only affects the state": [
      { notices: [{ kind: "stateOnly", id: "i/u", fields: ["notifySubscribers"] }] },
    ],
  });
});

it("a report shows the incident and its newest update above the new text, its date, and possible errors", () => {
  const updates = [
    update("u2", "\u001b[31m\n\nWe  found\tthe cause, ::error::x\nand more", -90),
    update("u1", "Older", -200),
  ];
  const incident = {
    ...named("Checkout"),
    severity: "MAJOR",
    lastUpdateStatus: "IDENTIFIED",
    created_at: "2026-01-01T09:00:00Z",
  };
  const shown = { ...incident, incidentUpdates: updates };
  const impact = (component: string, state: string) => ({ component, id: component, state });
  const many = ["Checkout", "Cart", "Search", "Login", "A \u202elong".padEnd(90, "x")];
  const inAnotherCentury = { publicIncidentUpdateDate: "2062-11-24T08:00:00.000Z" };
  matchReports({
    "a long line, and a date in another century": [
      posts,
      {
        incident: { ...shown, incidentUpdates: [update("u", "x".repeat(3000), -1)] },
        declared: { ...declared, ...inAnotherCentury },
      },
    ],
    "its effect on components": [
      posts,
      {
        incident: { ...shown, severity: undefined },
        impacts: [
          ...many.map((name) => impact(name, "MAJOR_OUTAGE")),
          ...many.slice(3).map((name) => impact(name, "DEGRADED_PERFORMANCE")),
          impact("API", "UNDER_MAINTENANCE"),
        ],
      },
    ],
    "four components, and three": [
      posts,
      {
        incident: shown,
        impacts: [
          ...many.slice(0, 4).map((name) => impact(name, "MAJOR_OUTAGE")),
          ...many.slice(0, 3).map((name) => impact(name, "DEGRADED_PERFORMANCE")),
        ],
      },
    ],
    "a newest update without a date": [posts, newestUpdate("Older", { created_at: undefined })],
    "a newest update that is a secret": [posts, secretly("All good.")],
    "a secret description": [posts, { incident: shown, isTextSecret: true }],
  });
});

it("a report shows an incident, its state and its newest update above the first of several updates", () => {
  const of = { incident: { ...named("Checkout"), incidentUpdates: [update("u1", "Older", -90)] } };
  const [first, second] = [0, 1].map((index) =>
    previewedUpdate.parse(createReport(posts, { ...of, place: { keys: ["a", "b"], index } })),
  );
  if (!first || !second) throw new Error("A fact is missing.");
  expect(formatUpdateBlocks(first, at)).toMatchObject([
    {
      head: 'IncidentUpdate "over" (1 of 2) posts to "Checkout" (i)',
      lines: ["INVESTIGATING", matching(/^Newest update/), matching(/^RESOLVED/)],
    },
  ]);
  expect(formatUpdateBlocks(second, at, first)).toMatchObject([
    { head: 'IncidentUpdate "over" (2 of 2) posts to i', lines: [matching(/^RESOLVED/)] },
  ]);
  const later = { ...second, newest: { id: "u2" } };
  const elsewhere = { ...second, incident: { ...second.incident, id: "j" } };
  const onPage = previewedUpdate.parse(createReport(posts, opened));
  for (const [each, before] of [
    [later, first],
    [elsewhere, first],
    [second, onPage],
  ] as const)
    expect(formatUpdateBlocks(each, at, before)).toMatchObject([
      { lines: [matching(/^/), matching(/^Newest update/), matching(/^RESOLVED/)] },
    ]);
  const unread = { ...second, incident: { id: "i" } };
  expect(formatUpdateBlocks(unread, at, unread)).toMatchObject([
    { head: 'IncidentUpdate "over" (2 of 2) posts to "Checkout" (i)', lines: [matching(/^RESOLVED/)] },
  ]);
});

const matching = (text: RegExp): unknown => expect.stringMatching(text);

it("a report lists updates that weren't compared with the service", () => {
  const unnamed = { incident: undefined };
  matchReports({
    "a declaration": [{ noResponse: "HTTP 503." }, unnamed],
    "a public update": [{ noResponse: "HTTP 503." }, { ...unnamed, recorded: posted("u") }],
  });
});

const edit = (before: string, after: string, of: Partial<Subject> = {}): Case => {
  return [
    { was: { status: "MONITORING", description: before } },
    { ...of, declared: { ...declared, ...of.declared, description: after } },
  ];
};

const long = "The payments of some of our customers fail at the moment, and we look into it.";

it("a report describes the effect of an edit on the public update", () => {
  matchReports({
    "a word in an entry": edit("On it.", "On it!", { place: second }),
    "a description that was secret": edit("On it.", "All good.", { wasTextSecret: true }),
    "only the date": edit("On it.", "On it.", {
      declared: { ...declared, publicIncidentUpdateDate: since },
    }),
    "another date": [
      { was: { ...shown, publicIncidentUpdateDate: "2025-12-31T12:00:00Z" } },
      { declared: { ...declared, publicIncidentUpdateDate: since } },
    ],
    "an edit that is public already": [{ was: declared }],
    "an update without a status": [{ was: { description: "On it." } }],
    "most of a long text": edit(long, `The payments ${"x ".repeat(20)}`),
    "an update that wasn't read": [
      { noResponse: "HTTP 503." },
      { recorded: posted("u", keyed), declared: { ...declared, ...keyed } },
    ],
    "only the text": [{ was: { ...declared, description: "All is good." } }],
    "an edit with unknown values": [
      unknown("status", "description"),
      {
        recorded: posted("u", { ...six, ...keyed }),
        declared: { ...without("status", "description"), ...keyed },
      },
    ],
  });
  expect(createReport(...edit("On it.", "On it!"))).toMatchObject({ posts: "no", becomes: "edited" });
  const unchanged = edit("On it.", "On it.", { declared: { ...declared, status: "MONITORING" } });
  expect(createReport(...unchanged)).toMatchObject({ posts: "no", becomes: "verified", emails: false });
});

it("a report quotes the error of an up that may fail without an outcome", () => {
  const { blocks } = createReport(unconfirmed);
  expect(JSON.stringify(blocks)).toContain("`pulumi up` fails: ");
  expect(JSON.stringify(blocks)).not.toContain("Nothing was");
});

it.each([
  ["one word", "The paymets fail.", "The payments fail.", '"paymets" becomes "payments"'],
  ["an added word", "All good.", "All is good.", '"is" is added'],
  ["several words", long, long.replace("some of our", "all"), '"some of our" becomes "all"'],
  ["a repeated word", "No no", "No no no", '"no" is added'],
  ["eight words", "It 1 2 3 4 5 6 7 8", "It is", '"1 2 3 4 5 6 7 8" becomes "is"'],
  ["other white space", "All  good.", "All\ngood.", undefined],
  ["a long change", `Sorry. ${long}`, `Sorry. ${"x ".repeat(20)}`, undefined],
])("a report shows the changes of an edit word by word if there are few: %s", (_, before, after, words) => {
  const shown = formatNoticeText(formatForTerminal(createReport(...edit(before, after)), at).flat());
  expect(/(?<=^ +In the text, ).*(?=\.$)/m.exec(shown)?.[0]).toBe(words);
});

const ofIncident = (name: string): Partial<Subject> => ({ incident: named(name) });
it.each<[string, Partial<Subject>, head: string]>([
  ["a long one", ofIncident("very ".repeat(20)), ' to "very very very very very very very very … v'],
  [
    "a hostile one",
    ofIncident("\u001b[2J\u202e\u2028\n##vso[]"),
    ' "\\u001b[2J\\u{202e}\\u{2028}\\n# #vso[]" ',
  ],
  [
    "a resource with colons",
    { urn: "urn:pulumi:t::s::a:b:Page$b:IncidentUpdate::a::b$c" },
    'IncidentUpdate "a::b$c" posts',
  ],
])("a report names an incident and a resource: %s", (_, of, head) => {
  expect(formatNoticeText(formatForTerminal(createReport(posts, of), at).flat()).split("\n")[0]).toContain(
    head,
  );
});

describe("a secret description,", () => {
  const secret = { isTextSecret: true };
  const sentAs = (isTextSecret: boolean, was: Partial<Declaration> = six) => ({
    recorded: sent(was, { at, isTextSecret }),
  });
  const respaced = { status: "RESOLVED", description: "All  good." } as const;
  const unknownText = { declared: without("description") };

  it("a report marks a secret description", () => {
    matchReports({
      "the declared text": [posts, secret],
      "a description that was sent as a secret and is public": [
        { ...posts, notices: [found] },
        sentAs(true, respaced),
      ],
      "a secret that may be the declared one": [unconfirmed, { ...secret, ...sentAs(true, respaced) }],
      "a secret, and the declared text isn't known": [unconfirmed, { ...sentAs(true), ...unknownText }],
    });
  });

  it.each<[string, Previewed, Partial<Subject>, RegExp]>([
    [
      "a description that was sent as plain text",
      unconfirmed,
      { ...secret, ...sentAs(false) },
      /good|hundred/,
    ],
    [
      "a description that was sent as a secret and is declared as plain text",
      unconfirmed,
      sentAs(true, respaced),
      /good/,
    ],
  ])("a fact quotes no part of a secret description: %s", (_, given, of, words) => {
    expect(JSON.stringify(createReport(given, of))).not.toMatch(words);
  });
});

it("a report keeps the indentation of a message, which contains YAML to copy", () => {
  const lines = ["", "plugins:", "  providers:", "    - name: monitoring"];
  const sections = [{ items: [[{ level: "error", head: "Add this to Pulumi.yaml:", lines } as const]] }];
  const report = [...renderTerminalLines({ heading: ["The preview", " failed"], sections }, 80, false)].join(
    "",
  );
  expect(report).toContain("plugins:\n    providers:\n      - name: monitoring\n");
});

it("a block shows its level, warnings and text in the columns and colors of a terminal", () => {
  const lines = ["Add this to Pulumi.yaml:", "  name: monitoring"];
  const block = {
    head: "It is odd, and nobody knows why.",
    warnings: ["Look at it once more."],
    lines,
    text: "On it, and nobody knows for how long.",
  };
  expect({
    "in the engine's output": formatBlockLines(block),
    "in 20 columns": formatBlockLines(block, 20),
    "an update in color": formatBlockLines(block, undefined, "update"),
    "an error in color": formatBlockLines({ ...block, level: "error" }, undefined, "error"),
    "a warning in color": formatBlockLines({ ...block, level: "warning" }, undefined, "warning"),
    "a note": formatBlockLines({ head: "It is odd.", level: "note" }, undefined, "note"),
  }).toMatchSnapshot();
});

it.each([
  ["is rejected", () => createRejectedFact(urn, ["It is odd."]), { posts: "refused", becomes: "refused" }],
  ["is unknown", () => createUnknownFact(urn), { posts: "may", becomes: "unknown" }],
])("a fact of a declaration that %s", (_, create, expected) => {
  const fact = create();
  expect(fact).toMatchObject(expected);
  expect(readFact(fact)).toEqual(fact);
  expect(formatBlockLines(fact.blocks[0] ?? { head: "" })).toMatchSnapshot();
});

it("a fact of a later version with unknown words is still read", () => {
  const fact = createUnknownFact(urn);
  for (const becomes of [
    "posted",
    "waits",
    "unconfirmed",
    "edited",
    "verified",
    "adopted",
    "kept",
    "refused",
  ])
    expect(readFact({ ...fact, becomes })).toEqual({ ...fact, becomes });
  const later = { ...fact, posts: "perhaps", becomes: "delayed", warnings: undefined };
  expect(readFact(later)).toEqual({ ...fact, posts: "may", becomes: "unknown", warnings: [] });
});
