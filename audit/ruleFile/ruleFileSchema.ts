/** The content of a rule file: the interface, and the schema that validates it. */
import { z } from "zod";
import { type CustomRule, customRule } from "./customRule";
import { channelRead } from "../rules/channelRead";
import { builtInRules, metaRules } from "../rules";
import { type PresetName, presetNames } from "../definition/presetName";
import { type Options, optionsOf, type Rule, type RuleText } from "../definition/rule";
import type { Severity } from "../definition/severity";
import { channelId, oneOf, strict, suggestion, text } from "../definition/schemas";
import { type Selection, selection } from "../definition/selection";

/** The setting of a rule. */
export type RuleSetting =
  | "off"
  | Severity
  | {
      /** Default: that of the preset, or else of the rule. */
      severity?: "off" | Severity;
      /** Options of the rule. */
      options?: Options;
      /** Channels that the rule applies to. Default: all. */
      select?: Selection;
    };

/** Settings of rules for some of the channels. */
export interface Override {
  /** The channels. */
  select: Selection;
  /** Settings of rules, by id. What a setting leaves out is as for the other channels. */
  rules: Readonly<Record<string, RuleSetting | undefined>>;
}

/** A temporary exception for a finding. The finding is reported as waived and doesn't fail the audit. */
export interface Waiver {
  /** Id of the rule. */
  rule: string;
  /**
   * Id or name of the channel. Without it, the waiver is for the rule on every channel, also on later ones, or for a rule
   * on all channels together.
   */
  channel?: string | number;
  /** Why the finding is accepted. */
  reason: string;
  /** Who is responsible for it. */
  owner: string;
  /** Last day on which it is valid, in UTC, such as `2027-01-31`. After that the waiver is a finding itself. */
  expires: string;
}

/** The content of a rule file. */
export interface Rules {
  /** Location of the file's schema, for editors. Ignored by the audit. */
  $schema?: string;
  /** Preset of rules to enable. Default: none. */
  extends?: PresetName;
  /** Settings of rules, by id. */
  rules?: Readonly<Record<string, RuleSetting | undefined>>;
  /** Settings of rules for some of the channels. Of several for one channel and rule, the last one applies. */
  overrides?: readonly Override[];
  /** Ids of channels by name. */
  channels?: Readonly<Record<string, string | number>>;
  /** Temporary exceptions for findings. */
  waivers?: readonly Waiver[];
  /** Custom rules, on unless `rules` turns them off: declared, or in a program created by `defineRule`. */
  customRules?: readonly (CustomRule | Rule)[];
}

const severity = oneOf(["off", "warning", "error"]);

function setting(options: z.ZodType<Options>) {
  const needed = needsOptions(options);
  const fields = {
    severity: severity
      .optional()
      .describe("off, warning or error. Default: that of the preset, or else of the rule."),
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

const knownSettings: Record<string, z.ZodType<RuleSetting | undefined>> = Object.fromEntries(
  builtInRules.map((rule) => [rule.id, describedBy(setting(optionsOf(rule)), rule)]),
);

/** The rules on the audit itself, which aren't for some of the channels. */
const metaSettings: Record<string, z.ZodType<RuleSetting | undefined>> = {
  ...Object.fromEntries(
    metaRules
      .filter((rule) => rule !== channelRead)
      .map((rule) => [rule.id, describedBy(withoutOptions, rule)]),
  ),
};

function waiver(rule: z.ZodType<string>) {
  return strict({
    rule: rule.describe("Id of the rule."),
    channel: z
      .union([z.number(), text], { error: "must be the id or name of a channel" })
      .optional()
      .describe(
        "Id or name of the channel. Without it, the waiver is for the rule on every channel, also on later ones, or for a rule on all channels together.",
      ),
    reason: text.describe("Why the finding is accepted."),
    owner: text.describe("Who is responsible for it."),
    expires: z.iso
      .date({ error: "must be a day, such as 2027-01-31" })
      .describe("Last day on which it is valid, in UTC, such as 2027-01-31."),
  });
}

type RuleSettings = z.ZodType<Readonly<Record<string, RuleSetting | undefined>>>;

interface SchemaParts {
  settings: RuleSettings;
  /** The settings that an override may have. */
  overrides: RuleSettings;
  customRule: z.ZodType;
  ruleId: z.ZodType<string>;
}

function rulesSchema({ settings, overrides, customRule, ruleId }: SchemaParts) {
  return strict({
    $schema: text.optional().describe("Location of this schema, for editors."),
    extends: oneOf(presetNames).optional().describe("Preset of rules to enable."),
    rules: settings.optional().describe("Settings of rules, by id."),
    overrides: z
      .array(
        strict({
          select: selection,
          rules: overrides.describe("Settings of rules, by id, for the selected channels."),
        }),
        { error: "must be a list" },
      )
      .optional()
      .describe("Settings of rules for some of the channels. The last one that matches a channel applies."),
    channels: z
      .record(z.string(), channelId, { error: "must be an object of ids by name, such as on-call: 200123" })
      .optional()
      .describe("Ids of channels by name."),
    waivers: z
      .array(waiver(ruleId), { error: "must be a list" })
      .optional()
      .describe("Temporary exceptions for findings."),
    customRules: z
      .array(customRule, { error: "must be a list" })
      .optional()
      .describe("Custom rules, on unless rules turns them off."),
  });
}

/**
 * The schema of rules with these custom rules, which are validated separately.
 *
 * @param customOptions Options of the custom rules, by id.
 */
export function rulesSchemaWith(customOptions: ReadonlyMap<string, z.ZodType<Options>>) {
  const custom = [...customOptions].map(([id, options]) => [id, setting(options)] as const);
  // The built-in ones first, because a mistake is compared with the first names alone.
  const ofChannels = { ...knownSettings, ...Object.fromEntries(custom), ...knownSettings };
  const settings = { ...ofChannels, ...metaSettings };
  return rulesSchema({
    settings: strict(settings),
    overrides: strict(ofChannels),
    customRule: z.unknown(),
    ruleId: z.string({ error: "must be the id of a rule" }).refine((id) => Object.hasOwn(settings, id), {
      error: ({ input }) => `is not a rule${suggestion(String(input), Object.keys(settings))}`,
    }),
  });
}

/** The JSON Schema of rule files, for editors. */
export function rulesJsonSchema(): Record<string, unknown> {
  const settings = z.object({ ...knownSettings, ...metaSettings }).catchall(withoutOptions);
  const overrides = z.object(knownSettings).catchall(withoutOptions);
  return {
    title: "Rules for auditing alert channels",
    ...z.toJSONSchema(rulesSchema({ settings, overrides, customRule, ruleId: text }), { io: "input" }),
  };
}
