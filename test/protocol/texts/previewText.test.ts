/** What a reviewer reads of each declared update in a preview. */
import { type Refusal } from "../../../provider/protocol";
import { conditionalText, previewText, searchedText } from "../../../provider/protocol/texts";
import { declaration, update } from "../steps";

type Previewed = Parameters<typeof previewText>[0];

const since = "2026-01-01T12:00:00.000Z";
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

it("of what is known only in part", () => {
  expect(conditionalText({ ...subject, declared: {} })).toEqual([
    'IncidentUpdate "over" posts to an incident that is not known yet, unless an identical update exists there',
    "  a status that is not known yet, it is not known yet whether subscribers are emailed: (text that is not known yet)",
  ]);
});
