/** A property of each preview: whatever the plan has and the provider wrote, nothing that could post reads as nothing. */
import fc from "fast-check";
import { headline } from "../../cli/previewComment";
import { factsIn, planIn, previewOf } from "../../cli/previewedPlan";
import { type PreviewFact } from "../../provider/protocol";
import { dynamicUpdate, factOf, nativeUpdate, timeline, urn } from "./previewing";

const silentOps = ["same", "read", "refresh", "import", "delete"];
const ops = [
  ...silentOps,
  "create",
  "update",
  "replace",
  "create-replacement",
  "delete-replaced",
  "import-replacement",
  "x",
];
const silentEffects = ["adopts", "stateOnly", "refused"];
const effects = [...silentEffects, "posts", "replaces", "waits", "unconfirmed", "unknown", "schedules"];
const hostile = fc.constantFrom(
  "a",
  "b",
  "story-1",
  "x::y",
  "$",
  'nothing will be posted"\n## Preview: nothing will be posted',
  "{\n}\n",
  "{}",
  "__proto__",
);
const anyUrn = fc
  .tuple(
    fc.constantFrom(nativeUpdate, dynamicUpdate, `${timeline}$${dynamicUpdate}`, timeline, "aws:s3:Bucket"),
    hostile,
  )
  .map(([type, name]) => urn(type, name));
const anyStep = fc.record({ op: fc.constantFrom(...ops), urn: anyUrn });
const anyFact = fc
  .record({ of: anyUrn, effect: fc.constantFrom(...effects), text: hostile, isNew: fc.boolean() })
  .map(({ of, effect, text, isNew }) => ({
    ...factOf("", { urn: of, text, notices: [text] }),
    effect,
    format: isNew ? 2 : 1,
  }));
const anyPlan = fc.record({
  steps: fc.array(anyStep, { minLength: 1, maxLength: 6 }),
  facts: fc.array(anyFact, { maxLength: 6 }),
  others: fc.array(hostile.filter((text) => !text.includes("{"))),
  message: hostile,
});

type Facts = readonly (Omit<PreviewFact, "effect" | "format"> & { effect: string; format: number })[];

/** The last word on an update is that it posts nothing. */
function isSilent(of: string, facts: Facts): boolean {
  const last = facts.findLast((fact) => fact.urn === of);
  return last?.format === 1 && silentEffects.includes(last.effect);
}

it("says of no plan that nothing is posted where a step could post", () => {
  fc.assert(
    fc.property(anyPlan, ({ steps, facts, others, message }) => {
      const json = JSON.stringify({ steps, diagnostics: [{ message, severity: "info" }] }, null, 4);
      const { plan } = planIn([...others, json, ...others].join("\n"));
      if (!plan) throw new Error("the plan was not found");
      const lines = facts.map((fact) => `${JSON.stringify(fact)}\n`).join("");
      const heading = headline(previewOf(plan, factsIn(lines), false), {});
      const couldPost = steps.filter(
        ({ op, urn: of }) =>
          !silentOps.includes(op) && of.includes("IncidentUpdate::") && !isSilent(of, facts),
      );
      expect(couldPost.length > 0 && heading.includes("nothing")).toBe(false);
      const broken = headline(previewOf(plan, factsIn(`${lines}{"form`), false), {});
      const updates = steps.filter(
        ({ op, urn: of }) => !silentOps.includes(op) && of.includes("IncidentUpdate::"),
      );
      expect(updates.length > 0 && broken.includes("nothing")).toBe(false);
    }),
  );
});
