/**
 * What `monitoring preview` makes of the lines that Pulumi prints: nothing that could post reads as nothing, and no line is lost. And
 * the report that follows, as data, in one order.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020";
import { documentOf, previewJsonSchema, type PreviewReport, reportOf } from "../../../cli/preview/report";
import { PlanReader } from "../../../cli/preview/plan";
import { type PreviewFact } from "../../../provider/wording";
import { fc } from "../../propertySeed";
import { temporaryFolder } from "../../temporaryFolder";
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
  nativeUpdate,
  preview,
  previewByCommand,
  run,
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
    { numRuns: 1_000 },
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
const lost = /^The plan lacks steps that its summary counts, so a part of Pulumi's output was lost\. Run /;
const torn =
  /^A line of the plan can't be read: see the log\. Another program may have written into it\. Run /;
const fact = /^What the provider found out can't be read\. Install one version of pulumi-monitoring-service /;

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

it.each<[string, string]>([
  ["error: no stack named 'nope' found", ": its last message is about the stack, see the log."],
  ["error: open postgres://db?user=ops&password=hunter2 https://h/#hunter2", ": see the log."],
])("a preview says what Pulumi's last words are about; only the log has them: %s", async (words, said) => {
  const stderr = `warning: project\n${words}\n\n`;
  const ended = await previewByCommand({ stdout: "", stderr, exitCode: 6 });
  const problem = `Pulumi ended (exit code 6) before it had a plan${said}`;
  expect([ended.code, ended.stdout]).toEqual([1, `## The preview failed\n\n${problem}\n`]);
  expect(ended.stderr).toBe(`| warning: project\n| ${words}\n| \n\n`);
});

it("a preview reads a line of 60 MB in linear time, and says that Pulumi was killed", async () => {
  const command = join(temporaryFolder(), "large.js");
  const inputs = '{ text: "x".repeat(6e7) }';
  const step = `{ resourcePreEvent: { metadata: { op: "create", urn: "${updateUrn("x")}", new: { inputs: ${inputs} } } } }`;
  writeFileSync(
    command,
    `require("fs").writeSync(1, JSON.stringify({ sequence: 1, ...${step} }) + "\\n"); process.kill(process.pid, "SIGKILL");`,
  );
  const { code, stdout, stderr } = await run(["--pulumi", `${process.execPath} ${command}`]);
  expect([code, stderr]).toEqual([1, "| create  monitoring:index:IncidentUpdate  x\n\n"]);
  expect(stdout).toContain("Pulumi ended (SIGKILL) before its plan was complete: see the log.");
});

const updates = [
  factOf("b", { order: 2 }),
  factOf("a-10", { timeline: { entry: 10, of: 11 } }),
  factOf("a-9", { timeline: { entry: 9, of: 11 }, warnings: ["description is odd: why?"] }),
  factOf("c", { order: 1, emails: true }),
  factOf("d", { incident: { id: "inc_2", name: "Login" } }),
  factOf("e", { posts: "refused" }),
  factOf("f", { posts: "may", order: 3 }),
  { ...factOf("g", { posts: "may", order: 4 }), emails: undefined },
  factOf("h", { posts: "may", order: 5, emails: true }),
].map((fact) => ({ incident: { id: "inc_1", name: "Checkout" }, ...fact }));
const stepsOf = (facts: typeof updates) => facts.map(({ urn: of }) => ({ op: "create", urn: of }));
const json = async (facts: typeof updates) => {
  const folder = fakePulumi({ steps: stepsOf(facts), facts });
  return (await run([...commandIn(folder), "--format", "json"])).stdout;
};

it("bots and policies read all counts and updates, in one order whatever that of the engine is", async () => {
  const [one, other] = [await json(updates), await json([...updates].reverse())];
  expect(other).toBe(one);
  const { version, result, counts, ...report } = JSON.parse(one) as PreviewReport;
  expect({ version, result }).toEqual({ version: 1, result: "failed" });
  expect(counts).toMatchObject({
    willPost: 5,
    willEmail: 1,
    mayPost: 3,
    mayEmail: 2,
    refused: 1,
    warnings: 1,
  });
  const names = report.updates.map(({ urn: of }) => of.split("::").at(-1));
  expect(names.join(" ")).toBe("e a-9 a-10 c b f g h d");
});

it("an edit is counted as a kind of its own, and as none that posts or emails", async () => {
  const edits = ["a", "b"].map((name) => factOf(name, { posts: "no", becomes: "edited", emails: false }));
  const folder = fakePulumi({ steps: edits.map(({ urn: of }) => ({ op: "update", urn: of })), facts: edits });
  const { counts } = JSON.parse(
    (await run([...commandIn(folder), "--format", "json"])).stdout,
  ) as PreviewReport;
  expect(counts).toMatchObject({ willEdit: 2, willPost: 0, willEmail: 0, mayPost: 0, refused: 0 });
  const { stdout } = await run([...commandIn(folder), "--format", "markdown"]);
  expect(stdout).toMatch(/^## Preview( \(.*\))?: 2 public updates will be edited without an email\n/);
});

it("the schema of the package has the report", async () => {
  const ajv = new Ajv();
  const isValid = ajv.compile(previewJsonSchema());
  expect(isValid(JSON.parse(await json(updates))) || isValid.errors).toBe(true);
  expect(isValid({ ...JSON.parse(await json([])), version: 2 })).toBe(false);
});

it("an update that wasn't compared, whose incident has no name, stands with the others of its incident", () => {
  const facts = [
    factOf("a", { order: 1, incident: { id: "inc_1", name: "Search" } }),
    factOf("b", { order: 2, incident: { id: "inc_2", name: "Login" } }),
    factOf("c", { order: 3, incident: { id: "inc_1" } }),
  ];
  const { text } = shown(commentOn(...facts));
  expect(text.match(/(?<=IncidentUpdate ")./g)).toEqual(["b", "a", "c"]);
});

it("names that differ in zeros, and incidents of one id in two accounts, have one order, too", () => {
  const facts = ["Login", "Log-in"].flatMap((name, index) => [
    factOf(`a-${index}`, { incident: { id: "inc_1", name } }),
    factOf(`a-0${index}`, { incident: { id: "inc_1", name } }),
  ]);
  expect(commentOn(...[...facts].reverse())).toBe(commentOn(...facts));
});
