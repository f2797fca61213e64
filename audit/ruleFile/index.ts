/** Converts a rule file or an object to the rules that an audit runs. */
import { isAbsolute, relative } from "node:path";
import { types } from "node:util";
import { isObject } from "../../provider/api";
import { FileError, readText } from "../../provider/files";
import { getValueAt, type Path, type ProblemAt } from "../../provider/problems";
import { type AuditedChannel } from "../channel";
import {
  type Check,
  type Location,
  type Options,
  type PresetName,
  type Rule,
  type RuleText,
  type Severity,
} from "../rule";
import { builtInRules, metaRules, getSeverity } from "../rules";
import {
  createCustomRule,
  type Rules,
  type RuleSetting,
  rulesSchema,
  type Exception,
  type Selection,
  findWrongIds,
} from "./schema";
import { type Locate, toMistakes, parseYaml, RulesError } from "./yaml";

/**
 * Loads a rule file in YAML or JSON.
 *
 * @throws RulesError with all errors in the rules
 * @throws FileError if the file can't be read, or if it's a JavaScript or TypeScript file
 */
export function loadRules(file: string): RuleSet {
  if (/\.[cm]?[jt]s$/.test(file)) {
    throw new FileError(
      `${file} can't be loaded, because a rule file must be YAML or JSON. Declare custom rules under customRules. In a program, you can pass the rules as an object instead`,
    );
  }
  return parseRules(readText(file), toRelativePath(file));
}

/** Returns the path relative to the working directory if the file is inside it, because pull requests show such paths. */
function toRelativePath(file: string): string {
  const path = relative("", file);
  return path.startsWith("..") || isAbsolute(path) ? file : path;
}

/**
 * Parses a rule file in YAML or JSON.
 *
 * @param file Name of the file, for messages and reports.
 * @throws RulesError with all errors, each with its line and column
 */
export function parseRules(text: string, file: string): RuleSet {
  const { value, locate } = parseYaml(text, file);
  return createRuleSet(value, file, locate);
}

/**
 * Validates rules that a program passes as an object.
 *
 * @param rules {@link Rules} that weren't validated yet.
 * @param file Origin of the rules, for messages and reports.
 * @throws RulesError with all errors
 */
export function readRules(rules: unknown, file?: string): RuleSet {
  return createRuleSet(rules, file);
}

function createRuleSet(value: unknown, file?: string, locate?: Locate): RuleSet {
  const content = validateRules(value, file, locate);
  const { extends: preset, rules: settings = {}, channels = {}, allChannels = false } = content;
  const { customRules = [] } = content;
  const findLocation: LocationFinder = (path, atKey = false) =>
    file === undefined || locate === undefined ? undefined : { file, ...locate(path, atKey) };
  const settingById = new Map(Object.entries(settings));
  const exceptions = (content.exceptions ?? []).map((exception, index) => ({
    ...exception,
    field: `exceptions[${index}]`,
    location: findLocation(["exceptions", index]),
  }));
  const rules = listCandidates(content).flatMap((candidate) => {
    const { id } = candidate.rule;
    const setting = settingById.get(id);
    const base = activate(
      candidate,
      [setting],
      setting ? findLocation(["rules", id], true) : candidate.path && findLocation(candidate.path),
    );
    const variants = exceptions.map((exception, index) => {
      const own = getSetting(exception, id);
      if (own === undefined || isOff(own)) return undefined;
      // An exception inherits the parts of the setting that it omits.
      const rule = activate(
        candidate,
        [setting, own],
        findLocation(["exceptions", index, "rules", id], true),
      );
      return rule && { ...rule, exception };
    });
    return [base, ...variants].filter((rule) => rule !== undefined);
  });
  if (!rules.some(({ check }) => check)) {
    const reason = "enable no rule. Set extends, rules or customRules";
    throw RulesError.of([{ path: [], reason }], file, locate);
  }
  return new RuleSet({
    file,
    preset,
    rules,
    channels: new Map(Object.entries(channels)),
    allChannels,
    selections: customRules.flatMap(({ select }, index): ActiveSelection | [] => {
      const location = findLocation(["customRules", index, "select"]);
      return select ? { select, field: `customRules[${index}].select`, location } : [];
    }),
    exceptions,
    findNameLocation: (name) =>
      Object.hasOwn(channels, name) ? findLocation(["channels", name], true) : undefined,
  });
}

/** @throws RulesError with all errors */
function validateRules(value: unknown, file?: string, locate?: Locate): Rules {
  const { endless, unseen } = findUnfitParts(value);
  // A schema would never finish reading a value that contains itself.
  if (endless.length > 0) throw RulesError.of(endless, file, locate);
  const result = rulesSchema.safeParse(value);
  const wrongIds = findWrongIds(value);
  const ofSchema = toMistakes(result.error?.issues ?? []).map((mistake) => markMissing(mistake, value));
  const mistakes = [...omitUnknownRules(wrongIds, ofSchema), ...wrongIds, ...unseen];
  if (!result.success || mistakes.length > 0) throw RulesError.of(mistakes, file, locate);
  return result.data;
}

/** Returns all rules in the order of reports, before `rules` and `exceptions` are applied. */
function listCandidates({ extends: preset, customRules = [] }: Rules): Candidate[] {
  return [
    ...builtInRules.map((rule) => ({
      rule,
      severity: preset && getSeverity(preset, rule),
      options: preset === "recommended" ? rule.recommended : undefined,
    })),
    ...customRules.map((declared, index) => {
      const rule = createCustomRule(declared);
      return { rule, severity: rule.severity, select: declared.select, path: ["customRules", index] };
    }),
    ...metaRules.map((rule) => ({ rule, severity: rule.severity, path: [] })),
  ];
}

/** Adds to the reason that the value is missing, if it is. */
function markMissing(mistake: ProblemAt, root: unknown): ProblemAt {
  const { path, reason, atKey } = mistake;
  const isMissing = path.length > 0 && !atKey && getValueAt(path, root) === undefined;
  return isMissing && reason.startsWith("must ") ? { path, reason: `is missing and ${reason}` } : mistake;
}

/** Removes errors in the settings of unknown rules. */
function omitUnknownRules(
  wrongIds: readonly ProblemAt[],
  mistakes: readonly ProblemAt[],
): readonly ProblemAt[] {
  const unknown = new Set(wrongIds.flatMap(({ path, atKey }) => (atKey ? path.join("\0") : [])));
  return mistakes.filter(
    ({ path }) => !path.some((_, end) => unknown.has(path.slice(0, end + 1).join("\0"))),
  );
}

type LocationFinder = (path: Path, atKey?: boolean) => Location | undefined;

const deepest = 100;

/**
 * Finds parts that contain themselves or are nested too deeply, and parts whose content the schemas don't check, so that errors in it would
 * pass: `__proto__` keys, maps and sets.
 */
function findUnfitParts(root: unknown): {
  readonly endless: readonly ProblemAt[];
  readonly unseen: readonly ProblemAt[];
} {
  const endless: ProblemAt[] = [];
  const unseen: ProblemAt[] = [];
  const seen = new Set<unknown>();
  const visit = (value: unknown, path: Path, outer: ReadonlySet<unknown>): void => {
    const isPlain =
      Array.isArray(value) || (isObject(value) && Object.getPrototypeOf(value) === Object.prototype);
    if (outer.has(value)) endless.push({ path, reason: "must not contain itself" });
    if (path.length > deepest) {
      endless.push({ path: path.slice(0, 1), reason: `must not be nested more than ${deepest} levels deep` });
      return;
    }
    if (types.isMap(value) || types.isSet(value))
      unseen.push({ path, reason: "can't be a Map or a Set (!!omap or !!set in YAML)" });
    if (!isPlain || seen.has(value)) return;
    seen.add(value);
    const inside = new Set([...outer, value]);
    for (const [key, inner] of Object.entries(value)) {
      const at = [...path, Array.isArray(value) ? Number(key) : key];
      if (key === "__proto__") unseen.push({ path: at, reason: "can't be used as a name", atKey: true });
      else visit(inner, at, inside);
    }
  };
  visit(root, [], new Set());
  return { endless, unseen };
}

interface Candidate {
  rule: RuleText & Pick<Rule, "severity"> & Partial<Pick<Rule, "configure">>;
  /** Severity before `rules` applies; undefined if the rule is off. */
  severity: Severity | undefined;
  /** Options before `rules` applies. Default: the rule's options. */
  options?: Options | undefined;
  select?: Selection | undefined;
  /** Path of the part that declares the rule. Missing for a rule of a preset, because `extends` enables many rules. */
  path?: Path;
}

/** Returns the exception's setting of a rule; undefined if the exception doesn't set the rule. */
export function getSetting({ rules }: Pick<Exception, "rules">, id: string): RuleSetting | undefined {
  if (rules === "off") return rules;
  return Object.hasOwn(rules, id) ? rules[id] : undefined;
}

export function isOff(setting: RuleSetting | undefined): boolean {
  return setting === "off" || (typeof setting === "object" && setting.severity === "off");
}

/** Returns the rule with these settings. Later settings take precedence. Undefined if the rule is off. */
function activate(
  { rule, ...candidate }: Candidate,
  given: readonly (RuleSetting | undefined)[],
  location: Location | undefined,
): ActiveRule | undefined {
  const { id, title, why, fix, asCode, offWhen, docs } = rule;
  const settings = given.map((setting = {}): Exclude<RuleSetting, string> =>
    typeof setting === "string" ? { severity: setting } : setting,
  );
  const isSet = given.some((setting) => setting !== undefined);
  const own = candidate.severity ?? (isSet ? rule.severity : undefined);
  const severity = settings.findLast((each) => each.severity)?.severity ?? own;
  if (severity === undefined || severity === "off") return undefined;
  const options = settings.findLast((each) => each.options)?.options ?? candidate.options ?? {};
  return {
    id,
    title,
    why,
    fix,
    asCode,
    offWhen,
    docs,
    severity,
    location,
    check: rule.configure?.(options),
    select: candidate.select,
  };
}

/** An enabled rule. */
export interface ActiveRule extends RuleText {
  readonly severity: Severity;
  /** Position in the rule file that declares the rule or sets it; missing if only a preset enables it, or if the rules are an object. */
  readonly location?: Location;
  /** Missing for the rules on the audit itself. */
  readonly check?: Check;
  /** Channels that a custom rule applies to. Default: all channels. */
  readonly select?: Selection;
  /** The exception that contains this setting of the rule. Missing for the setting that applies without an exception. */
  readonly exception?: ActiveException;
}

/** An exception with its place in the rules. */
export interface ActiveException extends Exception {
  /** Path in the rules, such as `exceptions[0]`. */
  readonly field: string;
  readonly location?: Location;
}

/** The selection of channels of a custom rule. */
interface ActiveSelection extends Pick<ActiveException, "field" | "location"> {
  readonly select: Selection;
}

interface RuleSetContent extends Omit<RuleSet, "withNames" | "rule" | "nameOf" | "namesOf" | "locationOf"> {
  /** Returns the position in the rule file that gives a channel this name. */
  readonly findNameLocation: (name: string) => Location | undefined;
}

/** The validated content of a rule file, created by `parseRules` and `readRules`. */
export class RuleSet {
  readonly file?: string;
  /** Preset that the rules extend. */
  readonly preset?: PresetName;
  /** All rules, in the order of reports. */
  readonly rules: readonly ActiveRule[];
  /** Channel IDs by name. Names are in Unicode normalization form NFC, so that equivalent names are equal. */
  readonly channels: ReadonlyMap<string, string | number>;
  /** True if all channels of the account are to be audited. */
  readonly allChannels: boolean;
  /** Selections of custom rules. */
  readonly selections: readonly ActiveSelection[];
  readonly exceptions: readonly ActiveException[];
  /** Names by ID, because a channel may have several names. */
  readonly #names = new Map<string, string[]>();

  readonly #content: RuleSetContent;

  constructor(content: RuleSetContent) {
    this.#content = content;
    this.file = content.file;
    this.preset = content.preset;
    this.rules = content.rules;
    this.channels = new Map([...content.channels].map(([name, id]) => [name.normalize(), id]));
    this.allChannels = content.allChannels;
    this.selections = content.selections;
    this.exceptions = content.exceptions;
    for (const [name, id] of this.channels) {
      const names = this.#names.get(String(id)) ?? [];
      this.#names.set(String(id), names);
      names.push(name);
    }
  }

  /** Adds names from the configuration. A name in the rules takes precedence. */
  withNames(configured: Readonly<Record<string, string | number>>): RuleSet {
    const channels = new Map([...Object.entries(configured), ...this.channels]);
    return new RuleSet({ ...this.#content, channels });
  }

  rule({ id }: RuleText): ActiveRule | undefined {
    return this.rules.find((rule) => rule.id === id);
  }

  nameOf(id: string | number): string | undefined {
    return this.#names.get(String(id))?.at(-1);
  }

  /** Returns the position in the rule file that names the channel. */
  locationOf(id: string | number): Location | undefined {
    const name = this.nameOf(id);
    return name === undefined ? undefined : this.#content.findNameLocation(name);
  }

  /** Returns the channel's names in the rules, and its name or title as in reports. */
  namesOf({ id, name, title }: Pick<AuditedChannel, "id" | "name" | "title">): readonly string[] {
    const shown = name ?? title;
    return [...(this.#names.get(String(id)) ?? []), ...(shown === undefined ? [] : [shown.normalize()])];
  }
}
