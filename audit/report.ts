/** Defines the result of an audit as plain data that is also the `json` format. This file doesn't load the rules. */
import { getChannelKey, type ChannelReference } from "./channel";
import type { Confidence, Location, NotEvaluable, PresetName, RuleText, Severity } from "./rule";

/** A violation of a rule. */
export interface Finding {
  /** ID of the rule. */
  readonly rule: string;
  /** An error fails the audit; a warning is only reported. */
  readonly severity: Severity;
  /** Missing if the finding applies to all channels together or to the rules. */
  readonly channel?: ChannelReference;
  /** Field as in the API, such as `config.url`. */
  readonly field: string;
  /** Actual value. */
  readonly actual: string;
  /** Expected value. */
  readonly expected: string;
  /** Confidence that a value is a credential: `likely` if it only looks random. Missing for findings that aren't about credentials. */
  readonly confidence?: Confidence;
  /** Instructions to fix the finding. */
  readonly fix: string;
  /** URL of the rule's documentation; missing for custom rules and in packages that weren't published from a repository. */
  readonly docs?: string;
  /** Reason for a custom rule. For other rules, run `monitoring audit --explain`. */
  readonly why?: string;
  /** Identifies the finding across runs. */
  readonly fingerprint: string;
  /**
   * Position in the rule file of the channel's name or, if the file doesn't name the channel, of the rule's setting. Missing if the rules
   * are an object.
   */
  readonly location?: Location;
}

/** A finding that an exception accepts. It doesn't fail the audit. */
export interface WaivedFinding extends Finding {
  readonly waiver: {
    readonly reason: string;
    /** Last day on which the exception is valid. Missing if it has no end. */
    readonly until?: string;
  };
}

/** A field that a rule couldn't evaluate. */
export interface NotEvaluableResult extends NotEvaluable {
  /** ID of the rule; `channel-read` for a channel that couldn't be audited. */
  readonly rule: string;
  /** Missing if the result applies to all channels together. */
  readonly channel?: ChannelReference;
  readonly blocks: boolean;
}

/** An alert channel that was audited. */
export interface AuditedChannelResult extends ChannelReference {
  readonly type: string;
  /** IDs of the rules that the channel passes. A rule without a result for the channel doesn't apply to it. */
  readonly passed: readonly string[];
}

/** An alert channel that the rules exclude from the audit. */
export interface ExcludedChannel {
  readonly channel: ChannelReference;
  readonly reason: string;
}

/** A rule that was enabled. */
export interface RuleResult extends RuleText {
  readonly severity: Severity;
  readonly location?: Location;
}

/** The totals of an audit. */
export interface Counts {
  /** Channels that were audited. @integer */
  readonly channels: number;
  /** Channels that the rules exclude. @integer */
  readonly excluded: number;
  /** Rules that were enabled. @integer */
  readonly rules: number;
  /** Findings that fail the audit. @integer */
  readonly errors: number;
  /** Findings that are only reported. @integer */
  readonly warnings: number;
  /** Findings that an exception accepts. @integer */
  readonly waived: number;
  /** Results that can't be evaluated. @integer */
  readonly notEvaluable: number;
  /** Results that can't be evaluated and fail the audit. @integer */
  readonly blocking: number;
}

export interface AuditReport {
  /** Version of the report's format. Only incompatible changes increase it. */
  readonly version: 1;
  /** Time of the audit, in ISO 8601. */
  readonly auditedAt: string;
  /** Package that ran the audit. */
  readonly tool: { readonly name: string; readonly version: string };
  /** Source of the channels: a file, or an account and service such as `account a1 on api.example.com`. Missing if it's unknown. */
  readonly source?: string;
  /** Preset that the rules extend, if any. */
  readonly preset?: PresetName;
  readonly counts: Counts;
  /** Findings, errors first, then by channel ID. Findings without a channel are last. */
  readonly findings: readonly Finding[];
  readonly waived: readonly WaivedFinding[];
  readonly notEvaluable: readonly NotEvaluableResult[];
  readonly channels: readonly AuditedChannelResult[];
  /** Channels that the rules exclude, with the reasons. */
  readonly excluded: readonly ExcludedChannel[];
  /** IDs of the rules on all channels together that pass. */
  readonly fleet: { readonly passed: readonly string[] };
  readonly rules: readonly RuleResult[];
}

/**
 * Returns an identifier of a result that is the same in every run.
 *
 * @param subject The part of the channel that the result is about, such as a field.
 */
export function computeFingerprint(
  rule: string,
  channel: ChannelReference | undefined,
  subject: string,
): string {
  return [rule, channel ? getChannelKey(channel) : "all", subject].join("/");
}

/** Returns the totals of a report. */
export function computeCounts(
  report: Pick<AuditReport, "channels" | "excluded" | "rules" | "findings" | "waived" | "notEvaluable">,
): Counts {
  const { channels, excluded, rules, findings, waived, notEvaluable } = report;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return {
    channels: channels.length,
    excluded: excluded.length,
    rules: rules.length,
    errors,
    warnings: findings.length - errors,
    waived: waived.length,
    notEvaluable: notEvaluable.length,
    blocking: notEvaluable.filter(({ blocks }) => blocks).length,
  };
}
