/** Defines a rule: its documentation, its options, the part of an audit that it receives, and its verdict on a channel. */
import { z } from "zod";
import { alertChannelTypes, knownWebhookTypes } from "../provider/api";
import { repository, version } from "../provider/packageManifest";
import { formatSuggestion, isMisspelled } from "../provider/texts";
import { type AuditedChannel, type ChannelTypeName } from "./channel";

/** The severities of findings, the highest first. */
export const findingSeverities = ["error", "warning"] as const;
/** Severity of a finding. An error fails the audit; a warning is only reported. */
export type Severity = (typeof findingSeverities)[number];

/** Confidence that a value is a credential: `likely` if the only indication is that it looks random. */
export type Confidence = "certain" | "likely";

/**
 * `strict` contains the rules of `recommended` with stricter limits and some additional rules. All of its rules are errors except
 * `unlisted-channel`.
 */
export type PresetName = "recommended" | "strict";

/** A position in a rule file. */
export interface Location {
  /** File name as the caller passed it. */
  readonly file: string;
  /** Line, starting at 1. @integer */
  readonly line: number;
  /** Column, starting at 1. @integer */
  readonly column: number;
}

/** Reason why a credential without facts can't be evaluated. */
export const plaintextDiscarded =
  "was passed as plain text and discarded. Pass the channel in the form that the data source getAlertChannel returns";

/** Reason why a credential that the service masks or omits can't be evaluated. */
export const hiddenByService = "hidden by the service. Check the value in the service";

export const notReturned = "not returned by the service. Check the value in the service";

/** Returns the outcome for a field that the service didn't return. */
export const createNotReturned = (
  field: string,
  of = "",
  { unknown = {} }: Pick<AuditedChannel, "unknown"> = {},
): NotEvaluable => ({
  field,
  reason: of + (unknown[field] ?? notReturned),
});

/** @param what The part that the reference hides. */
export function formatReferenceReason(
  what: "address" | "target" | "value",
  how = "is a reference to a secret",
): string {
  return `${how}, so its ${what} is unknown. Check the secret in the service`;
}

/** Version of this package, and the repository that published it, if any. */
const thisRelease: { version: string; repository?: typeof repository } = { version, repository };

/** Returns the URL of a rule's documentation; undefined if no repository published this version. */
export function getRuleUrl(id: string, { version, repository } = thisRelease): string | undefined {
  const [, web] = /^(?:git\+)?(https:\/\/.+?)(?:\.git)?$/.exec(repository?.url ?? "") ?? [];
  return web && `${web}/blob/v${version}/docs/reference/rules.md#${id}`;
}

/** The documentation of a rule. */
export interface RuleText {
  /** Unique ID for rule files, such as `send-failure`. */
  readonly id: string;
  /** Statement that is true of a channel that passes, as a short sentence without a period. */
  readonly title: string;
  /** Reason why the rule matters. */
  readonly why: string;
  /** Instructions to fix a finding in the service. */
  readonly fix: string;
  /** Instructions to fix a finding in code that declares the channel. Optional for rules that aren't built in. */
  readonly asCode?: string;
  /** Case where the rule should be off. Optional for rules that aren't built in. */
  readonly offWhen?: string;
  /** URL of its documentation; missing for custom rules and in packages that weren't published from a repository. */
  readonly docs?: string;
}

/** A violation in one field. It never contains a credential, because rules don't receive credentials. */
export interface Problem {
  /** Field as in the API, such as `config.url`. A rule reports at most one problem for each field. */
  readonly field: string;
  readonly actual: string;
  readonly expected: string;
  /** Only set for findings on credentials. */
  readonly confidence?: Confidence;
  /** Default: the rule's severity. The check must list other severities in `severities`. */
  readonly severity?: Severity;
  /** Default: the rule's fix. */
  readonly fix?: string;
}

/** A field that can't be evaluated. It neither passes nor is it a finding. */
export interface NotEvaluable {
  readonly field: string;
  /** Reason, as a clause without a period. */
  readonly reason: string;
  /** True if the field fails the audit. Default: false, for example for a reference to a secret that the service stores separately. */
  readonly blocks?: boolean;
}

export type Outcome = Problem | NotEvaluable;

/** The result of a rule for a channel: an empty list if it passes, undefined if the rule doesn't apply. */
export type Verdict = readonly Outcome[] | undefined;

/** The part of an audit that a rule receives in addition to the channel. */
export interface Audit {
  /** The channels that the rule applies to. */
  readonly channels: readonly AuditedChannel[];
  readonly now: Date;
  /** Reason why `channels` is incomplete; undefined if it is complete. */
  readonly partial?: string;
  /** IDs that appear in the rules or the configuration. Missing unless all channels of the account are audited. */
  readonly named?: ReadonlySet<string>;
}

/** The part of an audit that a rule on all channels together receives. */
export interface FleetAudit extends Audit {
  /**
   * Returns true if any of the rules has a finding on the channel or, if there is no channel, on all channels together. Rules use it to
   * report each cause once.
   */
  readonly isReported: (rules: readonly string[], channel?: AuditedChannel) => boolean;
}

/**
 * A part of a channel that a rule may need: a field, or `config` for all settings. The service may omit it in a list of channels and still
 * return it in a read of the single channel.
 */
export type Need = (typeof needs)[number];

export const needs = [
  "sendFailure",
  "sendRecovery",
  "sendDegraded",
  "sslExpiry",
  "sslExpiryThreshold",
  "autoSubscribe",
  "subscriptions",
  "createdAt",
  "updatedAt",
  "config",
] as const;

/** A rule with its options. It can run on each channel, on all channels together, or both. */
export interface Check extends Pick<Definition<never>, "reads"> {
  readonly needs: readonly Need[];
  readonly begin?: (audit: Audit) => (channel: AuditedChannel) => Verdict;
  /** Runs after the rules on each channel. */
  readonly run?: (audit: FleetAudit) => Verdict;
  /** Severities that the rule's problems can set. */
  readonly severities?: readonly Severity[];
}

/** Options by name. */
export type Options = Readonly<Record<string, unknown>>;

/** A schema of zod 4, declared without zod's types so that programs that import this package don't need them. */
interface OptionsSchema<Own> {
  /** The valid options. Throws when they are invalid. */
  parse(options: unknown): Own;
}

/** A rule, created by {@link defineRule}. */
export interface Rule extends RuleText {
  /** Lowest preset that enables the rule. Default: no preset. */
  readonly preset?: PresetName;
  /** Options in the preset `recommended`, where limits are wider. Default: the default options. */
  readonly recommended?: Options;
  /** Default severity. */
  readonly severity: Severity;
  /** Schema of its options. */
  readonly options: OptionsSchema<Options>;
  /** Returns the rule with its options. Throws the schema's error if they are invalid. */
  readonly configure: (options: unknown) => Check;
}

/** Defines a rule on each channel, with `check` or `begin`, or on all channels together, with `checkFleet`. */
interface Definition<Own> extends RuleText, Pick<Rule, "preset" | "recommended"> {
  /** Default: `warning`. */
  readonly severity?: Severity;
  /** Default: no options. */
  readonly options?: OptionsSchema<Own>;
  /** Parts of a channel that the rule needs in addition to the ID and the type. Default: `config`. */
  readonly needs?: readonly Need[];
  /** Settings that the rule can't pass without, such as `config.url`, or `config` for all. Default: the fields of its outcomes. */
  readonly reads?: readonly string[];
  readonly check?: (channel: AuditedChannel, options: Own, audit: Audit) => Verdict;
  /** Compares channels. Called once in an audit; the returned function is called for each channel. */
  readonly begin?: (options: Own, audit: Audit) => (channel: AuditedChannel) => Verdict;
  readonly checkFleet?: (options: Own, audit: FleetAudit) => Verdict;
  /** Severities that the rule's problems can set. Default: none. */
  readonly severities?: (options: Own) => readonly Severity[];
}

/**
 * Creates a rule.
 *
 * @example
 * const mailFirst = defineRule({
 *   id: "mail-first",
 *   title: "Every channel is an email address",
 *   why: "The team works with email.",
 *   fix: "Use a channel of type EMAIL.",
 *   check: ({ type }) => (type === "EMAIL" ? [] : [{ field: "type", actual: type, expected: "EMAIL" }]),
 * });
 */
export function defineRule<Own extends Options>(
  rule: Definition<Own> & { options: OptionsSchema<Own> },
): Rule;
export function defineRule(rule: Definition<Options>): Rule;
export function defineRule(rule: Definition<Options>): Rule {
  const { check, begin, checkFleet, severity = "warning", options: schema = strict({}), ...others } = rule;
  const { needs = ["config"], reads = [], severities, ...text } = others;
  return {
    ...text,
    severity,
    options: schema,
    configure: (value) => {
      const options = schema.parse(value);
      return {
        needs,
        reads,
        ...(check && { begin: (audit) => (channel) => check(channel, options, audit) }),
        ...(begin && { begin: (audit) => begin(options, audit) }),
        ...(checkFleet && { run: (audit) => checkFleet(options, audit) }),
        ...(severities && { severities: severities(options) }),
      };
    },
  };
}

const maxListed = 10;

/** Returns the schema of an object that rejects unknown keys. The message contains one line for each unknown key. */
export function strict<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  const known = Object.keys(shape);
  const allowed = known.length > maxListed ? "" : known.join(", ");
  const otherwise = allowed === "" ? "" : `; allowed: ${allowed}`;
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === "unrecognized_keys") {
        return issue.keys.map((key) => `is not known${suggestName(key, known) || otherwise}`).join("\n");
      }
      if (known.length === 0) return "doesn't accept options";
      return `must be an object${allowed === "" ? "" : ` with ${allowed}`}`;
    },
  });
}

/** Limits the comparisons to linear time, because a file may contain many custom rules and many errors. */
const maxCompared = 100;

/** Suggests a word like {@link formatSuggestion}, from the first hundred allowed words. */
export function suggestName(wrong: string, allowed: readonly string[]): string {
  return formatSuggestion(wrong, allowed.slice(0, maxCompared));
}

const documentedTypes: readonly string[] = [...alertChannelTypes, ...knownWebhookTypes];

/** Accepts names that the service may add later, but rejects misspelled known names. */
export const channelType: z.ZodType<ChannelTypeName> = z
  .string({ error: "must be a type, such as EMAIL or WEBHOOK_MSTEAMS" })
  .refine((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && !isMisspelled(name, documentedTypes), {
    error: ({ input }) =>
      `must be a type, such as EMAIL or WEBHOOK_MSTEAMS${formatSuggestion(String(input), documentedTypes)}`,
  })
  .meta({ pattern: "^[A-Z][A-Z0-9_]*$", examples: [...documentedTypes] });
