/** Parses and validates rule files. */
import { isObject } from "../../provider/values/isObject";
import { builtInRules, metaRules } from "../rules";
import { presets } from "./presets";
import { optionsOf, type Rule } from "../definition/rule";
import type { Severity } from "../definition/severity";
import { metaRulePage, rulePage } from "../definition/rulePage";
import { activeRules, type Candidate, type Layer, type OverrideLayer } from "./overrides";
import { RuleSet } from "./ruleSet";
import { type Location } from "../definition/location";
import { readCustomRules } from "./customRules";
import { type Locate, mistakesIn, type Path, type Placed, RulesError } from "./mistakes";
import { needsOptions, type Rules, rulesSchemaWith } from "./ruleFileSchema";
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

function presetSeverity({ id, severity }: Rule, preset: Rules["extends"]): Severity | undefined {
  if (preset === undefined || !presets[preset].rules.includes(id)) return undefined;
  return presets[preset].severity ?? severity;
}
