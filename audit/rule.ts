/** Defines a rule: its documentation, its options, the part of an audit that it gets, and its verdict on a channel. */
import { z } from "zod";
import { alertChannelTypes, knownWebhookTypes } from "../provider/api";
import { repository, version } from "../provider/packageManifest";
import { didYouMean, isMisspelled } from "../provider/texts";
import { type AuditedChannel, type ChannelTypeName } from "./channel";

/** The severities of findings, the highest first. */
export const findingSeverities = ["error", "warning"] as const;
/** Severity of a finding: an error fails the audit, a warning is only reported. */
export type Severity = (typeof findingSeverities)[number];

/** How sure a finding of a credential is: `likely` if nothing but its random look says that it is one. */
export type Confidence = "certain" | "likely";

/** `strict` has the rules of `recommended` with stricter limits, adds some, and makes all of them errors but `unlisted-channel`. */
export type PresetName = "recommended" | "strict";

/** A position in a rule file. */
export interface Location {
  /** The file's name as it was given. */
  readonly file: string;
  /** Line, counted from 1. @integer */
  readonly line: number;
  /** Column, counted from 1. @integer */
  readonly column: number;
}

/** The reason why a credential without facts isn't evaluable. */
export const plaintextDiscarded =
  "was passed as plain text and discarded. Pass the channel in the form that the data source getAlertChannel returns";

/** The reason why a credential isn't evaluable that the service masks or leaves out. */
export const hiddenByService = "hidden by the service. Check the value in the service";

export const notReturned = "not returned by the service. Check the value in the service";

/** Returns the outcome for a field that the service didn't return. */
export const lackOf = (field: string, of = ""): NotEvaluable => ({ field, reason: of + notReturned });

/** @param what The part that the reference hides. */
export function isReferenced(
  what: "address" | "target" | "value",
  how = "is a reference to a secret",
): string {
  return `${how}, so its ${what} is unknown. Check the secret in the service`;
}

/** A version, with the repository that published it, if any. */
const thisRelease: { version: string; repository?: typeof repository } = { version, repository };

/** Returns the URL of a page in the repository that published this version; undefined if no repository published it. */
function pageUrl(page: string, { version, repository }: typeof thisRelease): string | undefined {
  const [, web] = /^(?:git\+)?(https:\/\/.+?)(?:\.git)?$/.exec(repository?.url ?? "") ?? [];
  return web && `${web}/blob/v${version}/${page}`;
}

/** Returns the URL of a rule's documentation; undefined if no repository published this version. */
export const rulePage = (id: string, release = thisRelease): string | undefined =>
  pageUrl(`docs/reference/rules.md#${id}`, release);

/** The documentation of a rule. */
export interface RuleText {
  /** Unique id for rule files, such as `send-failure`. */
  readonly id: string;
  /** Statement that is true of a channel that passes: a short sentence without a full stop. */
  readonly title: string;
  /** The reason why it matters. */
  readonly why: string;
  /** Instructions to fix a finding in the service. */
  readonly fix: string;
  /** Instructions to fix it in code that declares the channel. Optional for rules that aren't built in. */
  readonly asCode?: string;
  /** The case in which the rule should be off. Optional for rules that aren't built in. */
  readonly offWhen?: string;
  /** URL of its documentation; missing for custom rules, and in a package that no repository has published. */
  readonly docs?: string;
}

/** A violation in one field. It never contains a credential, because rules don't get any. */
export interface Problem {
  /** Field as in the API, such as `config.url`. A rule reports at most one problem for each field. */
  readonly field: string;
  readonly actual: string;
  readonly expected: string;
  /** Default: not said. */
  readonly confidence?: Confidence;
  /** Default: that of the rule. Another one is in the check's `severities`. */
  readonly severity?: Severity;
  /** Default: that of the rule. */
  readonly fix?: string;
}

/** A field that can't be evaluated: it neither passes nor is a finding. */
export interface NotEvaluable {
  readonly field: string;
  /** The reason, as a clause without a full stop. */
  readonly reason: string;
  /** True if it fails the audit. Default: false, as for a reference, whose value the service holds elsewhere. */
  readonly blocks?: boolean;
}

export type Outcome = Problem | NotEvaluable;

/** The result of a rule for a channel: an empty list when it passes, undefined when the rule doesn't apply. */
export type Verdict = readonly Outcome[] | undefined;

/** The part of an audit that a rule gets besides the channel itself. */
export interface Audit {
  /** The channels that the rule applies to. */
  readonly channels: readonly AuditedChannel[];
  readonly now: Date;
  /** The reason why `channels` is incomplete; undefined if it is complete. */
  readonly partial?: string;
  /** Ids that the rules, the configuration or a stack name. Missing unless all channels of the account are audited. */
  readonly named?: ReadonlySet<string>;
}

/** The part of an audit that a rule on all channels together gets. */
export interface FleetAudit extends Audit {
  /**
   * Returns true if one of these rules has a finding on the channel or, if there is no channel, on all channels together. A rule
   * asks for it so that one cause is reported once.
   */
  readonly isReported: (rules: readonly string[], channel?: AuditedChannel) => boolean;
}

/**
 * What a rule may need of a channel: a field, or `config` with all settings. A list of channels may leave it out, and a read of the
 * channel alone return it.
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

/** A rule with its options, ready to run: on each channel, on all of them together, or both. */
export interface Check {
  readonly needs: readonly Need[];
  readonly begin?: (audit: Audit) => (channel: AuditedChannel) => Verdict;
  /** Runs after the rules on each channel. */
  readonly run?: (audit: FleetAudit) => Verdict;
  /** The severities that its problems set. */
  readonly severities?: readonly Severity[];
}

/** Options by name. */
export type Options = Readonly<Record<string, unknown>>;

/** A schema of zod 4. The types of programs that import this package don't need those of zod. */
interface OptionsSchema<Own> {
  /** The valid options. Throws when they are invalid. */
  parse(options: unknown): Own;
}

/** A rule, created by {@link defineRule}. */
export interface Rule extends RuleText {
  /** The lowest preset that enables it. Default: none. */
  readonly preset?: PresetName;
  /** Its options in the preset recommended, which has wider limits. Default: its own. */
  readonly recommended?: Options;
  /** Default severity. */
  readonly severity: Severity;
  /** Schema of its options. */
  readonly options: OptionsSchema<Options>;
  /** The rule with its options. Throws what the schema throws. */
  readonly configure: (options: unknown) => Check;
}

/** A rule on each channel, by `check` or `begin`, or on all channels together. */
interface Definition<Own> extends RuleText, Pick<Rule, "preset" | "recommended"> {
  /** Default: `warning`. */
  readonly severity?: Severity;
  /** Default: no options. */
  readonly options?: OptionsSchema<Own>;
  /** What it needs of a channel besides its id and its type. Default: `config`. */
  readonly needs?: readonly Need[];
  readonly check?: (channel: AuditedChannel, options: Own, audit: Audit) => Verdict;
  /** Compares channels: called once for an audit, and what it returns once for each channel. */
  readonly begin?: (options: Own, audit: Audit) => (channel: AuditedChannel) => Verdict;
  readonly checkFleet?: (options: Own, audit: FleetAudit) => Verdict;
  /** The severities that its problems set. Default: none. */
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
  const { needs = ["config"], severities, ...text } = others;
  return {
    ...text,
    severity,
    options: schema,
    configure: (value) => {
      const options = schema.parse(value);
      return {
        needs,
        ...(check && { begin: (audit) => (channel) => check(channel, options, audit) }),
        ...(begin && { begin: (audit) => begin(options, audit) }),
        ...(checkFleet && { run: (audit) => checkFleet(options, audit) }),
        ...(severities && { severities: severities(options) }),
      };
    },
  };
}

const maxListed = 10;

/** Returns the schema of an object without other keys. The message has one line for each unknown key. */
export function strict<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  const known = Object.keys(shape);
  const allowed = known.length > maxListed ? "" : known.join(", ");
  const otherwise = allowed === "" ? "" : `; allowed: ${allowed}`;
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === "unrecognized_keys") {
        return issue.keys.map((key) => `is not known${suggestion(key, known) || otherwise}`).join("\n");
      }
      if (known.length === 0) return "doesn't accept options";
      return `must be an object${allowed === "" ? "" : ` with ${allowed}`}`;
    },
  });
}

/** The limit keeps the time linear, because a file may have as many custom rules as mistakes. */
const mostCompared = 100;

/** Suggests a word as {@link didYouMean} does, among the first hundred allowed ones. */
export function suggestion(wrong: string, allowed: readonly string[]): string {
  return didYouMean(wrong, allowed.slice(0, mostCompared));
}

const documentedTypes: readonly string[] = [...alertChannelTypes, ...knownWebhookTypes];

/** Accepts names that the service may add later, but rejects misspelled ones. */
export const channelType: z.ZodType<ChannelTypeName> = z
  .string({ error: "must be a type, such as EMAIL or WEBHOOK_MSTEAMS" })
  .refine((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && !isMisspelled(name, documentedTypes), {
    error: ({ input }) =>
      `must be a type, such as EMAIL or WEBHOOK_MSTEAMS${didYouMean(String(input), documentedTypes)}`,
  })
  .meta({ pattern: "^[A-Z][A-Z0-9_]*$", examples: [...documentedTypes] });
