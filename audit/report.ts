/** What an audit found: plain data, which is also the `json` format. */
import { z } from "zod";
import type { RuleText, Severity } from "./rule";
import type { Location } from "./ruleSet";

/** An alert channel that a report speaks of. */
export interface ChannelReference {
  /** Identifier. */
  readonly id: string | number;
  /** What people call it; missing when it has no name. */
  readonly name?: string;
  /** Missing when the channel couldn't be read. */
  readonly type?: string;
}

/** One thing that is wrong. */
export interface Finding {
  /** Id of the rule. */
  readonly rule: string;
  /** How bad it is: an error fails the audit, a warning is told. */
  readonly severity: Severity;
  /** Missing when it is about all channels together, or about the rules. */
  readonly channel?: ChannelReference;
  /** Where, in the words of the API, such as `config.url`. */
  readonly field: string;
  /** What is there. */
  readonly actual: string;
  /** What the rule asks for. */
  readonly expected: string;
  /** What to do about it. */
  readonly fix: string;
  /** The same in every run in which the same thing is wrong. */
  readonly fingerprint: string;
  /** What in the rule file asks for it; missing when the rules came as an object. */
  readonly location?: Location;
}

/** A finding that somebody answers for. It fails nothing. */
export interface WaivedFinding extends Finding {
  readonly waiver: {
    readonly reason: string;
    readonly owner: string;
    /** The last day on which it holds. */
    readonly expires: string;
  };
}

/** What a rule couldn't judge. */
export interface NotEvaluable {
  /** Id of the rule. */
  readonly rule: string;
  readonly channel?: ChannelReference;
  readonly field: string;
  readonly reason: string;
}

/** An alert channel that was audited. */
export interface AuditedChannelResult {
  readonly id: string | number;
  readonly name?: string;
  readonly type: string;
  /** Ids of the rules that it keeps. A rule that is neither here nor found, waived or not evaluable doesn't apply. */
  readonly passed: readonly string[];
}

/** A rule that was on. */
export interface RuleResult extends RuleText {
  readonly severity: Severity;
  readonly location?: Location;
}

/** How many there were of what an audit counts. */
export interface Counts {
  /** Channels that were audited. */
  readonly channels: number;
  /** Channels that couldn't be read; each is a finding as well. */
  readonly unreadable: number;
  /** Rules that were on. */
  readonly rules: number;
  /** Findings that fail the audit. */
  readonly errors: number;
  /** Findings that are told. */
  readonly warnings: number;
  /** Findings that somebody answers for until a day. */
  readonly waived: number;
  /** Places that a rule couldn't judge. */
  readonly notEvaluable: number;
}

export interface AuditReport {
  /** Of this form of report. It changes only when a reader of this one would be misled. */
  readonly version: 1;
  /** When the audit ran, in ISO 8601. */
  readonly auditedAt: string;
  readonly counts: Counts;
  /** Errors first, then in the order of channels and rules. */
  readonly findings: readonly Finding[];
  readonly waived: readonly WaivedFinding[];
  readonly notEvaluable: readonly NotEvaluable[];
  readonly channels: readonly AuditedChannelResult[];
  /** All channels together: ids of the rules that they keep. */
  readonly fleet: { readonly passed: readonly string[] };
  readonly rules: readonly RuleResult[];
}

const id = z.union([z.string(), z.number()]);
const severity = z.enum(["error", "warning"]);
const count = z.int().min(0);
const location = z
  .strictObject({ file: z.string(), line: z.int().min(1), column: z.int().min(1) })
  .optional();
const channel = z
  .strictObject({ id, name: z.string().optional(), type: z.string().optional() })
  .optional()
  .describe(
    "Missing when it is about all channels together, or about the rules. Without type: couldn't be read.",
  );
const where = { rule: z.string().describe("Id of the rule."), channel, field: z.string() };
const finding = {
  ...where,
  severity,
  actual: z.string(),
  expected: z.string(),
  fix: z.string().describe("What to do about it."),
  fingerprint: z.string().describe("The same in every run in which the same thing is wrong."),
  location,
};

export const auditReport = z.strictObject({
  version: z.literal(1),
  auditedAt: z.iso.datetime(),
  counts: z.strictObject({
    channels: count,
    unreadable: count,
    rules: count,
    errors: count,
    warnings: count,
    waived: count,
    notEvaluable: count,
  }),
  findings: z.array(z.strictObject(finding)),
  waived: z.array(
    z.strictObject({
      ...finding,
      waiver: z.strictObject({ reason: z.string(), owner: z.string(), expires: z.iso.date() }),
    }),
  ),
  notEvaluable: z.array(z.strictObject({ ...where, reason: z.string() })),
  channels: z.array(
    z.strictObject({
      id,
      name: z.string().optional(),
      type: z.string(),
      passed: z.array(z.string()).describe("Ids of the rules that the channel keeps."),
    }),
  ),
  fleet: z.strictObject({
    passed: z.array(z.string()).describe("Ids of the rules that all channels together keep."),
  }),
  rules: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      why: z.string(),
      fix: z.string(),
      severity,
      location,
    }),
  ),
});

/** The JSON Schema of the `json` format. */
export function reportJsonSchema(): Record<string, unknown> {
  return { title: "Report of an alert-channel audit", ...z.toJSONSchema(auditReport) };
}
