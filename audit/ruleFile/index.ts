/** Parses and validates rule files. */
import { isObject } from "../../provider/values/isObject";
import { builtInRules, metaRules } from "../rules";
import { presets } from "./presets";
import { type Options, optionsOf, type Rule, type RuleText } from "../definition/rule";
import type { Severity } from "../definition/severity";
import { metaRulePage, rulePage } from "../definition/rulePage";
import { type ActiveRule, RuleSet } from "./ruleSet";
import { type Location } from "../definition/location";
import type { Selection } from "../definition/selection";
import { readCustomRules } from "./customRules";
import { type Locate, mistakesIn, type Path, type Placed, RulesError } from "./mistakes";
import { needsOptions, type Rules, rulesSchemaWith, type RuleSetting } from "./rules";
import { parseYaml } from "./yamlSource";

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
  const error = (...mistakes: Placed[]) => RulesError.of(mistakes, file, locate);
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
      rule: { ...rule, docs: metaRulePage() },
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
    return variantsOf(candidate, base, layersById.get(id) ?? []);
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
function walk(root: unknown): { readonly cycles: readonly Placed[]; readonly prototypes: readonly Placed[] } {
  const cycles: Placed[] = [];
  const prototypes: Placed[] = [];
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

function presetSeverity({ id, severity }: Rule, preset: Rules["extends"]): Severity | undefined {
  if (preset === undefined || !presets[preset].rules.includes(id)) return undefined;
  return presets[preset].severity ?? severity;
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
function variantsOf(candidate: Candidate, base: Layer, ofOverrides: readonly OverrideLayer[]): ActiveRule[] {
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
