/**
 * Defines the content of a rule file: the schema that validates it, with the doc comments of its fields, and the custom rules that it
 * declares.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { listFieldNames, isObject } from "../../provider/api";
import {
  alertChannelOutputs,
  listExpectationsAt,
  expectationsSchema,
  findViolations,
} from "../../provider/expectations";
import {
  boolean,
  filledList,
  list,
  castSchema,
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
  formatReferenceReason,
  createNotReturned,
  needs,
  type NotEvaluable,
  type Options,
  type Outcome,
  plaintextDiscarded,
  type Rule,
  type Severity,
  strict,
  suggestName,
} from "../rule";
import { builtInRules, documentedRules, metaRule, metaRules } from "../rules";
import { getUnknownHostReason } from "../rules/credentials";
import descriptions from "./descriptions.json";

/** The JSON Schema of rule files, for editors. */
export function rulesJsonSchema(): Record<string, unknown> {
  const described = new Map<unknown, Readonly<Record<string, string>>>([
    [rulesSchema, descriptions.Rules],
    [exception, descriptions.Exception],
    [selection, descriptions.Selection],
    [customRule, descriptions.CustomRule],
  ]);
  const schema = z.toJSONSchema(rulesSchema, {
    io: "input",
    override({ zodSchema, jsonSchema: { properties = {} } }) {
      for (const [name, description] of Object.entries(described.get(zodSchema) ?? {})) {
        const property = properties[name];
        // A schema shared by several fields gets a description for each field. A reference keeps the description of its object.
        if (typeof property === "object" && !property.$ref) properties[name] = { description, ...property };
      }
    },
  });
  const ofChannels = builtInRules.map(({ id }) => id);
  const settings = (ids: readonly string[]) => ({ rules: { propertyNames: { enum: ids } } });
  return {
    title: "Rules for auditing alert channels",
    ...schema,
    // Only a file with custom rules can contain other IDs.
    if: { not: { required: ["customRules"] } },
    then: {
      properties: {
        ...settings([...ofChannels, ...Object.keys(metaSettings)]),
        exceptions: { items: { properties: settings(ofChannels) } },
      },
    },
  };
}

/** The keys of rule files before `exceptions`, each with the entry that replaces it. */
const replacements = {
  exclude: "exceptions: [{ select: …, rules: off, reason: … }]",
  overrides: "exceptions: [{ select: …, rules: { RULE: warning }, reason: … }]",
  waivers: "exceptions: [{ channel: …, rules: { RULE: off }, reason: …, until: DAY }]",
};

/**
 * Finds keys that were replaced, IDs of unknown rules, and IDs that aren't allowed at their place. The schema allows any ID, because a
 * rule file may declare rules.
 */
export function findWrongIds(content: unknown): ProblemAt[] {
  const declared = getItems(content, "customRules").map((rule) => getField(rule, "id"));
  const firstIndexes = new Map(declared.map((id, index) => [id, index] as const).reverse());
  // The built-in rules come first, because `suggestion` only compares an unknown name with the first names.
  const ofChannels = new Set([...builtInRules.map(({ id }) => id), ...declared.filter(isString)]);
  const all = new Set([...ofChannels, ...Object.keys(metaSettings)]);
  const { channelRead } = metaRule;
  const inRules = createIdValidator(all, "is not known", [channelRead], "can't be set");
  const reasonOfMeta = "can't be set for some channels";
  const inExceptions = createIdValidator(ofChannels, "is not known", metaRules, reasonOfMeta);
  const uses = [
    ...Object.entries(replacements).flatMap(([key, form]) =>
      getField(content, key) === undefined
        ? []
        : { path: [key], reason: `is replaced by exceptions. Write ${form}`, atKey: true },
    ),
    ...getKeys(content, "rules").map((id) => ({ path: ["rules", id], reason: inRules(id), atKey: true })),
    ...getItems(content, "exceptions").flatMap((exception, index) =>
      getKeys(exception, "rules").map((id) => {
        return { path: ["exceptions", index, "rules", id], reason: inExceptions(id), atKey: true };
      }),
    ),
    ...declared.map((id, index) => {
      const isTaken = documentedIds.has(id) || (isString(id) && firstIndexes.get(id) !== index);
      const reason = isTaken ? "is the ID of a different rule" : undefined;
      return { path: ["customRules", index, "id"], reason: reservedIds.get(id) ?? reason };
    }),
  ];
  return uses.flatMap(({ reason, ...use }) => (reason === undefined ? [] : { ...use, reason }));
}

/**
 * Returns a function that returns the reason to reject an ID; undefined if the ID is valid.
 *
 * @param others Rules whose IDs aren't allowed there.
 */
function createIdValidator(
  known: ReadonlySet<unknown>,
  reason: string,
  others: readonly Pick<Rule, "id">[],
  reasonOfOthers: string,
): (id: unknown) => string | undefined {
  const names = [...known].map(String);
  return (id) => {
    if (!isString(id) || known.has(id)) return undefined;
    return others.some((other) => other.id === id) ? reasonOfOthers : reason + suggestName(id, names);
  };
}

const isString = (value: unknown) => typeof value === "string";

const getField = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

function getItems(value: unknown, name: string): readonly unknown[] {
  const items = getField(value, name);
  return Array.isArray(items) ? items : [];
}

function getKeys(value: unknown, name: string): readonly string[] {
  const field = getField(value, name);
  return isObject(field) ? Object.keys(field) : [];
}

const documentedIds: ReadonlySet<unknown> = new Set(documentedRules.map(({ id }) => id));

/** A policy pack contains a policy for each rule ID, and also policies with these IDs. */
const reservedIds: ReadonlyMap<unknown, string> = new Map(
  ["all", "not-evaluable"].map((id) => [id, "is reserved for policy packs"]),
);

const notAnId = { error: "must be the ID of an alert channel, such as 200123" };

/** IDs are numbers; strings of digits are accepted. */
const channelId = z.union([z.int(notAnId).min(0, notAnId), z.string().regex(/^\d{1,15}$/, notAnId)], notAnId);

/** Selects the channels that have one of the types, one of the IDs and one of the names. */
export interface Selection extends z.output<typeof selection> {}

const selection = strict({
  /** Types or values of `webhookType`, such as `EMAIL` or `WEBHOOK_MSTEAMS`. Default: any type. */
  types: castSchema<ChannelTypeName[]>(filledList(channelType)).optional(),
  /** IDs. Default: any ID. */
  ids: filledList(channelId).optional(),
  /** Names. `*` matches any characters, so `prod-*` matches every name that starts with `prod-`. Default: any name. */
  names: filledList(filledText).optional(),
}).meta({
  id: "Selection",
  description: "Channels that match all of these conditions. Default: all channels.",
});

/** A list whose type refers to the entries' type by name. It's readonly, so that a program may pass a readonly list. */
const many = <Entry>(entry: z.ZodType<Entry>) => castSchema<readonly Entry[]>(list(entry));

const severities = ["off", "warning", "error"] as const;

const severity = z.enum(severities, {
  error: ({ input }) => {
    const allowed = `must be one of ${severities.join(", ")}`;
    if (typeof input === "boolean")
      return `${allowed}. The value is read as ${input}. Write "off" in quotes, or remove %YAML 1.1`;
    return typeof input === "string" ? allowed + suggestName(input, severities) : allowed;
  },
});

/** Settings of rules, by ID. */
type RuleSettings = Readonly<Record<string, RuleSetting | undefined>>;

/** The setting of a rule. */
export type RuleSetting =
  | "off"
  | Severity
  | {
      /** Severity of the rule. Default: the severity in the preset, otherwise the rule's own. */
      severity?: "off" | Severity;
      /** Options of the rule. */
      options?: Options;
    };

function setting(options: z.ZodType<Options>, names = "") {
  // The rule can't be turned on without these options.
  const needed = !options.safeParse({}).success;
  const error = needed
    ? `must be off, or an object with options: ${names}`
    : "must be off, warning, error, or an object with severity and options";
  const parts = strict({
    severity: severity
      .optional()
      .describe("off, warning or error. Default: the severity in the preset, otherwise the rule's own."),
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

/** Settings of the rules on the audit itself. They can't be limited to some channels. */
const metaSettings = Object.fromEntries(
  metaRules
    .filter(({ id }) => id !== metaRule.channelRead.id)
    .map(({ id, title, why }) => [id, withoutOptions.describe(`${title}. ${why}`)]),
);

/** Returns the schema of rule settings by ID: the given settings, and settings of custom rules. */
function settingsSchema(settings: Readonly<Record<string, typeof withoutOptions>>) {
  const schema = z.object(settings, { error: "must be an object" }).catchall(withoutOptions);
  return castSchema<RuleSettings>(schema);
}

/** Different settings of rules for some of the channels, or for a rule that checks all channels together. */
export interface Exception extends z.output<typeof exception> {}

const exception = strict({
  /**
   * ID or name of the channel. Without `channel` and `select`, the exception applies to every channel, including future channels, and to
   * findings on all channels together.
   */
  channel: z.union([z.number(), filledText], { error: "must be the ID or name of a channel" }).optional(),
  /** Selection of channels. */
  select: selection
    .refine((selected) => Object.keys(selected).length > 0, {
      error: "must contain `types`, `ids` or `names`. An exception without `select` applies to every channel",
    })
    .optional(),
  /**
   * Settings of rules, by ID. If a setting omits the severity or the options, the value for the other channels applies. `off` accepts the
   * findings of a rule: they are reported as waived and don't fail the audit. Instead of settings, `off` excludes the channels from the
   * audit.
   */
  rules: z.union([
    z.literal("off", { error: "must be off, or an object with settings of rules" }),
    settingsSchema(builtInSettings),
  ]),
  /** Reason for the exception, for reports. */
  reason: filledText,
  /**
   * Last day on which the exception is valid, in UTC, such as `2027-01-31`. After this day, the exception itself is reported as a finding.
   * Default: no end.
   */
  until: z.iso.date({ error: "must be a date, such as 2027-01-31" }).optional(),
})
  .refine(({ channel, select }) => channel === undefined || select === undefined, {
    error: "can't contain both channel and select",
  })
  .refine(({ channel, select, rules }) => rules !== "off" || channel !== undefined || select !== undefined, {
    error: "must contain channel or select, because rules: off would exclude every channel",
  });

const expectable = alertChannelOutputs.extend({
  id: z.union([z.string(), z.number()]),
  name: z.string().optional(),
});

/** A custom rule, which checks each channel. */
export interface CustomRule extends z.output<typeof customRule> {}

const customRule = strict({
  /** Unique ID of the rule, such as `opsgenie-region`. */
  id: string.regex(/^[a-z0-9]+([-/.][a-z0-9]+)*$/, {
    error: "must consist of lowercase letters, digits and hyphens, such as opsgenie-region",
  }),
  /** Statement that is true for a channel that passes. */
  title: filledText,
  /** The reason why the rule matters. Default: a sentence that it is a rule of this organization. */
  why: filledText.optional(),
  /** Instructions to fix a finding. Default: an instruction to change the value. */
  fix: filledText.optional(),
  /** Severity of findings. Default: `error`. */
  severity: oneOf(findingSeverities, suggestName).optional(),
  /** Channels that the rule applies to. Default: all channels. */
  select: castSchema<Selection>(selection).optional(),
  /** Expected values, as in the argument `expect` of the resource `AlertChannel`. They can also include `id` and `name`. */
  expect: expectationsSchema(expectable)
    .refine((expected) => Object.keys(expected).length > 0, { error: "must not be empty" })
    .meta({
      propertyNames: { enum: [...listFieldNames(expectable), "oneOf", "not"] },
    }),
});

/** The content of a rule file. */
export interface Rules extends z.output<typeof rulesSchema> {}

/** Schema of a rule file. Rule IDs are validated separately. */
export const rulesSchema = strict({
  /** URL or path of the file's schema, for editors. Ignored by the audit. */
  $schema: filledText.optional(),
  /** Preset of rules to enable. Default: no preset. */
  extends: oneOf(["recommended", "strict"], suggestName).optional(),
  /** Settings of rules, by ID. */
  rules: settingsSchema({ ...builtInSettings, ...metaSettings }).optional(),
  /** Exceptions for some of the channels. If several apply to a channel and set a rule, the last one takes effect. */
  exceptions: many<Exception>(exception).optional(),
  /** IDs of channels, by name. */
  channels: z
    .record(z.string(), channelId, {
      error: "must be an object that maps names to IDs, such as on-call: 200123",
    })
    .optional(),
  /** Whether to audit all channels of the account, if the service lists channels. `channels` then only names them. Default: false. */
  allChannels: boolean.optional(),
  /** Custom rules. They are on unless `rules` turns them off. */
  customRules: many<CustomRule>(customRule).optional(),
});

export function createCustomRule({ id, title, expect, ...rule }: CustomRule): Rule {
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
    needs: needs.filter((need) => listExpectationsAt(expect, [need]).some(isOnValue)),
    check: (channel) => evaluate(expect, channel),
  });
}

function evaluate(expected: CustomRule["expect"], channel: AuditedChannel): Outcome[] {
  const { credentials, origin: _, ...fields } = channel;
  const outputs = { ...fields, config: { ...fields.config, ...credentials } };
  const unknown = [...findUnknown(channel, (...path) => listExpectationsAt(expected, path))];
  const problems = findViolations(expected, outputs)
    .filter(({ field }) => !unknown.some((one) => isOverlapping(field, one.field)))
    // A finding that contains the whole channel would be too long.
    .map((one) => (one.field === "" ? { ...one, field: "channel", actual: "different" } : one));
  return [...unknown, ...problems];
}

/** Returns true if one field is the other field or a part of it. An empty field is the whole channel. */
export function isOverlapping(one: string, other: string): boolean {
  return one === "" || other === "" || `${other}.`.startsWith(`${one}.`) || `${one}.`.startsWith(`${other}.`);
}

/** Fields that may be missing: a channel without a name or that was never changed, a service without projects. */
const mayBeAbsent = new Set<string>([
  "name",
  "projectBindings",
  "createdAt",
  "updatedAt",
] satisfies (keyof AuditedChannel)[]);

/** Fields that every channel contains, even if the service doesn't always return them. */
const returned = listFieldNames(expectable).filter((name) => !mayBeAbsent.has(name));

/**
 * Yields the fields that the verdict depends on and whose value is unknown. Without them, a condition such as `not` would let the unknown
 * value pass.
 *
 * @param expectedAt Returns the expectations at a path from all branches of conditions.
 */
function* findUnknown(
  channel: AuditedChannel,
  expectedAt: (...path: string[]) => unknown[],
): Generator<NotEvaluable> {
  const dependsOn = (...path: string[]) => expectedAt(...path).some(isOnValue);
  const fields = new Map<string, unknown>(Object.entries(channel));
  for (const field of returned)
    if ((fields.get(field) ?? undefined) === undefined && dependsOn(field)) yield createNotReturned(field);
  for (const [field, reason] of Object.entries(channel.unknown ?? {})) {
    const [, key = field] = field.split(".");
    const hasLiteral = channel.credentials[key]?.secretPart === "literal";
    const isSet = Object.hasOwn({ ...channel.config, ...channel.credentials }, key);
    const isOpen = expectedAt(...field.split(".")).some((one) => !isSet || isOnValue(one));
    if (isOpen && !hasLiteral) yield { field, reason };
  }
  for (const [key, credential] of Object.entries(channel.credentials)) {
    const reason = getUnknownReason(credential, (fact) => dependsOn("config", key, fact));
    if (reason !== undefined && dependsOn("config", key)) yield { field: `config.${key}`, reason };
  }
  for (const [key, value] of Object.entries(channel.config)) {
    const isReference = typeof value === "string" && value.includes("{{");
    if (isReference && expectedAt("config", key).some(isOnResolved))
      yield { field: `config.${key}`, reason: formatReferenceReason("value") };
  }
}

function getUnknownReason(credential: Credential, dependsOn: (fact: string) => boolean): string | undefined {
  if (credential.fingerprint === undefined)
    return credential.secretPart === "hidden" ? hiddenByService : plaintextDiscarded;
  const ofTarget = ["scheme", "hostClass", "receiver"] as const;
  const isOpen = ofTarget.some((fact) => credential[fact] === undefined && dependsOn(fact));
  return isOpen ? getUnknownHostReason(credential) : undefined;
}

/** Returns true if the expectation depends on the value and not only on its presence. */
function isOnValue(expected: unknown): boolean {
  return expected !== null && !isDeepStrictEqual(expected, { not: null });
}

/** Returns true if the expectation depends on the value behind a reference and not on the reference itself. */
function isOnResolved(expected: unknown): boolean {
  return isOnValue(expected) && !JSON.stringify(expected).replaceAll("\\", "").includes("{{");
}
