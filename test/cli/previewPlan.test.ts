/** A property of each preview: whatever the plan has and the provider wrote, nothing that could post reads as nothing. */
import { resultOf } from "../../cli/preview";
import { PlanReader } from "../../cli/previewPlan";
import { type PreviewFact } from "../../provider/wording";
import { fc } from "../propertySeed";
import { dynamicUpdate, eventsOf, factOf, nativeUpdate, type Step, timeline, urn } from "./previewing";

const silentOps = ["same", "read", "refresh", "import", "delete", "discard"];
const ops = [...silentOps, "create", "update", "replace", "create-replacement", "delete-replaced", "x"];
const verdicts = ["will", "may", "no", "no", "later"];
const hostile = fc.constantFrom(
  ..."a story-1 x::y $ {} __proto__".split(" "),
  'nothing will be posted"\n## Preview: nothing will be posted',
  "{\n}\n",
);
const anyUrn = fc
  .tuple(
    fc.constantFrom(nativeUpdate, dynamicUpdate, `${timeline}$${dynamicUpdate}`, timeline, "aws:s3:Bucket"),
    hostile,
  )
  .map(([type, name]) => urn(type, name));
const formOf = (format: number | undefined) =>
  fc.record({
    posts: fc.constantFrom(...verdicts),
    text: hostile,
    format: fc.constant(format),
  });
// Of a later version, or broken: only the URN is left.
const anyForm = fc.oneof({ weight: 8, arbitrary: formOf(2) }, formOf(3), formOf(undefined));
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
  return last?.format === 2 && last.posts === "no";
}

/** An update, or a timeline of which the plan has no entries. */
function isPosting(of: string, steps: readonly Partial<Step>[]): boolean {
  if (of.includes("IncidentUpdate::")) return true;
  return of.includes("IncidentTimeline::") && steps.every(({ newState }) => newState?.parent !== of);
}

it("says of no plan that nothing is posted where a step could post", () => {
  fc.assert(
    fc.property(anyPlan, ({ steps, facts, others, message }) => {
      const plan = eventsOf(steps, [{ message, severity: "info" }]);
      const reader = new PlanReader();
      const verdict = (): string =>
        reader.preview() ? resultOf(reader, 0, {}).document.heading.join() : "the plan isn't complete";
      for (const line of [...others, plan, ...others].join("\n").split("\n")) reader.read(line);
      for (const fact of facts) reader.readFact(JSON.stringify(fact));
      const heading = verdict();
      expect(heading.includes("isn't")).toBe(facts.some(({ format }) => format !== 2));
      const couldPost = steps
        .filter(({ op, urn: of }) => !silentOps.includes(op) && isPosting(of, steps))
        .map(({ urn: of }) => of);
      const mayPost = couldPost.filter((of) => !isSilent(of, facts));
      expect(mayPost.length > 0 && heading.includes("nothing")).toBe(false);
      reader.readFact('{"form');
      expect(couldPost.length > 0 && verdict().includes("nothing")).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});
