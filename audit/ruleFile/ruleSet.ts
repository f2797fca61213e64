/** Validated rules. */
import type { AuditedChannel } from "../channels/channel";
import type { Location } from "../definition/location";
import type { PresetName } from "../definition/presetName";
import type { Check, RuleText } from "../definition/rule";
import type { Severity } from "../definition/severity";
import type { Waiver } from "./ruleFileSchema";
import type { Selection } from "../definition/selection";

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
