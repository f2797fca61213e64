/** Describes the result of an audit: plain data, which is also the `json` format. Nothing of it loads the rules. */
import { channelKey, type ChannelReference } from "./channel";
import type { Confidence, Location, NotEvaluable, PresetName, RuleText, Severity } from "./rule";

/** A violation of a rule. */
export interface Finding {
  /** Id of the rule. */
  readonly rule: string;
  /** An error fails the audit, a warning is only reported. */
  readonly severity: Severity;
  /** Missing when it applies to all channels together, or to the rules. */
  readonly channel?: ChannelReference;
  /** Field as in the API, such as `config.url`. */
  readonly field: string;
  /** Actual value. */
  readonly actual: string;
  /** What the rule expects. */
  readonly expected: string;
  /** How sure the rule is, of a credential: `likely` if it only looks random. Missing for other findings. */
  readonly confidence?: Confidence;
  /** How to fix it. */
  readonly fix: string;
  /** URL of the rule's documentation; missing for custom rules, and in a package that no repository has published. */
  readonly docs?: string;
  /** Why it matters, of a custom rule: `monitoring audit --explain` says it of the others. */
  readonly why?: string;
  /** Identifies the finding across runs. */
  readonly fingerprint: string;
  /** Where the rule file names the channel or, if it doesn't, enables the rule; missing when the rules are an object. */
  readonly location?: Location;
}

/** A finding that a waiver covers. It doesn't fail the audit. */
export interface WaivedFinding extends Finding {
  readonly waiver: {
    readonly reason: string;
    readonly owner: string;
    /** Last day on which it is valid. */
    readonly expires: string;
  };
}

/** A field that a rule couldn't evaluate. */
export interface NotEvaluableResult extends NotEvaluable {
  /** Id of the rule; `channel-read` for a channel on which no rule could be evaluated. */
  readonly rule: string;
  /** Missing when it applies to all channels together. */
  readonly channel?: ChannelReference;
  readonly blocks: boolean;
}

/** An alert channel that was audited. */
export interface AuditedChannelResult extends ChannelReference {
  readonly type: string;
  /** Ids of the rules that it passes. A rule without any result for the channel doesn't apply to it. */
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
  /** Findings that a waiver covers. @integer */
  readonly waived: number;
  /** Results that aren't evaluable. @integer */
  readonly notEvaluable: number;
  /** Those of them that fail the audit. @integer */
  readonly blocking: number;
}

export interface AuditReport {
  /** Version of the report's format. It changes only with incompatible changes. */
  readonly version: 1;
  /** Time of the audit, in ISO 8601. */
  readonly auditedAt: string;
  /** Package that ran the audit. */
  readonly tool: { readonly name: string; readonly version: string };
  /** Account and service, or file, that has the channels, such as `account a1 on api.example.com`; missing if it isn't known. */
  readonly source?: string;
  /** Preset that the rules extend; missing without one. */
  readonly preset?: PresetName;
  readonly counts: Counts;
  /** Errors first, then by channel id; findings without a channel are last. */
  readonly findings: readonly Finding[];
  readonly waived: readonly WaivedFinding[];
  readonly notEvaluable: readonly NotEvaluableResult[];
  readonly channels: readonly AuditedChannelResult[];
  /** Channels that the rules exclude, each with the reason. */
  readonly excluded: readonly ExcludedChannel[];
  /** Ids of the rules on all channels together that pass. */
  readonly fleet: { readonly passed: readonly string[] };
  readonly rules: readonly RuleResult[];
}

/** Identifies a result across runs. @param subject The part of the channel that the result is about, such as a field. */
export function fingerprintOf(rule: string, channel: ChannelReference | undefined, subject: string): string {
  return `${rule}/${channel ? channelKey(channel) : "all"}/${subject}`;
}

/** Counts what a report has. */
export function countsOf(
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
