/** `monitoring preview`: what it runs, what it makes of the plan and of the facts, and the comment. Real previews: test/journeys/preview.test.ts. */
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  commandIn,
  commentOn,
  create,
  dynamicUpdate,
  end,
  event,
  eventsOf,
  factOf,
  fakePulumi,
  headingOf,
  type Message,
  type Step,
  nativeUpdate,
  preview,
  previewByCommand,
  run,
  shown,
  stream,
  timeline,
  updateUrn,
  urn,
} from "./previewing";
import type { PreviewFact } from "../../../provider/wording";
import { monitoring, monitoringIn } from "../monitoring";
import { temporaryFolder } from "../../temporaryFolder";

it("a preview runs Pulumi with a private file for the facts, which is gone afterwards", async () => {
  const folder = fakePulumi({ steps: [create("a")], facts: [factOf("a")] });
  const { code } = await run([...commandIn(folder), "--stack", "my stack", "--", "--target", "x y"]);
  expect(code).toBe(0);
  const ran = JSON.parse(readFileSync(join(folder, "runs.jsonl"), "utf8")) as { file: string };
  const own = ["preview", "--json", "--non-interactive", "--color=never"];
  const args = [...own, "--stack", "my stack", "--target", "x y"];
  expect(ran).toMatchObject({ args, modes: ["600", "700"] });
  expect(existsSync(dirname(ran.file))).toBe(false);
});

it("a preview says what will be posted where, and shows the text as it will be public", () => {
  const markdown = commentOn(
    factOf("over", { emails: true, title: 'IncidentUpdate "over" (2 of 4)' }),
    factOf("two", { text: "\nTwo\nlines.\n\n" }),
  );
  const counts = "2 updates will be posted, 1 with an email to every subscriber";
  expect(headingOf(markdown)).toBe(`## Preview (dev): ${counts}`);
  expect(shown(markdown).text).toContain(
    'IncidentUpdate "over" (2 of 4) posts to "Checkout" (inc_1)\nMONITORING, every subscriber is emailed:',
  );
  expect(markdown).toMatch(/^> Two\\\n> lines\.$/m);
});

it("a preview says what it doesn't know of an update that the engine asked nobody about, and counts its email", () => {
  const { markdown } = preview({ steps: [create("x")] });
  expect(markdown.split("\n\n")).toEqual([
    "## Preview (dev): 1 update may be posted, perhaps with an email to every subscriber",
    '**IncidentUpdate "x" may be posted**\\\nThe preview doesn\'t know what it declares, or its provider.\n',
  ]);
});

it("a preview withholds a secret of an update whose provider isn't known", () => {
  const description = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
  const inputs = { incidentId: "inc_1", status: "RESOLVED", description };
  const { markdown } = preview({ steps: [{ ...create("x"), newState: { inputs } }] });
  expect(shown(markdown).text).toContain("RESOLVED, no subscriber is emailed: (secret text)\n");
});

it("a preview knows nothing against a property that a policy adds to an update whose provider isn't known", () => {
  const before = { incidentId: "inc_1", status: "RESOLVED", description: "All good." };
  const inputs = { ...before, tags: ["on-call"] };
  const remediated = { resourceUrn: updateUrn("x"), policyPackName: "acme", policyName: "tags" };
  const remediation = event(0, { policyRemediationEvent: { ...remediated, before, after: inputs } });
  const seen = (first: string) => {
    const stdout = `${first}\n${eventsOf([{ ...create("x"), newState: { inputs } }])}`;
    return shown(preview({ stdout }).markdown).text;
  };
  expect(seen(remediation)).toContain("Not known yet: provider.\nRESOLVED, no subscriber is emailed:");
  expect(seen("")).toContain("is refused: nothing is posted\ntags is not known;");
});

it("a preview counts a timeline whose entries the plan lacks, and not one beside its entries", () => {
  const parent = urn(timeline, "story");
  const entry = { urn: urn(`${timeline}$${nativeUpdate}`, "story-1"), newState: { parent } };
  const may = /1 update may be posted/;
  const heading = (...steps: { op: string; urn: string }[]) => headingOf(preview({ steps }).markdown);
  expect(heading({ op: "create", urn: parent })).toMatch(may);
  expect(heading({ op: "create", urn: parent }, { op: "create", ...entry })).toMatch(may);
  // Its updates aren't known yet: the engine would delete the entries that it has.
  expect(heading({ op: "delete", ...entry })).toMatch(may);
  expect(heading({ op: "delete", urn: parent }, { op: "delete", ...entry })).toMatch(/nothing/);
  const last = { urn: urn(`${timeline}$${nativeUpdate}`, "story-2"), newState: { parent } };
  expect(heading({ op: "same", ...entry }, { op: "delete", ...last })).toMatch(/nothing/);
  expect(heading({ op: "same", urn: parent }, { op: "same", ...entry })).toMatch(/nothing/);
});

it("a preview shows nothing of programs, other providers, and updates that the plan doesn't change", () => {
  const diagnostics = [
    { message: 'IncidentUpdate "z" posts to x\n\n', severity: "info" },
    { message: "  | Call +1\n\n", severity: "info#err" },
  ];
  const facts = [factOf("same"), factOf("elsewhere"), factOf("real")];
  const steps = [create("real"), create("same", "same")];
  const { markdown } = preview({ steps, diagnostics, facts });
  expect(headingOf(markdown)).toBe("## Preview (dev): 1 update will be posted");
  expect(markdown).not.toMatch(/"z"|Call|same|elsewhere/);
});

it("a preview says that nothing was compared with the service, and doesn't pass", () => {
  const facts = [factOf("x", { posts: "may", unread: "HTTP 503." }), factOf("y", { unread: "" })];
  const { code, markdown } = preview({ steps: [create("x")], facts });
  expect(code).toBe(3);
  expect(headingOf(markdown)).toBe("## Preview (dev), not verified: 1 update may be posted");
  expect(markdown).toContain("so what is public already isn't known.\\\nHTTP 503.\n\n");
});

const commit = "abc1234def567890abc1234def567890abc12345";
it("a preview says that Pulumi failed if Pulumi names no reason", () => {
  const { code, markdown } = preview({ steps: [create("x")], facts: [factOf("x")], exitCode: 255 });
  expect(code).toBe(1);
  expect(markdown).toMatch(/^## The preview \(dev\) failed\n\nPulumi failed: see the log\.\n\n\*\*Inc/);
});

it("a preview names the policies that forbid an update, and has their messages in the log alone", async () => {
  const violated = (policyName: string, enforcementLevel: string) => {
    const message = `found\n::error::hunter2 ${policyName}`;
    const of = { resourceUrn: updateUrn("x"), policyPackName: "acme", policyName };
    return event(2, { policyEvent: { ...of, message, enforcementLevel } });
  };
  const stdout = [...stream, violated("no-mail", "mandatory"), violated("short", "advisory"), end].join("\n");
  const ended = await previewByCommand({ stdout, facts: [factOf("x")], exitCode: 255 });
  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(
    /^## The preview \(dev\) failed\n\n🔴 The policy no-mail of acme forbids IncidentUpdate "x": see the log\.\n\n\*\*Inc/,
  );
  expect(ended.stdout).not.toMatch(/hunter2|short/);
  expect(ended.stderr).toContain("\n| mandatory policy no-mail of acme: found\n| ::error::hunter2 no-mail\n");
  expect(ended.stderr).toContain("\n| advisory policy short of acme: found\n");
});

it.each([
  ["that the dynamic provider creates", dynamicUpdate, "create", { description: "Sorry." }, true],
  ["that is replaced without a diff", dynamicUpdate, "replace", { notifySubscribers: false }, true],
  ["by a property of its own", dynamicUpdate, "create", { tags: ["on-call"] }, false],
  ["that the plugin creates", nativeUpdate, "create", { description: "Sorry." }, true],
])("a preview refuses like an up, where a policy changes one %s", async (_, type, op, changes, isRefused) => {
  const of = urn(type, "x");
  const before = { description: "Good.", notifySubscribers: true };
  const change = { policyPackName: "acme", policyName: "sorry", before, after: { ...before, ...changes } };
  const remediation = event(0, { policyRemediationEvent: { resourceUrn: of, ...change } });
  const stdout = `${remediation}\n${eventsOf([{ op, urn: of }])}`;
  const ended = await previewByCommand({ stdout, facts: [factOf("x", { urn: of })] });
  const changed = 'policy sorry of acme changes IncidentUpdate "x"';
  expect(ended.stderr.includes(`| ${changed}\n`)).toBe(!("tags" in changes));
  const [, refusal] = /🔴 (.*) Make/.exec(shown(ended.stdout).text) ?? [];
  const refused = `The ${changed} after its check, so pulumi up refuses it.`;
  expect([ended.code, refusal]).toEqual(isRefused ? [1, refused] : [0, undefined]);
});

it("a preview marks each line of others in the log, and breaks up commands inside of a line", async () => {
  const diagnostics = [
    { message: "::add-mask::x\n  ::error::y\n##vso[x] \u001b[2J\rz\n", severity: "info" },
    { message: "Downloading: 12 %", severity: "info", ephemeral: true },
  ];
  const steps = [create("x"), create("a\n::stop-commands::x")];
  const stdout = `::stop-commands::a\n${eventsOf(steps, diagnostics)}`;
  const { stderr } = await previewByCommand({ stdout, facts: [factOf("x")] });
  expect(stderr.trim().split("\n")).toEqual([
    "| ::stop-commands::a",
    "| create  monitoring:index:IncidentUpdate  x",
    "| create  monitoring:index:IncidentUpdate  a ::stop-commands::x",
    "| ::add-mask::x",
    "|   ::error::y",
    "| # #vso[x]  [2J z",
  ]);
});

describe("on standard output, for a person,", () => {
  const words = "We rolled it back, and we keep watching the orders of all shops in Europe and Asia.";
  const advice = "run `pulumi config set monitoring:resend f2525649`, then `pulumi up`, at ::error::x";
  const facts = [
    factOf("over", { emails: true, text: `${words}\n::error::z` }),
    factOf("then", { posts: "may", notices: [advice] }),
  ];
  const printed = { steps: [create("over"), create("then")], facts };
  const lines = [
    "Preview (dev) of abc1234: 1 update will be posted, with an email to every",
    "  subscriber, 1 update may be posted",
    "",
    'IncidentUpdate "over" posts to "Checkout" (inc_1)',
    "  MONITORING, every subscriber is emailed:",
    "  | We rolled it back, and we keep watching the orders of all shops in Europe",
    "  ↳ and Asia.",
    "  | ::error::z",
    "",
    'IncidentUpdate "then" posts to "Checkout" (inc_1)',
    "  run `pulumi config set monitoring:resend f2525649`, then `pulumi up`, at",
    "    : :error::x",
    "  MONITORING, no subscriber is emailed:",
    "  | All good.",
    "",
    `commit ${commit}`,
    "log https://ci.example/1",
    "",
  ];
  const job = ["--commit", commit, "--log", "https://ci.example/1"];

  it("standard output has the lines of a terminal, wrapped, without a command to the host of the job, also in a file", async () => {
    const file = join(temporaryFolder(), "preview");
    const folder = fakePulumi(printed);
    const { stdout } = await run([...commandIn(folder), ...job, "--output", file]);
    expect(stdout.split("\n")).toEqual(lines);
    expect(readFileSync(file, "utf8")).toMatch(/^## Preview \(dev\) of abc1234: 1 update will be posted/);
    await run([...commandIn(folder), ...job, "--output", file, "--format", "text"]);
    expect(readFileSync(file, "utf8")).toBe(stdout);
    expect(await run([...commandIn(folder), ...job, "--output", "-"])).toMatchObject({ stdout });
  });

  it("a terminal has colors, unless NO_COLOR is set, and its width", async () => {
    const terminal = (environment: NodeJS.ProcessEnv, columns: number) =>
      run([...commandIn(fakePulumi(printed))], environment, { isTTY: true, columns });
    const { stdout } = await terminal({}, 60);
    expect(stdout.startsWith("\u001b[33mPreview (dev): 1 update will be posted, ")).toBe(true);
    // A terminal that wraps a line itself loses the mark of a quoted text.
    const { stdout: narrow } = await terminal({ NO_COLOR: "1" }, 30);
    expect(narrow).toContain("\n  | We rolled it back, and we\n");
    expect(narrow).not.toContain("\u001b");
    expect((await terminal({ NO_COLOR: "1" }, 0)).stdout).toContain(lines[5]);
  });
});

it("a preview leaves no comment or report of an earlier job behind, however it ends", async () => {
  const output = join(temporaryFolder(), "preview.md");
  const args = ["--stack", "eu", "--output", output, "--commit", commit, "--log", "https://ci.example/1"];
  expect(await run([...args, "--pulumi", "no-such-command"])).toMatchObject({
    code: 2,
    stderr: "no-such-command can't be run: no such file or directory. Name the command by --pulumi.\n",
  });
  expect(readFileSync(output, "utf8")).toBe(
    `## No preview (eu) of abc1234\n\nSee the log.\n\n_commit ${commit}, [log](<https://ci.example/1>)_\n`,
  );
  await run([...args, "--pulumi", "no-such-command", "--format", "json"]);
  expect(JSON.parse(readFileSync(output, "utf8"))).toMatchObject({
    result: "failed",
    problem: "The job ended before the preview did: see the log.",
  });
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

it("a preview shows hostile texts as they are, and makes nothing of them", () => {
  const { text: seen, html } = shown(commentOn(factOf("over", { text: evil.join("\n") })));
  expect(seen.trim().split("\n").slice(-evil.length)).toEqual(
    evil.map((line) => line.replace(/ (?= )/g, " ")),
  );
  const own = ["<h2", "<p", "<strong", "<br", "<blockquote", "<p"];
  const breaks = evil.slice(1).map(() => "<br");
  expect(html.replace(/<!-- -->/g, "").match(/<[a-z]\w*/g)).toEqual([...own, ...breaks]);
  // What a code host looks for in what is rendered.
  const parts = html
    .split(/<[^>]*>/)
    .map((part) => part.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))));
  for (const part of parts) {
    expect(part).not.toMatch(/[@#!$%~^]\w|GH-\d|:\w+:|:\/\/|www\.|\b[\da-f]{7,40}\b/);
  }
});

it("a preview shows nothing that a terminal acts on", () => {
  const where = "\u202e\u0007x\n## Preview: nothing";
  const smuggled = commentOn(factOf("a", { where, notices: ["\u001b[2J\u202eabc\u2028def"] }));
  expect(smuggled).not.toMatch(/[^\P{C}\n]|\u2028|\n## /u);
});

const long = `${"It is slow. ".repeat(4_250)}Send your password.`;

it("a preview says that a comment isn't whole in its heading, and has each text on standard output", async () => {
  const output = join(temporaryFolder(), "preview.md");
  const facts = ["one", "two"].map((name) => factOf(name, { text: long }));
  const folder = fakePulumi({ steps: [create("one"), create("two")], facts });
  const { stdout } = await run([...commandIn(folder), "--output", output]);
  const markdown = readFileSync(output, "utf8");
  expect(headingOf(markdown)).toBe("## Preview (dev): 2 updates will be posted, not shown in full");
  expect(shown(markdown).text.split("Send your password.")).toHaveLength(2);
  expect(stdout.split("Send your password.")).toHaveLength(3);
});

it("a preview shows a command that a person can copy", () => {
  const command = "`pulumi config set monitoring:resend f2525649`";
  // Backticks of somebody else don't pair with ours.
  const notice = `@acme: "a \`b" and "c\`": run ${command}, then \`pulumi up\`.`;
  const markdown = commentOn(factOf("over", { notices: [notice] }));
  expect(markdown).toContain(`&#64;<!-- -->acme: "a &#96;b" and "c&#96;": run ${command}, then \`pulumi`);
});

it.each([
  ["50 updates with texts of 800 characters", 50, "It is slow. ".repeat(66), 50],
  ["texts that grow when they are escaped", 50, "@".repeat(800), 5],
  ["one text that grows", 1, "@".repeat(3_000), 1],
  ["more updates than fit", 600, "All good.", 0],
])("a preview stays below GitHub's limit with %s, and says what is left out", (_, count, text, whole) => {
  const facts = Array.from({ length: count }, (__, index) => factOf(`n${index}`, { text }));
  const removed = Array.from({ length: 2_000 }, (__, index) => create(`old${index}`, "delete"));
  const steps = [...removed, ...facts.map((fact) => ({ op: "create", urn: fact.urn }))];
  const { markdown } = preview({ steps, facts });
  expect(markdown.length).toBeLessThanOrEqual(65_000);
  const { text: seen } = shown(markdown);
  expect(seen.split(text.trim()).length - 1).toBeGreaterThanOrEqual(whole);
  const [, cut = ""] = /^🟡 This comment is full: (.*)\. See the log\.$/m.exec(markdown) ?? [];
  expect(/left out|\d updates? not listed/.test(cut)).toBe(seen.split(text.trim()).length - 1 < count);
  expect(seen).toContain("2,000 IncidentUpdates are removed from the state only");
});

const incident = { id: "inc_1" };
const byOther =
  /^IncidentUpdate "b" on incident inc_1: "a", of another Provider, declares the same update\. Remove one/;
const lacks = { count: 1, refusal: 'IncidentUpdate "b": occurrence is 2, but 0 identical updates exist.' };
const second = { occurrence: 2, lacks, posts: "may" } as const;

it.each<[string, Partial<PreviewFact>, Partial<PreviewFact>, readonly unknown[]]>([
  ["once", {}, { occurrence: 2 }, []],
  ["in other words", {}, { text: "Others." }, []],
  ["on another page", {}, { incident: { ...incident, statusPageId: "p" } }, []],
  ["without showing what", { text: undefined }, { text: undefined }, []],
  ["twice", {}, {}, [expect.stringMatching(byOther)]],
  ["perhaps twice", { posts: "may" }, {}, []],
  [
    "twice with one date",
    { date: "2026-11-20T10:00:00Z" },
    { date: "2026-11-20T10:00:00.000+00:00" },
    [expect.stringMatching(byOther)],
  ],
  ["twice with two dates", { date: "2026-11-20T10:00:00Z" }, { date: "2026-11-20T10:00:01Z" }, []],
  [
    "twice in timelines",
    { timeline: { entry: 1, of: 2 } },
    { timeline: { entry: 2, of: 2 } },
    [expect.stringMatching(/"b" \(2 of 2\).*Remove one of them, or change the words of this entry\.$/)],
  ],
  ["after the first", {}, second, []],
  ["after a dated one", { date: "2026-11-20T10:00:00Z" }, second, []],
  ["a second time alone", { text: "Others." }, second, [lacks.refusal]],
  ["a second time after another second one", { occurrence: 2 }, second, [lacks.refusal]],
  ["a second time after one that isn't shown", { text: undefined }, second, []],
  ["a second time, without showing what", { text: "Others." }, { ...second, text: undefined }, []],
])("a preview joins what two Providers declare %s", async (_, one, other, errors) => {
  const facts = [
    { ...factOf("a", { incident, occurrence: 1 }), ...one },
    { ...factOf("b", { incident, occurrence: 1 }), ...other },
  ];
  const folder = fakePulumi({ steps: ["a", "b"].map((name) => create(name)), facts });
  const ended = await run([...commandIn(folder), "--format", "json"]);
  expect(JSON.parse(ended.stdout)).toMatchObject({ result: errors.length > 0 ? "failed" : "passed", errors });
});

const adopts = { posts: "no", becomes: "adopted", incident, adopts: "u1" } as const;
const owned =
  /^IncidentUpdate "b" on incident inc_1: "a", of another Provider, has the same update u1\. Remove one/;

it.each<[string, Step, Partial<PreviewFact>, readonly unknown[]]>([
  [
    "has",
    { op: "same", urn: updateUrn("a"), oldState: { id: "inc_1/u1" } },
    {},
    [expect.stringMatching(owned)],
  ],
  ["has on another page", { op: "same", urn: updateUrn("a"), oldState: { id: "p/inc_1/u1" } }, {}, []],
  ["loses", { op: "delete", urn: updateUrn("a"), oldState: { id: "inc_1/u1" } }, {}, []],
  ["adopts, too", create("a"), adopts, [expect.stringMatching(owned)]],
  ["doesn't adopt", create("a"), { ...adopts, adopts: "u2" }, []],
])("a preview refuses to adopt what a resource of another Provider %s", async (_, step, fact, errors) => {
  const facts = [...(step.op === "create" ? [factOf("a", fact)] : []), factOf("b", adopts)];
  const folder = fakePulumi({ steps: [step, create("b")], facts });
  const ended = await run([...commandIn(folder), "--format", "json"]);
  expect(JSON.parse(ended.stdout)).toMatchObject({ result: errors.length > 0 ? "failed" : "passed", errors });
});

it("a preview says of ten removed declarations once that what is public stays so", () => {
  const removed = Array.from({ length: 60 }, (_, index) => create(`old${index}`, "delete"));
  const { markdown } = preview({ steps: removed });
  expect(markdown.match(/What is public stays public/g)).toHaveLength(1);
  expect(shown(markdown).text).toMatch(
    /60 IncidentUpdates are removed from the state only\n.*"old0", "old1", .*"old49", and 10 more\./,
  );
});

it("a preview says what is public of an incident once, above the first of its updates", () => {
  const on = (name: string, id: string) =>
    factOf(name, { incident: { id, name: "Checkout", severity: "MAJOR", status: "IDENTIFIED" } });
  const markdown = commentOn(on("a", "inc_1"), on("b", "inc_1"), on("c", "inc_2"));
  expect(shown(markdown).text.match(/MAJOR, IDENTIFIED/g)).toHaveLength(2);
});

it.each([
  [["--target", "**x**"], "--target **x**"],
  [["--exclude=**t**", "--exclude-dependents"], "--exclude=**t** --exclude-dependents"],
  [["-x", "**x**"], "-x **x**"],
  [["-t**x**"], "-t**x**"],
  [["-rt", "**x**"], "-rt **x**"],
])("a preview calls a part a part, by %j", async (options, part) => {
  const folder = fakePulumi({ steps: [create("a", "same")] });
  const ended = await run([...commandIn(folder), "--format", "text", "--", ...options]);
  expect(ended.stdout).toContain("nothing will be posted of the part that was previewed");
  expect(ended.stdout.replace(/\s+/g, " ")).toContain(
    `Only a part was previewed (${part}): what it leaves out may post, and email subscribers.`,
  );
  expect(ended.stdout).not.toContain("The stack is unchanged.");
});

it.each([
  ["PULUMI_OPTION_EXCLUDE", "**x**", "PULUMI_OPTION_EXCLUDE=**x**"],
  ["PULUMI_OPTION_TARGET", "", undefined],
  ["PULUMI_OPTION_PARALLEL", "4", undefined],
])("a preview calls a part a part, where %s is %j", async (name, value, part) => {
  const folder = fakePulumi({ steps: [create("a", "same")] });
  const { stdout } = await run([...commandIn(folder), "--format", "json"], { [name]: value });
  expect(JSON.parse(stdout)).toMatchObject({ isUnchanged: part === undefined, ...(part && { part }) });
});

it.each([["-m", "text"], ["-mtext"], ["--stack", "t"]])("a preview with %s is whole", async (...options) => {
  const folder = fakePulumi({ steps: [create("a", "same")] });
  const { stdout } = await run([...commandIn(folder), "--format", "json", "--", ...options]);
  expect(JSON.parse(stdout)).not.toHaveProperty("part");
});

/** What this package writes of its own error. */
const saidOf = (text: string, is = "error") => ({ format: 3, is, text });

const error = (message: string, of?: string): Message => {
  return { ...(of !== undefined && { urn: of }), message, severity: "error" };
};

it("a preview says what is refused once, and counts what isn't of this package", () => {
  const { code, markdown } = preview({
    steps: [
      { op: "create", urn: urn("pulumi:pulumi:Stack", "shop-dev") },
      { op: "same", urn: urn("aws:s3:Bucket", "kept") },
      { op: "create-replacement", urn: urn("aws:s3:Bucket", "b") },
      { op: "replace", urn: urn("aws:s3:Bucket", "b") },
      create("x"),
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
      saidOf("1 open incident."),
      saidOf("IncidentUpdate on incident i: no @all.\n/approve"),
      saidOf('OpenIncidentGate "gate": 1 open incident.'),
      saidOf("it is long", "problem"),
      saidOf("The preview fails, because objects aren't as declared.", "summary"),
      saidOf("The program caught this one."),
    ],
  });
  expect(code).toBe(1);
  expect(markdown.split("\n\n")).toEqual([
    "## The preview (dev) failed",
    '🔴 IncidentUpdate "y": it is long',
    "🔴 IncidentUpdate on incident i: no &#64;<!-- -->all.\\\n&#47;approve",
    '🔴 OpenIncidentGate "gate": 1 open incident.',
    '**IncidentUpdate "x" is refused: nothing is posted**',
    '**IncidentUpdate "gone" is removed from the state only**\\\nWhat is public stays public.',
    "1 other resource would change, 2 other errors: see the log.\n",
  ]);
});

it.each([
  [14_995, ""],
  [14_996, ", not shown in full"],
])("a comment has 15,000 characters of errors: one of %d letters%s", (length, cut) => {
  const text = "x".repeat(length);
  const { markdown } = preview({ steps: [create("x")], diagnostics: [error(text)], facts: [saidOf(text)] });
  expect(headingOf(markdown)).toBe(`## The preview (dev) failed${cut}`);
  expect(markdown.includes(text)).toBe(cut === "");
});

it.each([
  ["same", "\n\nThe stack is unchanged."],
  ["refresh", ""],
  ["discard", ""],
])("a preview says what is known to be unchanged, where each step is %s", (op, unchanged) => {
  const steps = [updateUrn("x"), ...(op === "refresh" ? [urn("aws:s3:Bucket", "b")] : [])];
  const markdown = `## Preview (dev): nothing will be posted${unchanged}\n`;
  expect(preview({ steps: steps.map((of) => ({ op, urn: of })) })).toEqual({ code: 0, markdown });
});

it.each([
  ["SIGTERM", "SIGTERM"],
  // The engine cleans up on the second one alone.
  ["SIGHUP", "SIGTERM"],
  ["SIGINT", "SIGINT"],
] as const)(
  "a preview logs each step at once, and on %s ends Pulumi by %s, leaving no facts",
  async (sent, got) => {
    const folder = temporaryFolder();
    const [command, told] = [join(folder, "waits.js"), join(folder, "told")];
    const tells = `require("fs").writeFileSync(${JSON.stringify(told)}, process.env.MONITORING_PREVIEW_FACTS)`;
    const ends = `for (const name of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.once(name, () => { console.error("ended by " + name); process.exit(1); })`;
    writeFileSync(
      command,
      `${ends}; ${tells}; console.log(${JSON.stringify(stream[1])}); setInterval(() => {}, 1000)`,
    );
    const { process: running, ended } = monitoring("preview", "--pulumi", `${process.execPath} ${command}`);
    const [line] = (await once(running.stderr ?? running, "data")) as [Buffer];
    expect(line.toString()).toBe("| create  monitoring:index:IncidentUpdate  x\n");
    const file = readFileSync(told, "utf8");
    expect(existsSync(file)).toBe(true);
    running.kill(sent);
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^The preview .*failed\n/) });
    expect(stderr).toContain(`| ended by ${got}\n`);
    expect(existsSync(dirname(file))).toBe(false);
  },
);

it("a preview leaves no facts behind when it ends by an internal error", async () => {
  const folder = temporaryFolder();
  const [command, told, fails] = ["waits.js", "told", "fails.js"].map((name) => join(folder, name));
  const facts = "process.env.MONITORING_PREVIEW_FACTS";
  const waits = `setInterval(() => fs.existsSync(${facts}) || process.exit(), 20); setTimeout(process.exit, 5000)`;
  const tells = `const fs = require("fs"); fs.writeFileSync(${JSON.stringify(told)}, ${facts})`;
  writeFileSync(command ?? "", `${tells}; console.log(${JSON.stringify(stream[1])}); ${waits}`);
  writeFileSync(fails ?? "", 'process.once("SIGUSR2", () => { throw new Error("unforeseen"); })');
  const env = { NODE_OPTIONS: `--require ${fails}` };
  const running = monitoringIn(env, "preview", "--pulumi", `${process.execPath} ${command}`);
  await once(running.process.stderr ?? running.process, "data");
  running.process.kill("SIGUSR2");
  expect(await running.ended).toMatchObject({ code: 2, stderr: expect.stringContaining("internal error") });
  expect(existsSync(dirname(readFileSync(told ?? "", "utf8")))).toBe(false);
});

it("a preview names the folder for temporary files if it can't be used", async () => {
  const missing = join(temporaryFolder(), "missing");
  const environment = { TMPDIR: missing, TMP: missing, TEMP: missing };
  const { code, stderr } = await monitoringIn(environment, "preview").ended;
  expect(code).toBe(2);
  expect(stderr).toBe(
    `The folder for temporary files ${missing} can't be used: no such file or directory. Set TMPDIR to a writable one.\n`,
  );
});

it("a preview names a file that it can't write, before it runs Pulumi", async () => {
  const folder = fakePulumi({});
  expect(await run([...commandIn(folder), "--output", temporaryFolder()])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("can't be written: it is a directory"),
  });
  expect(existsSync(join(folder, "runs.jsonl"))).toBe(false);
});

it.each([
  ["preview.json", 'Unexpected argument "preview.json": further arguments of `pulumi preview` go after --'],
  ["--log javascript:alert(1)", "--log must be an address that begins with https://"],
  ["--log https://x.example/>", "--log must be an address"],
  ["--commit main", '--commit must be a SHA in lower case, not "main"'],
])("the arguments %s are rejected", async (args, message) => {
  await expect(run(args.split(" "))).rejects.toThrow(message);
});
