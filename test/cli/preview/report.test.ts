/** Tests the report of a preview, as data and as a comment: its counts, its order and its rejections. */
import Ajv from "ajv/dist/2020";
import type { Gap } from "../../../cli/preview/plan";
import {
  createDocument,
  type Ended,
  createPreviewSchema,
  type PreviewReport,
  createReport,
  createUnfinishedReport,
} from "../../../cli/preview/report";
import { createRejectedFact, type PreviewFact } from "../../../provider/wording";
import {
  renderComment,
  create,
  dynamicUpdate,
  createFact,
  getHeading,
  type Message,
  preview,
  shown,
  updateUrn,
  urn,
} from "./previewing";

it("a preview reports that no update was compared with the service, and fails", () => {
  const facts = [
    createFact("x", { posts: "may", unread: "HTTP 503." }),
    createFact("y", { unread: "HTTP 404." }),
    createFact("z", { unread: "" }),
  ];
  const { code, markdown } = preview({ steps: [create("x")], facts });
  expect(code).toBe(3);
  expect(getHeading(markdown)).toBe("## Preview (dev), not verified: 1 update may be posted");
  expect(markdown).toContain("so the public updates are unknown.\\\nHTTP 404.\\\nHTTP 503.\n\n");
  const withoutReason = createFact("x", { posts: "no", unread: "" });
  const doubtful = preview({ steps: [create("x")], facts: [withoutReason] });
  expect(doubtful.markdown).toContain("so the public updates are unknown.");
  expect(createDocument(doubtful.report, 0).level).toBe("warning");
});

const [silent, all] = [{ emails: false }, { emails: true }];
const may = { posts: "may" } as const;
it.each<[string, string | undefined, ...Partial<PreviewFact>[]]>([
  ["2 updates will be posted, 1 with an email to every subscriber", undefined, silent, all],
  ["2 updates will be posted, each with an email to every subscriber", undefined, all, all],
  [
    "2 updates may be posted, each perhaps with an email to every subscriber",
    "warning",
    { ...all, ...may },
    { emails: undefined, ...may },
  ],
  ["1 update may be posted", "warning", { ...silent, ...may }],
  ["1 update may be posted; 2 warnings", "warning", { ...silent, ...may, warnings: ["a", "b"] }],
])("an approver sees %j, at the level %s", (expected, level, ...given) => {
  const facts = given.map((more, index) => ({ ...createFact(`u${index}`, { text: `${index}` }), ...more }));
  const { report } = preview({ steps: facts.map(({ urn: of }) => ({ op: "create", urn: of })), facts });
  expect(createDocument(report, 0)).toMatchObject({ heading: ["Preview (dev)", `: ${expected}`], level });
});

it.each<[Gap, Ended, string]>([
  ["no plan", { code: 255 }, "Pulumi ended (exit code 255) before it had a plan. See the log."],
  [
    "no end",
    { code: 1, signal: "SIGKILL", lastWords: "error: no stack named 'nope' found" },
    "Pulumi ended (SIGKILL) before its plan was complete. Its last message is about the stack. See the log.",
  ],
  ["no plan", { code: 6, lastWords: "https://db?user=ops&password=hunter2" }, "it had a plan. See the log."],
  ...[
    ["get the secrets manager of the project", "the secrets of the stack"],
    ["run `pulumi login`", "the login to the backend of the state"],
    ["log in again", "the login to the backend of the state"],
    ["the stack is locked", "the lock of the stack"],
    ["the lock file of the stack", "the lock of the stack"],
    ["no project file", "the project file"],
    ["no plugin", "a plugin"],
    ["unknown flag: --backend", "the arguments of the command"],
    ["the state directory of the stack", "the backend of the state"],
  ].map(([lastWords, about]): [Gap, Ended, string] => [
    "no plan",
    { code: 1, lastWords },
    `is about ${about}. See the log.`,
  ]),
])("a preview without a plan reports the reason: %s, %j", (gap, ended, expected) => {
  const report = createReport(gap, ended);
  expect(report).toMatchObject({
    result: "failed",
    isUnchanged: false,
    problem: expect.stringContaining(expected),
  });
  expect(createDocument(report, 0)).toMatchObject({ level: "error" });
});

it("a job that ends before its preview leaves a comment about that", () => {
  const problem = "The job ended before the preview was complete: see the log.";
  expect(createUnfinishedReport()).toEqual({ ...createReport("no end", { code: 1 }), problem });
});

it("a failed preview adds no reason to the existing reasons, and lists what it couldn't read", () => {
  const said = { format: 3, is: "error", text: "mine" };
  const diagnostics = ["mine", "Running program failed: x\n"].map((message) => ({
    message,
    severity: "error",
  }));
  const unread = createFact("x", { posts: "may", unread: "HTTP 503." });
  const ended = preview({ steps: [create("x")], diagnostics, facts: [said, unread] });
  const counts = { otherErrors: 1 };
  expect(ended.report).toMatchObject({ result: "failed", problem: undefined, errors: ["mine"], counts });
  expect(ended.markdown).toContain("Not verified: the service could not be read");
  const { markdown } = preview({ steps: [create("x", "same")], exitCode: 255 });
  expect(markdown).toBe("## The preview (dev) failed\n\nPulumi failed: see the log.\n");
});

const incidentUrn = urn("monitoring:index:Incident", "upgrade");
const opened: PreviewFact = {
  ...createFact("upgrade", { emails: true }),
  urn: incidentUrn,
  statusPage: { id: "page_shop", name: "Shop" },
  name: "Database upgrade",
  impacts: [{ component: "Checkout", id: "c1", state: "UNDER_MAINTENANCE" }],
  blocks: [
    { head: 'Incident "upgrade" opens an incident on "Shop" (page_shop)', lines: [], isDeclared: true },
  ],
};

it("a preview lists a new incident separately from updates, with its name and impacts", () => {
  const { report, markdown } = preview({
    steps: [{ op: "create", urn: incidentUrn }, create("done")],
    facts: [opened, createFact("done")],
  });
  const { format: _, ...incident } = opened;
  expect(report.incidents).toEqual([incident]);
  expect(report.updates.map((each) => each.urn)).toEqual([updateUrn("done")]);
  expect(report.counts).toMatchObject({ willOpen: 1, willPost: 1, willEmail: 1, otherChanges: 0 });
  expect(getHeading(markdown)).toBe(
    "## Preview (dev): 1 incident will be opened, with an email to every subscriber, 1 update will be posted",
  );
  expect(markdown.indexOf("opens an incident on")).toBeLessThan(markdown.indexOf('IncidentUpdate "done"'));
});

const blocks = [{ head: "A quiet block", lines: [] }];
const unposted: Partial<PreviewFact> = { posts: "no", emails: false, blocks };
it.each<[string, string, Partial<PreviewFact> | undefined, listed?: string]>([
  ["create", "1 incident may be opened", { posts: "may", becomes: "unknown", emails: false }],
  ["create", "1 incident may be opened, perhaps with an email to every subscriber", undefined],
  ["update", "1 public incident will be edited without an email", { posts: "no", becomes: "edited" }],
  ["update", "1 public incident will be verified", { posts: "no", becomes: "verified" }],
  [
    "create",
    "nothing will be posted",
    { ...unposted, becomes: "adopted" },
    "already public and adopted (nothing is opened)",
  ],
  [
    "update",
    "nothing will be posted",
    { ...unposted, becomes: "kept" },
    "changed only in the state (nothing is opened or emailed)",
  ],
  [
    "delete",
    "nothing will be posted",
    undefined,
    "removed only from the state (public incidents stay public)",
  ],
])("a preview of an incident with the step %s reports that %s", (op, expected, changes, ...[listed]) => {
  const facts = changes ? [{ ...opened, ...changes }] : [];
  const { report, markdown } = preview({ steps: [{ op, urn: incidentUrn }], facts });
  expect(getHeading(markdown)).toBe(`## Preview (dev): ${expected}`);
  expect(report.removedIncidents).toEqual(op === "delete" ? ["upgrade"] : []);
  expect(report.counts.willEditIncidents).toBe(Number(changes?.becomes === "edited"));
  const [, block] = /^\*\*1 Incident (.*)\*\*\\$/m.exec(markdown) ?? [];
  expect(block).toBe(listed);
  expect(markdown).not.toContain("quiet");
});

it("a rejected incident is counted, and its reason is in its block", () => {
  const fact = createRejectedFact(incidentUrn, ["name must not be empty"]);
  const { report, markdown } = preview({ steps: [{ op: "create", urn: incidentUrn }], facts: [fact] });
  expect(report).toMatchObject({ result: "failed", counts: { refused: 1 } });
  expect(markdown).toContain("is rejected; nothing is opened");
});

const evil = [
  "# Big **bold** _it_ ~~x~~ `code` \\* | a | b |",
  '</pre><b onclick="x()">bold</b> &lt; &amp;amp; <!-- hidden --> <script>',
  "@everyone @acme/oncall a@example.com #12 acme/shop#1 GH-1 !3 $x$ %4 ~bug &5 ^6 :tada:",
  "[link](https://evil.example) ![image](http://evil.example/x.png) [x]: /y [^1]",
  "https://evil.example www.evil.example ftp://evil.example <https://evil.example>",
  "deadbeef 7f3a1c20 0123456789abcdef0123456789abcdef01234567",
  "- list",
  "1. list",
  "> quote",
  "---",
  "    code",
  'IncidentUpdate "x" posts to "y" (z)',
  "  MONITORING, every subscriber is emailed:",
  "/approve",
];

it("a preview shows hostile text literally, without interpreting it", () => {
  const { text: seen, html } = shown(renderComment(createFact("over", { text: evil.join("\n") })));
  expect(seen.trim().split("\n").slice(-evil.length)).toEqual(
    evil.map((line) => line.replace(/ (?= )/g, " ")),
  );
  const own = ["<h2", "<p", "<strong", "<br", "<blockquote", "<p"];
  const breaks = evil.slice(1).map(() => "<br");
  expect(html.replace(/<!-- -->/g, "").match(/<[a-z]\w*/g)).toEqual([...own, ...breaks]);
  // Code hosts search the rendered text for these patterns.
  const parts = html
    .split(/<[^>]*>/)
    .map((part) => part.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))));
  for (const part of parts) {
    expect(part).not.toMatch(/[@#!$%~^]\w|GH-\d|:\w+:|:\/\/|www\.|\b[\da-f]{7,40}\b/);
  }
});

it("a preview contains no control character for a terminal", () => {
  const where = "\u202e\u0007x\n## Preview: nothing";
  const smuggled = renderComment(createFact("a", { where, notices: ["\u001b[2J\u202eabc\u2028def"] }));
  expect(smuggled).not.toMatch(/[^\P{C}\n]|\u2028|\n## /u);
});

it("a preview shows a command that a user can copy", () => {
  const command = "`pulumi config set monitoring:resend f2525649`";
  // Backticks in foreign text don't pair with ours.
  const notice = `@acme: "a \`b" and "c\`": run ${command}, then \`pulumi up\`.`;
  const markdown = renderComment(createFact("over", { notices: [notice] }));
  expect(markdown).toContain(`&#64;<!-- -->acme: "a &#96;b" and "c&#96;": run ${command}, then \`pulumi`);
});

it.each([
  ["50 updates with 800 characters of text each", 50, "It is slow. ".repeat(66), 50],
  ["text that grows when it is escaped", 50, "@".repeat(800), 5],
  ["more updates than fit", 600, "All good.", 0],
])(
  "a preview with %s stays below GitHub's limit, and reports what it leaves out",
  (_, count, text, whole) => {
    const facts = Array.from({ length: count }, (__, index) => createFact(`n${index}`, { text }));
    const removed = Array.from({ length: 2_000 }, (__, index) => create(`old${index}`, "delete"));
    const steps = [...removed, ...facts.map((fact) => ({ op: "create", urn: fact.urn }))];
    const { markdown } = preview({ steps, facts });
    expect(markdown.length).toBeLessThanOrEqual(65_000);
    const { text: seen } = shown(markdown);
    expect(seen.split(text.trim()).length - 1).toBeGreaterThanOrEqual(whole);
    const [, cut = ""] = /^🟡 This comment is too long \((.*)\)\. See the log\.$/m.exec(markdown) ?? [];
    expect(/omitted|\d updates? not listed/.test(cut)).toBe(seen.split(text.trim()).length - 1 < count);
    expect(seen).toContain("2,000 IncidentUpdates removed only from the state");
  },
);

it.each([
  [2, /"old0", "old1"\./],
  [50, /"old0", "old1", .*"old49"\./],
  [60, /"old0", "old1", .*"old49", and 10 more\./],
])("a preview reports once for %d removed declarations that the public updates stay", (length, names) => {
  const removed = Array.from({ length }, (_, index) => create(`old${index}`, "delete"));
  const { text } = shown(preview({ steps: removed.reverse() }).markdown);
  const [, first = "", said] = text.trim().split(/\n+/);
  expect(first).toBe(`${length} IncidentUpdates removed only from the state (public updates stay public)`);
  expect(said).toMatch(new RegExp(`^${names.source}$`));
});

it.each<[options: string[], part?: string]>([
  [["--target", "**x**"], "--target **x**"],
  [["--exclude=**t**", "--exclude-dependents"], "--exclude=**t** --exclude-dependents"],
  [["-x", "**x**"], "-x **x**"],
  [["-t**x**"], "-t**x**"],
  [["-rt", "**x**"], "-rt **x**"],
  [["--diff", "-x", "**x**"], "-x **x**"],
  [["--target-dependents", "--diff"], "--target-dependents"],
  [["PULUMI_OPTION_TARGET_DEPENDENTS=true"], "PULUMI_OPTION_TARGET_DEPENDENTS=true"],
  [["PULUMI_OPTION_EXCLUDE=**x**"], "PULUMI_OPTION_EXCLUDE=**x**"],
  ...[["PULUMI_OPTION_TARGET="], ["PULUMI_OPTION_PARALLEL=4"]].map((one): [string[]] => [one]),
  ...[["-m", "text"], ["-mtext"], ["--stack", "t"], ["-m", "see --target=x"]].map((one): [string[]] => [one]),
])("a preview of a part is labeled as a part: %j", (options, ...[part]) => {
  const { report, markdown } = preview({ steps: [create("a", "same")], options });
  expect(report.part).toBe(part);
  expect(createDocument(report, 0).level).toBe(part && "warning");
  const { text } = shown(markdown);
  const whole = ["nothing will be posted", "The stack is unchanged."];
  const ofPart = [
    "nothing will be posted of the part that was previewed",
    `🟡 Only a part of the stack was previewed (${part}). The rest may post updates and email subscribers.`,
  ];
  expect(text.replace("Preview (dev): ", "").trim().split(/\n+/)).toEqual(
    part === undefined ? whole : ofPart,
  );
});

/** Returns the fact that this package writes about its own error. */
const createMessageFact = (text: string, is = "error") => ({ format: 3, is, text });

const error = (message: string, of?: string): Message => {
  return { ...(of !== undefined && { urn: of }), message, severity: "error" };
};

it("a preview shows each error once, and counts the resources of other packages", () => {
  const { code, markdown } = preview({
    steps: [
      { op: "create", urn: urn("pulumi:pulumi:Stack", "shop-dev") },
      { op: "same", urn: urn("aws:s3:Bucket", "kept") },
      { op: "read", urn: urn("aws:s3:Bucket", "read") },
      { op: "update", urn: urn("aws:s3:Bucket", "a") },
      { op: "create-replacement", urn: urn("aws:s3:Bucket", "b") },
      { op: "replace", urn: urn("aws:s3:Bucket", "b") },
      create("x"),
      create("y"),
      { op: "delete", urn: urn(dynamicUpdate, "gone") },
    ],
    diagnostics: [
      error("Preview failed: IncidentUpdate on incident i: no @all.\n/approve\n", updateUrn("x")),
      error('OpenIncidentGate "gate": 1 open incident.\n'),
      error("dynamic/monitoring:IncidentUpdate resource 'y' has a problem: it is long", updateUrn("y")),
      error("Running program failed: secret-key-of-somebody\n"),
      error("The provider of IncidentUpdate z crashed: secret-key-of-somebody", updateUrn("z")),
      error("The preview fails, because objects aren't as declared.\n"),
      error("preview failed\n"),
    ],
    facts: [
      createMessageFact("1 open incident."),
      createMessageFact("IncidentUpdate on incident i: no @all.\n/approve"),
      createMessageFact('OpenIncidentGate "gate": 1 open incident.'),
      createMessageFact("it is long", "problem"),
      createMessageFact("The preview fails, because objects aren't as declared.", "summary"),
      createMessageFact("The program caught this one."),
    ],
  });
  expect(code).toBe(1);
  expect(markdown.split("\n\n")).toEqual([
    "## The preview (dev) failed",
    '🔴 IncidentUpdate "y": it is long',
    "🔴 IncidentUpdate on incident i: no &#64;<!-- -->all.\\\n&#47;approve",
    '🔴 OpenIncidentGate "gate": 1 open incident.',
    '**IncidentUpdate "x" is rejected; nothing is posted**',
    '**1 IncidentUpdate removed only from the state (public updates stay public)**\\\n"gone".',
    "2 other resources would change, 2 other errors: see the log.\n",
  ]);
});

it("a comment that is too long reports the number of omitted errors and warnings", () => {
  const texts = Array.from(
    { length: 30 },
    (_, index) => `OpenIncidentGate "g${index}": ${"long ".repeat(200)}.`,
  );
  const { markdown } = preview({
    diagnostics: texts.map((text) => error(text)),
    facts: [
      ...texts.map((text) => createMessageFact(text)),
      ...texts.map((text) => createMessageFact(text, "warning")),
    ],
  });
  expect(markdown).toContain("too long (16 errors not listed, 16 warnings not listed). See the log.");
});

it("a preview without posts groups adopted updates, and shows only the error of a rejected update", () => {
  const names = ["u1", "u2", "u3"];
  const createUnpostedFact = (name: string, becomes: "adopted" | "kept", lines: string[] = []) =>
    createFact(name, {
      posts: "no",
      becomes,
      blocks: [{ head: `IncidentUpdate "${name}" ${becomes}`, lines }],
    });
  const facts = [
    ...names.map((name) => createUnpostedFact(name, "adopted")),
    createUnpostedFact("k", "kept"),
    createUnpostedFact("l", "kept", ["!"]),
  ];
  const steps = [...names, "k", "l", "no"].map((name) => create(name));
  const rejection = 'IncidentUpdate "no": description must not change.';
  const ended = preview({ steps, facts });
  expect(ended.markdown.split("\n\n")).toEqual([
    "## Preview (dev): 1 update may be posted, perhaps with an email to every subscriber",
    '**IncidentUpdate "l" kept**\\\n!',
    expect.stringContaining('"no" may be posted'),
    '**3 IncidentUpdates already public and adopted (nothing is posted)**\\\n"u1", "u2", "u3".',
    '**1 IncidentUpdate changed only in the state (nothing is posted or emailed)**\\\n"k".\n',
  ]);
  const failed = preview({
    steps,
    diagnostics: [error(rejection, updateUrn("no"))],
    facts: [...facts, createMessageFact(rejection)],
  });
  expect(failed.markdown.split("\n\n").slice(1, 3)).toEqual([
    `🔴 ${rejection}`,
    '**IncidentUpdate "l" kept**\\\n!',
  ]);
  expect(failed.report.counts.refused).toBe(1);
});

it.each([
  ["read", "\n\nThe stack is unchanged."],
  ["refresh", ""],
  ["import", ""],
  ["discard", ""],
])("a preview reports which updates are known to be unchanged, if each step is %s", (op, unchanged) => {
  const steps = [updateUrn("x"), ...(op === "refresh" ? [urn("aws:s3:Bucket", "b")] : [])];
  const markdown = `## Preview (dev): nothing will be posted${unchanged}\n`;
  expect(preview({ steps: steps.map((of) => ({ op, urn: of })) })).toMatchObject({ code: 0, markdown });
});

const updates = [
  createFact("b", { order: 2 }),
  createFact("a-cause", { timeline: { name: "a", entry: 10, of: 11 } }),
  createFact("a-outage", {
    timeline: { name: "a", entry: 9, of: 11 },
    warnings: ["description is odd: why?"],
  }),
  createFact("a-2-1", { timeline: { name: "a-2", entry: 1, of: 1 } }),
  createFact("c", { order: 1, emails: true }),
  createFact("d", { incident: { id: "inc_2", name: "Login" } }),
  createFact("e", { posts: "refused" }),
  createFact("f", { posts: "may", order: 3 }),
  { ...createFact("g", { posts: "may", order: 4 }), emails: undefined },
  createFact("h", { posts: "may", order: 5, emails: true }),
].map((fact) => ({ incident: { id: "inc_1", name: "Checkout" }, ...fact }));
const createSteps = (facts: readonly PreviewFact[]) =>
  facts.map(({ urn: of }) => ({ op: "create", urn: of }));
const reportFor = (facts: readonly PreviewFact[]) => preview({ steps: createSteps(facts), facts }).report;

it("bots and policies can read all counts and updates, in an order that doesn't depend on the engine", () => {
  const { version, result, counts, ...report } = reportFor(updates);
  expect(reportFor([...updates].reverse())).toEqual({ version, result, counts, ...report });
  expect({ version, result }).toEqual({ version: 1, result: "failed" });
  expect(counts).toMatchObject({
    willPost: 6,
    willEmail: 1,
    mayPost: 3,
    mayEmail: 2,
    refused: 1,
    warnings: 1,
  });
  const names = report.updates.map(({ urn: of }) => of.split("::").at(-1));
  expect(names.join(" ")).toBe("e a-outage a-cause a-2-1 c b f g h d");
  const removals = ["z", "y"].flatMap((name) =>
    [updateUrn(name), urn("monitoring:index:Incident", name)].map((of) => ({ op: "delete", urn: of })),
  );
  const said = ["b", "a"].map((text) => createMessageFact(text, "warning"));
  expect(preview({ steps: removals, facts: said }).report).toMatchObject({
    ...{ removed: ["y", "z"], removedIncidents: ["y", "z"], warnings: ["a", "b"] },
    counts: { removed: 4, warnings: 2 },
  });
});

it("an edit is counted separately, and not as a post or an email", () => {
  const edits = ["a", "b"].map((name) => createFact(name, { posts: "no", becomes: "edited", emails: false }));
  const { report, markdown } = preview({
    steps: edits.map(({ urn: of }) => ({ op: "update", urn: of })),
    facts: edits,
  });
  expect(report.counts).toMatchObject({ willEdit: 2, willPost: 0, willEmail: 0, mayPost: 0, refused: 0 });
  expect(markdown).toMatch(/^## Preview( \(.*\))?: 2 public updates will be edited without an email\n/);
});

it("a heading doesn't report an edit of an update if its public text already equals the declared text", () => {
  const verified = createFact("a", { posts: "no", becomes: "verified", emails: false });
  const edited = createFact("b", { posts: "no", becomes: "edited", emails: false });
  const headingFor = (...facts: PreviewFact[]) =>
    getHeading(preview({ steps: facts.map(({ urn: of }) => ({ op: "update", urn: of })), facts }).markdown);
  expect(headingFor(verified)).toBe("## Preview (dev): 1 public update will be verified");
  expect(headingFor(edited, verified)).toBe(
    "## Preview (dev): 1 public update will be edited without an email, 1 public update will be verified",
  );
});

it("a warning about entries that post nothing is in the heading, the report, the comment and the JSON", () => {
  const text = 'IncidentUpdate "b" (2 of 2): declared after "a", although "a" is newer on the page.';
  const warning = { format: 3, is: "warning", text };
  const steps = [{ op: "same", urn: updateUrn("b") }];
  const { code, report, markdown } = preview({ steps, facts: [warning, warning] });
  expect([code, report.warnings, report.counts.warnings]).toEqual([0, [text], 1]);
  expect(shown(markdown).text.trim()).toBe(
    `Preview (dev): nothing will be posted; 1 warning\n\u{1f7e1} ${text}\n\nThe stack is unchanged.`,
  );
});

it("the schema of the package describes the report", () => {
  const ajv = new Ajv();
  const isValid = ajv.compile(createPreviewSchema());
  const toJsonData = (report: PreviewReport) => JSON.parse(JSON.stringify(report)) as object;
  const [verified] = updates;
  const unread = updates.slice(0, 1).map((fact) => ({ ...fact, unread: "HTTP 503." }));
  const reports = [updates, verified ? [verified] : [], unread].map(reportFor);
  expect(reports.map(({ result }) => result)).toEqual(["failed", "passed", "notVerified"]);
  for (const report of reports) expect(isValid(toJsonData(report)) || isValid.errors).toBe(true);
  expect(JSON.stringify(createPreviewSchema())).not.toContain('"description":""');
  expect(isValid({ ...toJsonData(reportFor([])), version: 2 })).toBe(false);
});

it("an update without a comparison or an incident name appears with the other updates of its incident", () => {
  const facts = [
    createFact("a", { order: 1, incident: { id: "inc_1", name: "Search" } }),
    createFact("b", { order: 2, incident: { id: "inc_2", name: "Login" } }),
    createFact("c", { order: 3, incident: { id: "inc_1" } }),
    createFact("d", { order: 0 }),
  ];
  const { text } = shown(renderComment(...facts));
  expect(text.match(/(?<=IncidentUpdate ")./g)).toEqual(["b", "a", "c", "d"]);
});

it("names that differ in zeros and incidents with one ID in two accounts have a fixed order", () => {
  const facts = ["Login", "Log-in"].flatMap((name, index) => [
    createFact(`a-${index}`, { incident: { id: "inc_1", name } }),
    createFact(`a-0${index}`, { incident: { id: "inc_1", name } }),
  ]);
  expect(renderComment(...[...facts].reverse())).toBe(renderComment(...facts));
});
