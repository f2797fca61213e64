/** Reads the lines of `pulumi preview --json`: an event of the engine in each, among lines of others. */
import { z } from "zod";
import { jsonIn } from "../../provider/texts";

const properties = z.record(z.string(), z.unknown());
const state = z.object({
  parent: z.string().optional(),
  inputs: properties.optional(),
});
const step = z.object({ op: z.string(), urn: z.string(), new: state.nullish(), old: state.nullish() });
const diagnostic = z.object({
  urn: z.string().default(""),
  prefix: z.string().default(""),
  message: z.string(),
  severity: z.string(),
  ephemeral: z.boolean().optional(),
});
const policed = z.object({
  resourceUrn: z.string().default(""),
  policyName: z.string(),
  policyPackName: z.string(),
});
const violation = policed.extend({ message: z.string(), enforcementLevel: z.string() });
const remediation = policed.extend({ before: properties.default({}), after: properties.default({}) });
/** The number of successful steps by operation. */
const summary = z.object({ resourceChanges: z.record(z.string(), z.number()).nullable() });

const event = z.object({
  sequence: z.number(),
  resourcePreEvent: z.object({ metadata: step }).optional(),
  diagnosticEvent: diagnostic.optional(),
  policyEvent: violation.optional(),
  policyRemediationEvent: remediation.optional(),
  summaryEvent: summary.optional(),
});

export type PlanEvent = z.infer<typeof event>;
export type PlannedStep = z.infer<typeof step>;
export type Diagnostic = z.infer<typeof diagnostic>;
export type Violation = z.infer<typeof violation>;
export type Remediation = z.infer<typeof remediation>;

const marks = Object.keys(event.shape).map((name) => `"${name}"`);

/**
 * Returns the event in a line, and the text of others before it. The event is undefined if the line has a part of one that can't be
 * read; the result is undefined if the whole line is of others: policy packs, scripts of npm, banners, progress.
 */
export function readLine(line: string): { readonly before: string; readonly event?: PlanEvent } | undefined {
  if (!marks.some((mark) => line.includes(mark))) return undefined;
  const start = Math.max(0, line.indexOf('{"sequence"'));
  return { before: line.slice(0, start).trim(), event: event.safeParse(jsonIn(line.slice(start))).data };
}
