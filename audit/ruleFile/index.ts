/** Parses and validates rule files. */
import {
  type Check,
  findingSeverities,
  type Location,
  type Options,
  optionsOf,
  type PresetName,
  type Rule,
  rulePage,
  type RuleText,
  type Severity,
} from "../rule";
import { builtInRules, idsOf, metaRules } from "../rules";
import { type AuditedChannel } from "../channel";
import {
  customRule,
  fromDeclaration,
  isRule,
  needsOptions,
  type Rules,
  type RuleSetting,
  rulesSchemaWith,
  type Waiver,
} from "./schema";
import { oneOf, type Path, type ProblemAt, text } from "../../provider/problems";
import { ruleId, type Selection, selector, strict, suggestion } from "../schemas";
import { type Locate, mistakesIn, parseYaml, RulesError } from "./yaml";
import { z } from "zod";
import { isObject } from "../../provider/api";

// The presets for `extends`: rules that need no options.

interface Preset {
  /** Ids of the rules. */
  readonly rules: readonly string[];
  /** Options by rule. Default: each rule's own. */
  readonly options?: Readonly<Record<string, Options>>;
  /** Default: each rule's own. */
  readonly severity?: Severity;
}

export const presets: Readonly<Record<PresetName, Preset>> = {
  recommended: { rules: idsOf("recommended"), options: { "ssl-expiry-threshold": { atLeast: 7 } } },
  // With the limits that are the defaults of the rules.
  strict: { rules: [...idsOf("recommended"), ...idsOf("strict")], severity: "error" },
};

// Validated rules.

/** A rule that is enabled. */
export interface ActiveRule extends RuleText {
  readonly severity: Severity;
  /** Where it is enabled; missing when the rules are an object. */
  readonly location?: Location;
  /** Missing for the rules on the audit itself. */
  readonly check?: Check;
  /** The channels that it applies to match all of these; empty for every channel. */
  readonly select: readonly Selection[];
  /** The channels of the overrides that have a setting for it, in order, one list for all of its settings. */
  readonly overrides: readonly Selection[];
  /** The first of these overrides that comes later: the rule doesn't apply to channels that match it or one after it. */
  readonly firstLater: number;
}

export interface LocatedWaiver extends Waiver {
  readonly location?: Location;
}

interface RuleSetParts {
  readonly file?: string;
  readonly preset?: PresetName;
  readonly rules: readonly ActiveRule[];
  readonly channels: ReadonlyMap<string, string | number>;
  readonly waivers: readonly LocatedWaiver[];
}

/** The validated content of a rule file, created by `parseRules` and `readRules`. */
export class RuleSet implements RuleSetParts {
  readonly file?: string;
  /** Preset that it extends. */
  readonly preset?: PresetName;
  /** In the order of reports. */
  readonly rules: readonly ActiveRule[];
  /** Ids of channels by name. */
  readonly channels: ReadonlyMap<string, string | number>;
  readonly waivers: readonly LocatedWaiver[];
  /** A channel may have several. */
  readonly #names = new Map<string, string[]>();

  constructor({ file, preset, rules, channels, waivers }: RuleSetParts) {
    if (file !== undefined) this.file = file;
    if (preset !== undefined) this.preset = preset;
    this.rules = rules;
    this.channels = channels;
    this.waivers = waivers;
    for (const [name, id] of channels) {
      const names = this.#names.get(String(id));
      if (names) names.push(name);
      else this.#names.set(String(id), [name]);
    }
  }

  /** With names from the configuration. A name in the rules takes precedence. */
  withNames(configured: Readonly<Record<string, string | number>>): RuleSet {
    const { file, preset, rules, waivers } = this;
    const channels = new Map([...Object.entries(configured), ...this.channels]);
    return new RuleSet({ file, preset, rules, channels, waivers });
  }

  /** The rule, or undefined when it is off. */
  rule({ id }: RuleText): ActiveRule | undefined {
    return this.rules.find((rule) => rule.id === id);
  }

  /** The channel's name in reports. */
  nameOf(id: string | number): string | undefined {
    return this.#names.get(String(id))?.at(-1);
  }

  /** All names of the channel. Its own one counts only when it has none here. */
  namesOf({ id, name }: Pick<AuditedChannel, "id" | "name">): readonly string[] {
    return this.#names.get(String(id)) ?? (name === undefined ? [] : [name]);
  }
}

// The channels that each rule applies to.

type Selects = (channel: AuditedChannel) => boolean;

/** Each selection is compiled once, and a rule's overrides are compared with a channel once for all of its settings. */
export class Scopes {
  readonly #ruleSet: Pick<RuleSet, "namesOf">;
  readonly #selectors = new Map<Selection, Selects>();
  /** The index of the last override that selects a channel, or -1. */
  readonly #last = new Map<readonly Selection[], Map<AuditedChannel, number>>();

  constructor(ruleSet: Pick<RuleSet, "namesOf">) {
    this.#ruleSet = ruleSet;
  }

  /** Whether the rule applies to a channel; undefined when it applies to all. */
  of({ select, overrides, firstLater }: ActiveRule): Selects | undefined {
    if (select.length + overrides.length === 0) return undefined;
    return (channel) =>
      select.every((selection) => this.#selects(selection, channel)) &&
      this.#lastOf(overrides, channel) < firstLater;
  }

  #lastOf(overrides: readonly Selection[], channel: AuditedChannel): number {
    if (overrides.length === 0) return -1;
    const ofChannels = this.#last.get(overrides) ?? new Map<AuditedChannel, number>();
    this.#last.set(overrides, ofChannels);
    const last =
      ofChannels.get(channel) ?? overrides.findLastIndex((selection) => this.#selects(selection, channel));
    ofChannels.set(channel, last);
    return last;
  }

  #selects(selection: Selection, channel: AuditedChannel): boolean {
    const known = this.#selectors.get(selection);
    const selects = known ?? selector(selection, (each) => this.#ruleSet.namesOf(each));
    if (!known) this.#selectors.set(selection, selects);
    return selects(channel);
  }
}

// A rule as it runs: with the settings of `rules`, and apart from that with those of each override.

/** A rule that may be enabled. */
interface Candidate {
  rule: RuleText & Pick<Rule, "severity"> & Partial<Pick<Rule, "configure">>;
  /** Severity before `rules` applies; undefined when it is off. */
  severity: Severity | undefined;
  /** Options before `rules` applies. Default: those of the rule. */
  options?: Options | undefined;
  select?: Selection;
  /** Where it is enabled. */
  path: Path;
}

/** A setting of a rule: for all channels, or for those of an override. */
interface Layer {
  setting: RuleSetting | undefined;
  channels?: Selection;
  location: Location | undefined;
}

interface OverrideLayer extends Layer {
  channels: Selection;
}

/** The rule as it applies to all channels, and as each override changes it: a channel has the last one that selects it. */
function activeRules(candidate: Candidate, base: Layer, ofOverrides: readonly OverrideLayer[]): ActiveRule[] {
  const overrides = ofOverrides.map(({ channels }) => channels);
  return [
    ...activate(candidate, [base], { overrides, firstLater: 0 }),
    // What an override leaves out is as for the other channels.
    ...ofOverrides.flatMap((layer, index) =>
      activate(candidate, [base, layer], { overrides, firstLater: index + 1 }),
    ),
  ];
}

function activate(
  { rule, ...candidate }: Candidate,
  layers: readonly Layer[],
  later: Pick<ActiveRule, "overrides" | "firstLater">,
): ActiveRule[] {
  const { id, title, why, fix, asCode, offWhen, docs } = rule;
  const parts = layers.map(({ setting }) => (typeof setting === "object" ? setting : { severity: setting }));
  // The channels of an override are its own.
  const own = layers.at(-1)?.channels ? parts.slice(-1) : parts;
  const set = {
    severity: lastOf(parts.map(({ severity }) => severity)),
    options: lastOf(parts.map((part) => ("options" in part ? part.options : undefined))),
    select: lastOf(own.map((part) => ("select" in part ? part.select : undefined))),
  };
  const { channels, location } = layers.at(-1) ?? {};
  const isSet = layers.some(({ setting }) => setting !== undefined);
  const severity = set.severity ?? candidate.severity ?? (isSet ? rule.severity : undefined);
  if (severity === undefined || severity === "off") return [];
  const select = [channels, set.select ?? candidate.select].flatMap((one) => one ?? []);
  const check = rule.configure?.(set.options ?? candidate.options ?? {});
  return [{ id, title, why, fix, asCode, offWhen, docs, severity, check, select, ...later, location }];
}

function lastOf<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  return values.findLast((value) => value !== undefined);
}

// Reads the custom rules of a rule file or a program.

interface Found {
  rule: Rule;
  select?: Selection;
  path: Path;
}

interface Reading {
  rules: Found[];
  /** Options by rule id, invalid rules included, so that a mistake in one isn't reported twice. */
  options: Map<string, z.ZodType<Options>>;
  mistakes: ProblemAt[];
}

const otherIds: ReadonlySet<unknown> = new Set([...builtInRules, ...metaRules].map(({ id }) => id));

/** A policy pack has a policy for each rule id, and these policies of its own. */
const reservedIds: readonly string[] = ["all", "not-evaluable"];

/** @param value The value of `customRules`. */
function readCustomRules(value: unknown): Reading {
  const reading: Reading = { rules: [], options: new Map(), mistakes: [] };
  for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
    const path = ["customRules", index];
    const found = isRule(item) ? programmed(item, path) : declared(item, path);
    if (Array.isArray(found)) reading.mistakes.push(...found);
    else reading.rules.push(found);

    const id: unknown = isObject(item) ? item.id : undefined;
    if (typeof id !== "string") continue;
    if (reservedIds.includes(id)) {
      reading.mistakes.push({ path: [...path, "id"], reason: "is reserved for policy packs" });
    } else if (otherIds.has(id) || reading.options.has(id)) {
      reading.mistakes.push({ path: [...path, "id"], reason: "is the id of another rule" });
    }
    reading.options.set(id, Array.isArray(found) ? strict({}) : optionsOf(found.rule));
  }
  return reading;
}

/** The result of `defineRule` may come from JavaScript, which no compiler checks. */
const programmedRule = z.object({
  id: ruleId,
  title: text,
  why: text,
  fix: text,
  severity: oneOf(findingSeverities, suggestion),
  options: z.custom((options) => options instanceof z.ZodType, {
    error: "must be a zod schema",
  }),
});

function programmed(rule: Rule, path: Path): Found | ProblemAt[] {
  const { error } = programmedRule.safeParse(rule);
  return error ? mistakesIn(error.issues, path) : { rule, path };
}

function declared(item: unknown, path: Path): Found | ProblemAt[] {
  const { data, error } = customRule.safeParse(item);
  if (error) return mistakesIn(error.issues, path);
  return { rule: fromDeclaration(data), path, ...(data.select && { select: data.select }) };
}

/**
 * Parses a rule file: YAML or JSON.
 *
 * @param file Its name, for messages and reports.
 * @throws RulesError with every mistake, each with its line and column
 */
export function parseRules(text: string, file: string): RuleSet {
  const { value, locate } = parseYaml(text, file);
  return ruleSetOf(value, file, locate);
}

/**
 * Validates rules that are an object.
 *
 * @param rules {@link Rules}, not validated.
 * @param file Their origin, for messages and reports.
 * @throws RulesError with every mistake
 */
export function readRules(rules: unknown, file?: string): RuleSet {
  return ruleSetOf(rules, file);
}

function ruleSetOf(value: unknown, file?: string, locate?: Locate): RuleSet {
  const { cycles, prototypes } = walk(value);
  // Whatever reads the value would go round for ever.
  if (cycles.length > 0) throw RulesError.of(cycles, file, locate);
  const custom = readCustomRules(isObject(value) ? value.customRules : undefined);
  const result = rulesSchemaWith(custom.options).safeParse(value);
  const mistakes = [...mistakesIn(result.error?.issues ?? []), ...custom.mistakes, ...prototypes];
  if (!result.success || mistakes.length > 0) throw RulesError.of(mistakes, file, locate);

  const { extends: preset, rules: ofRules = {}, overrides = [], channels = {}, waivers = [] } = result.data;
  const settings = new Map(Object.entries(ofRules));
  const error = (...mistakes: ProblemAt[]) => RulesError.of(mistakes, file, locate);
  const withoutOptions = custom.rules.filter(
    ({ rule }) => needsOptions(optionsOf(rule)) && !settings.has(rule.id),
  );
  if (withoutOptions.length > 0) {
    throw error(
      ...withoutOptions.map(({ rule, path }) => ({
        path,
        reason: `needs options: set them under rules.${rule.id}`,
      })),
    );
  }
  const locationOf = (path: Path, atKey = false): Location | undefined =>
    file === undefined || locate === undefined ? undefined : { file, ...locate(path, atKey) };
  const candidates: Candidate[] = [
    ...builtInRules.map((rule) => ({
      rule: { ...rule, docs: rulePage(rule.id) },
      severity: presetSeverity(rule, preset),
      options: preset && presets[preset].options?.[rule.id],
      path: ["extends"],
    })),
    ...custom.rules.map(({ rule, ...rest }) => ({ rule, severity: rule.severity, ...rest })),
    ...metaRules.map((rule) => ({
      rule: { ...rule, docs: rulePage(rule.id) },
      severity: rule.severity,
      path: [],
    })),
  ];
  const layersById = new Map<string, OverrideLayer[]>();
  for (const [index, { select, rules }] of overrides.entries()) {
    for (const [id, setting] of Object.entries(rules)) {
      if (setting === undefined) continue;
      const layers = layersById.get(id) ?? [];
      layers.push({
        setting,
        channels: select,
        location: locationOf(["overrides", index, "rules", id], true),
      });
      layersById.set(id, layers);
    }
  }
  const rules = candidates.flatMap((candidate) => {
    const { id } = candidate.rule;
    const setting = settings.get(id);
    const base: Layer = {
      setting,
      location: setting ? locationOf(["rules", id], true) : locationOf(candidate.path),
    };
    return activeRules(candidate, base, layersById.get(id) ?? []);
  });
  if (!rules.some(({ check }) => check)) {
    throw error({ path: [], reason: "enable no rule: set extends, rules or customRules" });
  }
  return new RuleSet({
    file,
    preset,
    rules,
    channels: new Map(Object.entries(channels)),
    waivers: waivers.map((waiver, index) => ({
      ...waiver,
      location: locationOf(["waivers", index]),
    })),
  });
}

/** The parts that contain themselves, and the keys `__proto__`: the schemas skip these, so that what they hold would pass unnoticed. */
function walk(root: unknown): { readonly cycles: readonly ProblemAt[]; readonly prototypes: readonly ProblemAt[] } {
  const cycles: ProblemAt[] = [];
  const prototypes: ProblemAt[] = [];
  const seen = new Set<unknown>();
  const visit = (value: unknown, path: Path, outer: ReadonlySet<unknown>): void => {
    const isPlain =
      Array.isArray(value) || (isObject(value) && Object.getPrototypeOf(value) === Object.prototype);
    if (outer.has(value)) cycles.push({ path, reason: "must not contain itself" });
    if (!isPlain || seen.has(value)) return;
    seen.add(value);
    const inside = new Set([...outer, value]);
    for (const [key, inner] of Object.entries(value)) {
      const at = [...path, Array.isArray(value) ? Number(key) : key];
      if (key === "__proto__") prototypes.push({ path: at, reason: "can't be used as a name", atKey: true });
      else visit(inner, at, inside);
    }
  };
  visit(root, [], new Set());
  return { cycles, prototypes };
}

function presetSeverity({ id, severity }: Rule, preset: Rules["extends"]): Severity | undefined {
  if (preset === undefined || !presets[preset].rules.includes(id)) return undefined;
  return presets[preset].severity ?? severity;
}
