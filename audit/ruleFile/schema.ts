/** Defines the content of a rule file: the schema that validates it, whose fields have the doc comments, and the rules that it declares. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { fieldNames, isObject } from "../../provider/api";
import { alertChannelOutputs, expectationsAt, expectationsOf, violations } from "../../provider/expectations";
import {
  boolean,
  filledList,
  list,
  named,
  oneOf,
  type ProblemAt,
  string,
  filledText,
} from "../../provider/problems";
import { type AuditedChannel, type ChannelTypeName, type Credential } from "../channel";
import {
  channelType,
  defineRule,
  findingSeverities,
  hiddenByService,
  isReferenced,
  lackOf,
  needs,
  type NotEvaluable,
  type Options,
  type Outcome,
  plaintextDiscarded,
  type Rule,
  type Severity,
  strict,
  suggestion,
} from "../rule";
import { builtInRules, documentedRules, metaRule, metaRules } from "../rules";
import { whyHostUnknown } from "../rules/credentials";
import descriptions from "./descriptions.json";

/** The JSON Schema of rule files, for editors. */
export function rulesJsonSchema(): Record<string, unknown> {
  const described = new Map<unknown, Readonly<Record<string, string>>>([
    [rulesSchema, descriptions.Rules],
    [override, descriptions.Override],
    [selection, descriptions.Selection],
    [exclusion, descriptions.Exclusion],
    [waiver, descriptions.Waiver],
    [customRule, descriptions.CustomRule],
  ]);
  const schema = z.toJSONSchema(rulesSchema, {
    io: "input",
    override({ zodSchema, jsonSchema: { properties = {} } }) {
      for (const [name, description] of Object.entries(described.get(zodSchema) ?? {})) {
        const property = properties[name];
        // Several fields share a schema, or a reference, whose object has a description of its own.
        if (typeof property === "object" && !property.$ref) properties[name] = { description, ...property };
      }
    },
  });
  const ofChannels = builtInRules.map(({ id }) => id);
  const settings = (ids: readonly string[]) => ({ rules: { propertyNames: { enum: ids } } });
  return {
    title: "Rules for auditing alert channels",
    ...schema,
    // Only a file with rules of its own can have other ids.
    if: { not: { required: ["customRules"] } },
    then: {
      properties: {
        ...settings([...ofChannels, ...Object.keys(metaSettings)]),
        overrides: { items: { properties: settings(ofChannels) } },
      },
    },
  };
}

/** Finds ids that no rule has, or that can't be used there. The schema allows any, because a rule file may declare rules. */
export function wrongIdsIn(content: unknown): ProblemAt[] {
  const declared = itemsIn(content, "customRules").map((rule) => fieldIn(rule, "id"));
  const firstIndexes = new Map(declared.map((id, index) => [id, index] as const).reverse());
  // The built-in rules come first, because `suggestion` compares a mistake only with the first names.
  const ofChannels = new Set([...builtInRules.map(({ id }) => id), ...declared.filter(isString)]);
  const all = new Set([...ofChannels, ...Object.keys(metaSettings)]);
  const { channelRead } = metaRule;
  const inRules = whyNotIn(all, "is not known", [channelRead], "can't be set");
  const inOverrides = whyNotIn(ofChannels, "is not known", metaRules, "can't be set for some channels");
  const inWaivers = whyNotIn(all, "is not a rule", [channelRead], "can't be waived");
  const uses = [
    ...keysIn(content, "rules").map((id) => ({ path: ["rules", id], reason: inRules(id), atKey: true })),
    ...itemsIn(content, "overrides").flatMap((override, index) =>
      keysIn(override, "rules").map((id) => {
        return { path: ["overrides", index, "rules", id], reason: inOverrides(id), atKey: true };
      }),
    ),
    ...itemsIn(content, "waivers").map((waiver, index) => {
      return { path: ["waivers", index, "rule"], reason: inWaivers(fieldIn(waiver, "rule")) };
    }),
    ...declared.map((id, index) => {
      const isTaken = documentedIds.has(id) || (isString(id) && firstIndexes.get(id) !== index);
      const reason = isTaken ? "is the ID of a different rule" : undefined;
      return { path: ["customRules", index, "id"], reason: reservedIds.get(id) ?? reason };
    }),
  ];
  return uses.flatMap(({ reason, ...use }) => (reason === undefined ? [] : { ...use, reason }));
}

/**
 * Returns a function that says what is wrong with an id, if anything.
 *
 * @param others Rules whose ids can't be used there.
 */
function whyNotIn(
  known: ReadonlySet<unknown>,
  reason: string,
  others: readonly Pick<Rule, "id">[],
  reasonOfOthers: string,
): (id: unknown) => string | undefined {
  const names = [...known].map(String);
  return (id) => {
    if (!isString(id) || known.has(id)) return undefined;
    return others.some((other) => other.id === id) ? reasonOfOthers : reason + suggestion(id, names);
  };
}

const isString = (value: unknown) => typeof value === "string";

const fieldIn = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

function itemsIn(value: unknown, name: string): readonly unknown[] {
  const items = fieldIn(value, name);
  return Array.isArray(items) ? items : [];
}

function keysIn(value: unknown, name: string): readonly string[] {
  const field = fieldIn(value, name);
  return isObject(field) ? Object.keys(field) : [];
}

const documentedIds: ReadonlySet<unknown> = new Set(documentedRules.map(({ id }) => id));

/** A policy pack has a policy for each rule id, and these policies of its own. */
const reservedIds: ReadonlyMap<unknown, string> = new Map(
  ["all", "not-evaluable"].map((id) => [id, "is reserved for policy packs"]),
);

const notAnId = { error: "must be the ID of an alert channel, such as 200123" };

/** Ids are numbers; strings of digits are accepted. */
const channelId = z.union([z.int(notAnId).min(0, notAnId), z.string().regex(/^\d{1,15}$/, notAnId)], notAnId);

/** Channels that match all of these: one of the types, one of the ids, one of the names. */
export interface Selection extends z.output<typeof selection> {}

const selection = strict({
  /** Types or values of `webhookType`, such as `EMAIL` or `WEBHOOK_MSTEAMS`. Default: any. */
  types: named<ChannelTypeName[]>(filledList(channelType)).optional(),
  /** Ids. Default: any. */
  ids: filledList(channelId).optional(),
  /** Names; `*` matches anything, so `prod-*` matches every name that begins with `prod-`. Default: any. */
  names: filledList(filledText).optional(),
}).meta({
  id: "Selection",
  description: "Channels that match all of these. Default: all channels.",
});

/** A list by the names of its entries' types; a program may pass one that it can't change. */
const many = <Entry>(entry: z.ZodType<Entry>) => named<readonly Entry[]>(list(entry));

const idOrName = z.union([z.number(), filledText], { error: "must be the ID or name of a channel" });

/** Channels that aren't audited: exactly one of `channel` and `select`. */
export interface Exclusion extends z.output<typeof exclusion> {}

const exclusion = strict({
  /** Id or name of the channel. */
  channel: idOrName.optional(),
  /** The channels. */
  select: selection
    .refine((selected) => Object.keys(selected).length > 0, {
      error: "must contain `types`, `ids` or `names`, because an empty selection would exclude every channel",
    })
    .optional(),
  /** The reason why they aren't audited. */
  reason: filledText,
}).refine(({ channel, select }) => (channel === undefined) !== (select === undefined), {
  error: "must contain either channel or select",
});

const severities = ["off", "warning", "error"] as const;

const severity = z.enum(severities, {
  error: ({ input }) => {
    const allowed = `must be one of ${severities.join(", ")}`;
    if (typeof input === "boolean")
      return `${allowed}. The value is read as ${input}. Write "off" in quotes, or remove %YAML 1.1`;
    return typeof input === "string" ? allowed + suggestion(input, severities) : allowed;
  },
});

/** Settings of rules, by id. */
type RuleSettings = Readonly<Record<string, RuleSetting | undefined>>;

/** The setting of a rule. */
export type RuleSetting =
  | "off"
  | Severity
  | {
      /** Default: that of the preset, or else of the rule. */
      severity?: "off" | Severity;
      /** Options of the rule. */
      options?: Options;
    };

function setting(options: z.ZodType<Options>, names = "") {
  // Without these options, the rule can't be turned on.
  const needed = !options.safeParse({}).success;
  const error = needed
    ? `must be off, or an object with options: ${names}`
    : "must be off, warning, error, or an object with severity and options";
  const parts = strict({
    severity: severity
      .optional()
      .describe("off, warning or error. Default: as in the preset or, without a preset, as in the rule."),
    options: (needed ? options : options.optional()).describe("Options of the rule."),
  });
  return z.union([needed ? z.literal("off", { error }) : severity, parts], { error }).optional();
}

const withoutOptions = setting(strict({})).meta({ id: "Setting" });

const builtInSettings = Object.fromEntries(
  builtInRules.map(({ id, title, why, options }) => {
    if (!(options instanceof z.ZodObject)) throw new Error(`The options of ${id} must be an object of zod.`);
    const names = Object.keys(options.shape).join(", ");
    return [id, setting(options, names).meta({ id, description: `${title}. ${why}` })];
  }),
);

/** The settings of the rules on the audit itself, which can't be limited to some channels. */
const metaSettings = Object.fromEntries(
  metaRules
    .filter(({ id }) => id !== metaRule.channelRead.id)
    .map(({ id, title, why }) => [id, withoutOptions.describe(`${title}. ${why}`)]),
);

/** Returns the schema of the settings of rules, by id: these, and those of custom rules. */
function settingsOf(settings: Readonly<Record<string, typeof withoutOptions>>) {
  const schema = z.object(settings, { error: "must be an object" }).catchall(withoutOptions);
  return named<RuleSettings>(schema);
}

/** A temporary exception for a finding. The finding is reported as waived and doesn't fail the audit. */
export interface Waiver extends z.output<typeof waiver> {}

const waiver = strict({
  /** Id of the rule. */
  rule: z.string({ error: "must be the ID of a rule" }).meta({ minLength: 1 }),
  /**
   * Id or name of the channel. Without it, the waiver is for the rule on every channel, also on later ones, or for a rule
   * on all channels together.
   */
  channel: idOrName.optional(),
  /** Field of the finding, such as `config.url`. Default: any. */
  field: filledText.optional(),
  /** The reason why the finding is accepted. */
  reason: filledText,
  /** The person or team who is responsible for it. */
  owner: filledText,
  /** Last day on which it is valid, in UTC, such as `2027-01-31`. After that the waiver is a finding itself. */
  expires: z.iso.date({ error: "must be a date, such as 2027-01-31" }),
});

const expectable = alertChannelOutputs.extend({
  id: z.union([z.string(), z.number()]),
  name: z.string().optional(),
});

/** A rule on each channel. */
export interface CustomRule extends z.output<typeof customRule> {}

const customRule = strict({
  /** Unique, such as `opsgenie-region`. */
  id: string.regex(/^[a-z0-9]+([-/.][a-z0-9]+)*$/, {
    error: "must consist of lowercase letters, digits and hyphens, such as opsgenie-region",
  }),
  /** Statement that is true of a channel that passes. */
  title: filledText,
  /** The reason why it matters. Default: that it is a rule of this organization. */
  why: filledText.optional(),
  /** Instructions to fix a finding. Default: to change the value. */
  fix: filledText.optional(),
  /** Default: `error`. */
  severity: oneOf(findingSeverities, suggestion).optional(),
  /** Channels that it applies to. Default: all. */
  select: named<Selection>(selection).optional(),
  /** Expectations of a channel, in the language of `expect` of the resource `AlertChannel`, and of its `id` and `name`. */
  expect: expectationsOf(expectable)
    .refine((expected) => Object.keys(expected).length > 0, { error: "must not be empty" })
    .meta({
      propertyNames: { enum: [...fieldNames(expectable), "oneOf", "not"] },
    }),
});

/** Settings of rules for some of the channels. */
export interface Override extends z.output<typeof override> {}

const override = strict({
  /** The channels. */
  select: named<Selection>(selection),
  /** Settings of rules, by id. A setting inherits what it leaves out from the setting for the other channels. */
  rules: settingsOf(builtInSettings),
});

/** The content of a rule file. */
export interface Rules extends z.output<typeof rulesSchema> {}

/** The schema of a rule file, except for the ids of rules. */
export const rulesSchema = strict({
  /** Location of the file's schema, for editors. Ignored by the audit. */
  $schema: filledText.optional(),
  /** Preset of rules to enable. Default: none. */
  extends: oneOf(["recommended", "strict"], suggestion).optional(),
  /** Settings of rules, by id. */
  rules: settingsOf({ ...builtInSettings, ...metaSettings }).optional(),
  /** Settings of rules for some of the channels. Of several for one channel and rule, the last one applies. */
  overrides: many<Override>(override).optional(),
  /** Ids of channels by name. */
  channels: z
    .record(z.string(), channelId, {
      error: "must be an object that maps names to IDs, such as on-call: 200123",
    })
    .optional(),
  /** Whether to audit all channels of the account, where the service lists them. `channels` then only names them. Default: false. */
  allChannels: boolean.optional(),
  /** Channels that aren't audited. Every report counts them. */
  exclude: many<Exclusion>(exclusion).optional(),
  /** Temporary exceptions for findings. */
  waivers: many<Waiver>(waiver).optional(),
  /** Custom rules, on unless `rules` turns them off. */
  customRules: many<CustomRule>(customRule).optional(),
});

export function customRuleOf({ id, title, expect, ...rule }: CustomRule): Rule {
  const {
    why = "This is a rule of your organization.",
    fix = "Change the value.",
    severity = "error",
  } = rule;
  return defineRule({
    id,
    title,
    why,
    fix,
    severity,
    needs: needs.filter((need) => expectationsAt(expect, [need]).some(isOnValue)),
    check: (channel) => evaluate(expect, channel),
  });
}

function evaluate(expected: CustomRule["expect"], channel: AuditedChannel): Outcome[] {
  const { credentials, origin: _, ...fields } = channel;
  const outputs = { ...fields, config: { ...fields.config, ...credentials } };
  const unknown = [...unknownIn(channel, (...path) => expectationsAt(expected, path))];
  const problems = violations(expected, outputs)
    .filter(({ field }) => !unknown.some((one) => overlap(field, one.field)))
    // A finding that shows the whole channel would be too long.
    .map((one) => (one.field === "" ? { ...one, field: "channel", actual: "different" } : one));
  return [...unknown, ...problems];
}

function overlap(one: string, other: string): boolean {
  return one === "" || `${other}.`.startsWith(`${one}.`) || `${one}.`.startsWith(`${other}.`);
}

/** Fields whose absence has a meaning: no name, a service without projects, a channel that was never changed. */
const mayBeAbsent = new Set<string>([
  "name",
  "projectBindings",
  "createdAt",
  "updatedAt",
] satisfies (keyof AuditedChannel)[]);

/** The fields that every channel has, even if the service doesn't always return them. */
const returned = fieldNames(expectable).filter((name) => !mayBeAbsent.has(name));

/**
 * Yields the settings on which the verdict depends and whose value is unknown. A condition such as `not` would let them pass.
 *
 * @param expectedAt Returns the expectations at a path, in all branches of conditions.
 */
function* unknownIn(
  channel: AuditedChannel,
  expectedAt: (...path: string[]) => unknown[],
): Generator<NotEvaluable> {
  const dependsOn = (...path: string[]) => expectedAt(...path).some(isOnValue);
  const fields = new Map<string, unknown>(Object.entries(channel));
  for (const field of returned)
    if ((fields.get(field) ?? undefined) === undefined && dependsOn(field)) yield lackOf(field);
  for (const [key, credential] of Object.entries(channel.credentials)) {
    const reason = whyUnknown(credential, (fact) => dependsOn("config", key, fact));
    if (reason !== undefined && dependsOn("config", key)) yield { field: `config.${key}`, reason };
  }
  for (const [key, value] of Object.entries(channel.config)) {
    const isReference = typeof value === "string" && value.includes("{{");
    if (isReference && expectedAt("config", key).some(isOnResolved))
      yield { field: `config.${key}`, reason: isReferenced("value") };
  }
}

function whyUnknown(credential: Credential, dependsOn: (fact: string) => boolean): string | undefined {
  if (credential.fingerprint === undefined)
    return credential.secretPart === "hidden" ? hiddenByService : plaintextDiscarded;
  const ofTarget = ["scheme", "hostClass", "receiver"] as const;
  const isOpen = ofTarget.some((fact) => credential[fact] === undefined && dependsOn(fact));
  return isOpen ? whyHostUnknown(credential) : undefined;
}

/** Returns true if the expectation depends on the value, and not only on its presence. */
function isOnValue(expected: unknown): boolean {
  return expected !== null && !isDeepStrictEqual(expected, { not: null });
}

/** Returns true if the expectation depends on the value that a reference stands for, and not on the reference itself. */
function isOnResolved(expected: unknown): boolean {
  return isOnValue(expected) && !JSON.stringify(expected).replaceAll("\\", "").includes("{{");
}
