/** What a rule is, and how to write one. */
import { type z } from "zod";
import type { AuditedChannel } from "./channel";
import { strict } from "./schemas";

/** How bad a finding is: an error fails the audit, a warning is told. */
export type Severity = "error" | "warning";

/** What people read about a rule. */
export interface RuleText {
  /** Unique, in the words of rule files, such as `send-failure`. */
  readonly id: string;
  /** What holds where the rule is kept, as a short sentence without a full stop. */
  readonly title: string;
  /** What goes wrong where it isn't. */
  readonly why: string;
  /** What to do about a finding. */
  readonly fix: string;
}

/** What is wrong in one place. Never holds a credential, because rules see none. */
export interface Problem {
  /** Where, in the words of the API, such as `config.url`. At most one problem of a rule for each field. */
  readonly field: string;
  readonly actual: string;
  readonly expected: string;
}

/** A place that can't be judged. */
export interface Unknown {
  readonly field: string;
  /** Why not, as a clause without a full stop. */
  readonly reason: string;
}

export type Outcome = Problem | Unknown;

/** What a rule says of a channel: nothing when it is kept, undefined when it doesn't apply. */
export type Verdict = readonly Outcome[] | undefined;

/** What a rule may look at besides the channel itself. */
export interface Audit {
  /** The channels that the rule is for. */
  readonly channels: readonly AuditedChannel[];
  readonly now: Date;
  /** Why `channels` isn't all there is, or undefined when it is. */
  readonly partial?: string;
}

/** A rule with its options, ready to run. */
export type Check =
  | { readonly of: "channel"; readonly begin: (audit: Audit) => (channel: AuditedChannel) => Verdict }
  | { readonly of: "fleet"; readonly run: (audit: Audit) => Verdict };

/** Options by name. */
export type Options = Readonly<Record<string, unknown>>;

/** A rule as the audit knows it. Made by {@link defineRule}. */
export interface Rule extends RuleText {
  /** Used where a rule file gives none. */
  readonly severity: Severity;
  /** What its options may be. */
  readonly options: z.ZodType<Options>;
  /** @throws what `options` throws */
  readonly configure: (options: unknown) => Check;
}

interface Definition<Own> extends RuleText {
  /** Default: `warning`. */
  readonly severity?: Severity;
  /** Default: no options. */
  readonly options?: z.ZodType<Own>;
}

/** A rule on each channel. */
export interface ChannelRule<Own> extends Definition<Own> {
  /** Called once for an audit; the function that it gives, once for each channel. */
  readonly check: (options: Own, audit: Audit) => (channel: AuditedChannel) => Verdict;
}

/** A rule on all channels together. */
export interface FleetRule<Own> extends Definition<Own> {
  readonly checkFleet: (options: Own, audit: Audit) => Verdict;
}

/**
 * Makes a rule.
 *
 * @example
 * const mailFirst = defineRule({
 *   id: "mail-first",
 *   title: "Every channel is a mailbox",
 *   why: "Nobody reads anything else.",
 *   fix: "Use a channel of type EMAIL.",
 *   check: () => ({ type }) =>
 *     type === "EMAIL" ? [] : [{ field: "type", actual: type, expected: "EMAIL" }],
 * });
 */
export function defineRule<Own extends Options>(rule: RuleOf<Own> & { options: z.ZodType<Own> }): Rule;
export function defineRule(rule: RuleOf<Options>): Rule;
export function defineRule(rule: RuleOf<Options>): Rule {
  return make(rule, rule.options ?? strict({}));
}

type RuleOf<Own> = ChannelRule<Own> | FleetRule<Own>;

function make<Own extends Options>(rule: RuleOf<Own>, schema: z.ZodType<Own>): Rule {
  const { id, title, why, fix, severity = "warning" } = rule;
  return {
    id,
    title,
    why,
    fix,
    severity,
    options: schema,
    configure: (value) => {
      const options = schema.parse(value);
      return "check" in rule
        ? { of: "channel", begin: (audit) => rule.check(options, audit) }
        : { of: "fleet", run: (audit) => rule.checkFleet(options, audit) };
    },
  };
}
