/** What a reviewer reads of each declared update in a preview. */
import { type Refusal } from "../../provider/protocol";
import { conditionalText, previewText, searchedText } from "../../provider/protocol/previewText";
import { declaration, update } from "./steps";

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
const content = 'RESOLVED: "All good."';
const failure = (why: Refusal["why"]) => ({ why, text: "Why." });
const waits = (isLater: boolean): Partial<Previewed> => ({
  effect: "waits",
  notices: [
    { tell: "resent", incidentId: "i" },
    { tell: "waits", ms: 1, isLater },
  ],
});
const searched =
  'IncidentUpdate "over": it is unknown whether it was published. `pulumi up` searches for it again.';
const conditional = `IncidentUpdate "over" posts to incident i, unless an identical update exists there, ${content} No subscriber is emailed.`;
const posts = (text: string, emails = "No subscriber is emailed."): string =>
  `IncidentUpdate "over" posts to ${where}, RESOLVED: ${text} ${emails}`;

it.each<[string, Partial<Previewed>, readonly unknown[]]>([
  ["a post", { effect: "posts" }, [posts('"All good."')]],
  [
    "an edit",
    { effect: "posts", replaced: { status: "MONITORING", description: "Still slow" } },
    [
      posts('"All good."'),
      'IncidentUpdate "over": the update that it replaces stays public, MONITORING: "Still slow".',
    ],
  ],
  [
    "a later post",
    { effect: "posts", isBehind: true },
    [
      `IncidentUpdate "over" posts to ${where}, once the result of the earlier update is known, ${content} No subscriber is emailed.`,
    ],
  ],
  [
    "an adoption",
    { notices: [{ tell: "adopted", update: update("u") }] },
    [`IncidentUpdate "over" adopts u of ${where}, public since ${since}, ${content} Nothing is posted.`],
  ],
  [
    "an adoption of unknown age",
    { notices: [{ tell: "adopted", update: { ...update("u"), created_at: null } }] },
    [expect.stringContaining("public since an unknown time,")],
  ],
  [
    "one that is found, and a post",
    { notices: [{ tell: "found", incidentId: "i", id: "u" }], effect: "posts" },
    [expect.stringContaining("update u was published on incident i"), posts('"All good."')],
  ],
  [
    "an incident without a name",
    { effect: "posts", incidentName: undefined },
    [expect.stringContaining("posts to incident (i), RESOLVED:")],
  ],
  [
    "a long name of an incident",
    { effect: "posts", incidentName: `The ${"very ".repeat(20)}slow checkout` },
    [expect.stringMatching(/posts to "The (very )+v … y (very )+slow checkout" \(i\), /)],
  ],
  ["a notice of the up alone", { notices: [{ tell: "resent", incidentId: "i" }] }, []],
  [
    "a wait",
    waits(false),
    [
      `IncidentUpdate "over": this machine sent an identical update to ${where} moments ago, and the service doesn't show it yet. ` +
        `\`pulumi up\` waits for it. Only if it doesn't appear, the update is posted, ${content} No subscriber is emailed.`,
    ],
  ],
  [
    "a wait for a later entry",
    waits(true),
    [expect.stringContaining("sent a later entry of the timeline to")],
  ],
  [
    "no response",
    { noResponse: "HTTP 503." },
    ['IncidentUpdate "over": the preview could not read the service. HTTP 503.', conditional],
  ],
  ["no response, again", { noResponse: "" }, [conditional]],
  ["an unconfirmed update", { failure: failure("unconfirmed") }, [`${searched} If it isn't found: Why.`]],
  [
    "what only an up can settle",
    { failure: failure("full") },
    [expect.stringMatching(/^IncidentUpdate "over": `pulumi up` looks again, .* it fails: Why\.$/)],
  ],
])("of %s", (_, given, notices) => {
  expect(previewText({ notices: [], incidentName, ...given }, subject)).toEqual({ notices });
});

it.each<[string, string, string]>([
  ["without a full stop", "All good", '"All good".'],
  ["with a question", "All good?", '"All good?"'],
  ["of several lines", "All\n\tgood.", '"All\\n\\tgood."'],
  [
    "with what would rewrite a terminal or its order",
    "\u001b[2J\u202egood\u2028\u0085.",
    '"\\u001b[2J\\u{202e}good\\u{2028}\\u{85}."',
  ],
  ["with a command of a CI system", "##vso[task]", '"# #vso[task]".'],
  ["of 240 characters", "😀".repeat(240), `"${"😀".repeat(240)}".`],
  ["that is cut at a space", "a ".repeat(160), `"${"a ".repeat(79)}a … ${"a ".repeat(40).trim()}".`],
  ["of more", `${"😀".repeat(161)}x${"😊".repeat(80)}`, `"${"😀".repeat(160)} … ${"😊".repeat(80)}".`],
])("quotes a text %s", (_, description, text) => {
  const declared = { ...subject.declared, description, notifySubscribers: true };
  const { notices } = previewText({ notices: [], incidentName, effect: "posts" }, { ...subject, declared });
  expect(notices).toEqual([posts(text, "Every subscriber is emailed.")]);
});

it("quotes no secret, and not the text that it replaces", () => {
  const replaced = { status: "MONITORING", description: "Still slow." } as const;
  const secret = { ...subject, isTextSecret: true };
  expect(previewText({ notices: [], incidentName, effect: "posts", replaced }, secret).notices).toEqual([
    posts("(secret text)."),
    'IncidentUpdate "over": the update that it replaces stays public, MONITORING: (secret text).',
  ]);
});

it("fails as the up would", () => {
  const said = previewText({ notices: [], failure: failure("twin") }, subject);
  expect(said).toEqual({ notices: [], failure: "Why." });
});

it("says that an unconfirmed update is searched for, also when the service doesn't respond", () => {
  const said = previewText({ notices: [], noResponse: "" }, { ...subject, isUnconfirmed: true });
  expect(said).toEqual({ notices: [searched] });
});

it("names a resource by its id when the engine doesn't say which one it is", () => {
  expect(searchedText({ ...subject, resource: undefined, id: "i/u" })).toMatch(/^IncidentUpdate i\/u: /);
  expect(searchedText({ ...subject, resource: undefined })).toMatch(/^IncidentUpdate: /);
});

it.each<[object, string]>([
  [
    {},
    "posts to an incident that is not known yet, unless an identical update exists there, a status that is not known yet: " +
      "(text that is not known yet). It is not known yet whether subscribers are emailed.",
  ],
  [
    { incidentId: "i", status: "RESOLVED", description: "All good.", notifySubscribers: true },
    `posts to incident i, unless an identical update exists there, ${content} Every subscriber is emailed.`,
  ],
])("of what is known only in part: %j", (declared, text) => {
  expect(conditionalText({ ...subject, declared })).toBe(`IncidentUpdate "over" ${text}`);
});
