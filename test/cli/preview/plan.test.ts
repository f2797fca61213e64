/**
 * What `monitoring preview` makes of the lines that Pulumi prints: nothing that could post reads as nothing, no line is lost, and
 * policies and timelines count.
 */
import { documentOf, reportOf } from "../../../cli/preview/report";
import { PlanReader } from "../../../cli/preview/plan";
import { signatureKey } from "../../../provider/engine";
import { type PreviewFact } from "../../../provider/wording";
import { fc, runs } from "../../propertySeed";
import {
  create,
  dynamicUpdate,
  end,
  event,
  eventsOf,
  factOf,
  headingOf,
  nativeUpdate,
  preview,
  shown,
  type Step,
  stream,
  timeline,
  updateUrn,
  urn,
} from "./previewing";

const silentOps = ["same", "read", "refresh", "import", "delete", "discard"];
const ops = [...silentOps, "create", "update", "replace", "create-replacement", "delete-replaced", "x"];
const verdicts = ["will", "may", "no", "no", "later"];
const hostile = fc.constantFrom(
  ..."a story-1 x::y $ {} __proto__".split(" "),
  'nothing will be posted"\n## Preview: nothing will be posted',
  "{\n}\n",
);
const types = [nativeUpdate, dynamicUpdate, `${timeline}$${dynamicUpdate}`, timeline, "aws:s3:Bucket"];
const anyUrn = fc.tuple(fc.constantFrom(...types), hostile).map(([type, name]) => urn(type, name));
const formOf = (format: number | undefined) =>
  fc.record({ posts: fc.constantFrom(...verdicts), text: hostile, format: fc.constant(format) });
// Of a later version, or broken: only the URN is left.
const anyForm = fc.oneof({ weight: 8, arbitrary: formOf(3) }, formOf(2), formOf(undefined));
// Few resources, so that several steps and facts are of one.
const anyPlan = fc.uniqueArray(anyUrn, { minLength: 1, maxLength: 2 }).chain((urns) => {
  const one = fc.constantFrom(...urns);
  const step = fc.record({
    op: fc.constantFrom(...ops),
    urn: one,
    newState: fc.option(fc.record({ parent: one }), { nil: undefined }),
  });
  const fact = fc.tuple(one, anyForm).map(([of, { posts, text, format }]) => ({
    ...factOf("", { urn: of, text, notices: [text] }),
    posts,
    format,
  }));
  return fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    facts: fc.array(fact, { maxLength: 4 }),
    others: fc.array(hostile.filter((text) => !text.includes("{"))),
    message: hostile,
  });
});

type Facts = readonly (Omit<PreviewFact, "posts" | "format"> & {
  posts: string;
  format: number | undefined;
})[];

/** The last word on an update is that it posts nothing. */
function isSilent(of: string, facts: Facts): boolean {
  const last = facts.findLast((fact) => fact.urn === of);
  return last?.format === 3 && last.posts === "no";
}

/** An update, or a timeline of which the plan has no entries. */
function isPosting(of: string, steps: readonly Partial<Step>[]): boolean {
  if (of.includes("IncidentUpdate::")) return true;
  return of.includes("IncidentTimeline::") && steps.every(({ newState }) => newState?.parent !== of);
}

it("a preview says of no plan that nothing is posted where a step could post", () => {
  fc.assert(
    fc.property(anyPlan, ({ steps, facts, others, message }) => {
      const plan = eventsOf(steps, [{ message, severity: "info" }]);
      const reader = new PlanReader();
      for (const line of [...others, plan, ...others].join("\n").split("\n")) reader.read(line);
      for (const fact of facts) reader.readFact(JSON.stringify(fact));
      const heading = documentOf(reportOf(reader.preview(), { code: 0 }, reader.stack), 0).heading.join();
      expect(heading.includes("failed")).toBe(facts.some(({ format }) => format !== 3));
      const couldPost = steps.filter(({ op, urn: of }) => !silentOps.includes(op) && isPosting(of, steps));
      const mayPost = couldPost.some(({ urn: of }) => !isSilent(of, facts));
      expect(mayPost && heading.includes("nothing")).toBe(false);
    }),
    { numRuns: runs(250) },
  );
});

const plan = eventsOf([create("x")]);
const two = eventsOf([create("x"), create("y")]);

const beginning = (before: string) => plan.replace(/^.*resourcePreEvent.*$/m, (line) => before + line);

it.each([
  ["beside other output", `\n> shop@1.0.0 preview\n{ two }\n${plan}\nPolicies: {\n  ok\n}\n`],
  ["in lines of Windows", `banner\r\n${plan.replaceAll("\n", "\r\n")}\r\n`],
  ["as a stream of events", ["Installing…", ...stream, "x", end].join("\n")],
  ["after the progress of the engine in a line", beginning("Downloading plugin: 12%\r")],
  ["after another object in a line", beginning('{ "sequences": {} } ')],
])("a preview finds the plan %s", (_, stdout) => {
  const { markdown } = preview({ stdout, facts: [factOf("x")] });
  expect(headingOf(markdown)).toBe("## Preview (dev): 1 update will be posted");
});

const lineOfStep = /^.*resourcePreEvent.*\n/m;
const version = /It needs Pulumi 3\.200 or newer\.$/;
const lost =
  /^The plan contains fewer steps than its summary, so some of Pulumi's output was lost\. Run the preview again\.$/;
const torn =
  /^A line of the plan can't be read\. Another program may have written to the same output\. See the log\. Run the preview again\.$/;
const fact =
  /^The provider's preview data can't be read\. Use the same version of pulumi-monitoring-service for .* this command, and run the preview again\.$/;

it.each<[string, RegExp, string, string?]>([
  ["nothing", version, ""],
  ["its plan in one object", version, JSON.stringify({ steps: [create("x")] })],
  ["a stream that breaks off", /^Pulumi ended \(exit code 0\) before its plan was /, stream.join("\n")],
  ["a plan without a step", lost, eventsOf([])],
  ["a plan without a line that its summary counts", lost, two.replace(lineOfStep, "")],
  ["a step without its end", torn, plan.replace(lineOfStep, (line) => `${line.slice(0, -9)}\n`)],
  ["a step of another form", torn, plan + event(4, { resourcePreEvent: { metadata: { op: 1, urn: "u" } } })],
  ["a plan, and the provider a line that is torn", fact, plan, '{"urn'],
  ["a plan, and a later provider its fact", fact, plan, JSON.stringify({ ...factOf("x"), format: 4 })],
])("a preview fails when Pulumi prints %s", (_, problem, stdout, line = "") => {
  const { code, markdown } = preview({ stdout, facts: [factOf("x", { posts: "will" }), line] });
  const [heading, text = "", ...others] = markdown.trim().split("\n\n");
  expect([code, others]).toEqual([1, []]);
  expect(heading).toMatch(/^## The preview( \(dev\))? failed$/);
  expect(shown(text).text.trim()).toMatch(problem);
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

it("a preview has the messages of policies that forbid an update, unless they could quote a secret", () => {
  const stack = urn("pulumi:pulumi:Stack", "dev");
  const violated = (policyName: string, enforcementLevel: string, resourceUrn = updateUrn("x")) => {
    const message = `found\n::error::hunter2 ${policyName}\n`;
    const of = { resourceUrn, policyPackName: "acme", policyName };
    return event(2, { policyEvent: { ...of, message, enforcementLevel } });
  };
  const planned = (inputs: object, of = updateUrn("x")) =>
    event(1, { resourcePreEvent: { metadata: { op: "create", urn: of, new: { inputs } } } });
  const [begun, , debugged] = stream;
  const others = [
    event(2, { resourcePreEvent: { metadata: { op: "same", urn: updateUrn("y"), new: null, old: null } } }),
    event(2, { diagnosticEvent: { message: "  One\nTwo\n\n", severity: "info" } }),
  ];
  const violations = [violated("no-mail", "mandatory"), violated("short", "advisory"), end];
  const previewOf = (inputs: object) => {
    const lines = ["banner", begun, `12%\r${planned(inputs)}`, debugged, ...others, ...violations];
    return preview({ stdout: lines.join("\n"), facts: [factOf("x")], exitCode: 255 });
  };
  const { code, log, markdown } = previewOf({ status: "MONITORING" });
  expect(code).toBe(1);
  expect(shown(markdown).text).toContain('forbids IncidentUpdate "x": found\n::error::hunter2 no-mail\n');
  expect(markdown).not.toContain("short");
  const secret = { [signatureKey]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:a" };
  const withheld = previewOf({ description: secret }).markdown;
  expect(withheld).toContain(
    '🔴 The policy no-mail of acme forbids IncidentUpdate "x": see the log.\n\n**Inc',
  );
  expect(withheld).not.toContain("hunter2");
  const ofStack = [begun, planned({}, stack), violated("all", "mandatory", stack), end].join("\n");
  expect(preview({ stdout: ofStack, facts: [], exitCode: 255 }).markdown).not.toContain("hunter2");
  expect(log).toEqual([
    ...["banner", "12%"],
    "create  monitoring:index:IncidentUpdate  x",
    ...["  One", "Two"],
    ...["mandatory policy no-mail of acme: found", "::error::hunter2 no-mail"],
    ...["advisory policy short of acme: found", "::error::hunter2 short"],
  ]);
});

it.each([
  ["that the dynamic provider creates", dynamicUpdate, "create", { description: "Sorry." }, true],
  ["that is replaced without a diff", dynamicUpdate, "replace", { notifySubscribers: false }, true],
  ["by a property of its own", dynamicUpdate, "create", { tags: ["on-call"] }, false],
  ["that the plugin replaces", nativeUpdate, "create-replacement", { description: "Sorry." }, true],
  ["that is there already", nativeUpdate, "update", { description: "Sorry." }, false],
])("a preview refuses like an up, where a policy changes one %s", (_, type, op, changes, isRefused) => {
  const of = urn(type, "x");
  const before = { description: "Good.", notifySubscribers: true };
  const change = { policyPackName: "acme", policyName: "sorry", before, after: { ...before, ...changes } };
  const remediation = event(0, { policyRemediationEvent: { resourceUrn: of, ...change } });
  const stdout = `${remediation}\n${eventsOf([{ op, urn: of }])}`;
  const { code, log, markdown } = preview({ stdout, facts: [factOf("x", { urn: of })] });
  const changed = 'policy sorry of acme changes IncidentUpdate "x"';
  expect(log.includes(changed)).toBe(!("tags" in changes));
  const [, refusal] = /🔴 (.*) Make/.exec(shown(markdown).text) ?? [];
  const refused = `The ${changed} after validation, so pulumi up rejects the update.`;
  expect([code, refusal]).toEqual(isRefused ? [1, refused] : [0, undefined]);
});
