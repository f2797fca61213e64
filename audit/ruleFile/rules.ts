/** What a rule file says: one interface, and beside it the schema that its texts are checked with. */
import { z } from "zod";
import { type CustomRule, customRule } from "../custom";
import { ownRules } from "../ownRules";
import { presetNames } from "../presets";
import type { Options, Rule, RuleText, Severity } from "../rule";
import { builtInRules } from "../rules";
import { channelId, oneOf, strict, text } from "../schemas";
import { type Selection, selection } from "../selection";
import { didYouMean } from "../suggest";

/** How a rule is set. */
export type RuleSetting =
  | "off"
  | Severity
  | {
      /** Default: the preset's, or else the rule's own. */
      severity?: "off" | Severity;
      /** Options of the rule. */
      options?: Options;
      /** Channels that the rule is for. Default: all. */
      select?: Selection;
    };

/** A finding that somebody answers for until a day. It is reported as waived, and fails nothing. */
export interface Waiver {
  /** Id of the rule. */
  rule: string;
  /** Id or name of the channel; left out for rules on all channels together. */
  channel?: string | number;
  /** Why it is right to wait. */
  reason: string;
  /** Who answers for it. */
  owner: string;
  /** The last day on which it holds, in UTC, such as `2027-01-31`. After that it is a finding itself. */
  expires: string;
}

/** The content of a rule file, or the same as an object. */
export interface Rules {
  /** Where the file's schema is, for editors. Not looked at. */
  $schema?: string;
  /** Rules that are on to begin with. Default: none. */
  extends?: (typeof presetNames)[number];
  /** Rules to turn on or off or to set, by id. */
  rules?: Readonly<Record<string, RuleSetting | undefined>>;
  /** Ids of channels by the name that people call them. */
  channels?: Readonly<Record<string, string | number>>;
  /** Findings that somebody answers for until a day. */
  waivers?: readonly Waiver[];
  /** Rules of your own, on unless `rules` turns them off: declared, or in a program made by `defineRule`. */
  customRules?: readonly (CustomRule | Rule)[];
}

const severity = oneOf(["off", "warning", "error"]);

function setting(options: z.ZodType<Options>) {
  const needed = needsOptions(options);
  const fields = {
    severity: severity
      .optional()
      .describe("off, warning or error. Default: the preset's, or else the rule's own."),
    options: (needed ? options : options.optional()).describe("Options of the rule."),
    select: selection.optional(),
  };
  const error = needed
    ? `must be off, or an object with options: ${optionNames(options)}`
    : "must be off, warning, error, or an object with severity, options and select";
  return z.union([needed ? z.literal("off", { error }) : severity, strict(fields)], { error }).optional();
}

/** Whether a rule has options without a default. */
export function needsOptions(options: z.ZodType<Options>): boolean {
  return !options.safeParse({}).success;
}

function optionNames(options: z.ZodType<Options>): string {
  return options instanceof z.ZodObject ? Object.keys(options.shape).join(", ") : "the rule has no defaults";
}

const withoutOptions = setting(strict({}));

const describedBy = (schema: z.ZodType<RuleSetting | undefined>, { title, why }: RuleText) =>
  schema.describe(`${title}. ${why}`);

const knownSettings: Record<string, z.ZodType<RuleSetting | undefined>> = {
  ...Object.fromEntries(builtInRules.map((rule) => [rule.id, describedBy(setting(rule.options), rule)])),
  ...Object.fromEntries(ownRules.map((rule) => [rule.id, describedBy(withoutOptions, rule)])),
};

function waiver(rule: z.ZodType<string>) {
  return strict({
    rule: rule.describe("Id of the rule."),
    channel: z
      .union([z.number(), text], { error: "must be the id or name of a channel" })
      .optional()
      .describe("Id or name of the channel; left out for rules on all channels together."),
    reason: text.describe("Why it is right to wait."),
    owner: text.describe("Who answers for it."),
    expires: z.iso
      .date({ error: "must be a day, such as 2027-01-31" })
      .describe("The last day on which it holds, in UTC, such as 2027-01-31."),
  });
}

interface Parts {
  settings: z.ZodType<Readonly<Record<string, RuleSetting | undefined>>>;
  customRule: z.ZodType;
  ruleId: z.ZodType<string>;
}

function rulesSchema({ settings, customRule, ruleId }: Parts) {
  return strict({
    $schema: text.optional().describe("Where this schema is, for editors."),
    extends: oneOf(presetNames).optional().describe("Rules that are on to begin with."),
    rules: settings.optional().describe("Rules to turn on or off or to set, by id."),
    channels: z
      .record(z.string(), channelId, { error: "must be an object of ids by name, such as on-call: 200123" })
      .optional()
      .describe("Ids of channels by the name that people call them."),
    waivers: z
      .array(waiver(ruleId), { error: "must be a list" })
      .optional()
      .describe("Findings that somebody answers for until a day."),
    customRules: z
      .array(customRule, { error: "must be a list" })
      .optional()
      .describe("Rules of your own, on unless rules turns them off."),
  });
}

/**
 * The schema of rules that bring along custom rules, which are checked one by one elsewhere.
 *
 * @param customOptions Options of the custom rules by id.
 */
export function rulesSchemaWith(customOptions: ReadonlyMap<string, z.ZodType<Options>>) {
  const custom = [...customOptions].map(([id, options]) => [id, setting(options)] as const);
  const settings = { ...Object.fromEntries(custom), ...knownSettings };
  return rulesSchema({
    settings: strict(settings),
    customRule: z.unknown(),
    ruleId: z.string({ error: "must be the id of a rule" }).refine((id) => Object.hasOwn(settings, id), {
      error: ({ input }) => `is not a rule${didYouMean(String(input), Object.keys(settings))}`,
    }),
  });
}

/** The JSON Schema of rule files, by which editors complete and check them. */
export function rulesJsonSchema(): Record<string, unknown> {
  const settings = z.object(knownSettings).catchall(withoutOptions);
  return {
    title: "Rules for auditing alert channels",
    ...z.toJSONSchema(rulesSchema({ settings, customRule, ruleId: text }), { io: "input" }),
  };
}
