/** Rules that are ready to run. */
import type { AuditedChannel } from "./channel";
import type { Check, RuleText, Severity } from "./rule";
import type { Waiver } from "./ruleFile/rules";

/** A place in a rule file. */
export interface Location {
  /** The file's name as it was given. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** A rule that is on. */
export interface ActiveRule extends RuleText {
  readonly severity: Severity;
  /** What turned it on; missing when no file did. */
  readonly location?: Location;
  /** Missing for the rules on the audit itself. */
  readonly check?: Check;
  /** Missing when it is for every channel. */
  readonly isFor?: (channel: AuditedChannel) => boolean;
}

export interface LocatedWaiver extends Waiver {
  /** Id of the channel that the rules give the waiver's name to, beside which it may have others. */
  readonly named?: string | number;
  readonly location?: Location;
}

interface Parts {
  readonly file?: string;
  readonly rules: readonly ActiveRule[];
  readonly channels: ReadonlyMap<string, string | number>;
  readonly waivers: readonly LocatedWaiver[];
}

/** What a rule file says, checked. Made by `parseRules` and `readRules`. */
export class RuleSet implements Parts {
  readonly file?: string;
  /** In the order of reports. */
  readonly rules: readonly ActiveRule[];
  /** Ids of channels by the name that the rules give them. */
  readonly channels: ReadonlyMap<string, string | number>;
  readonly waivers: readonly LocatedWaiver[];
  readonly #names: ReadonlyMap<string, string>;

  constructor({ file, rules, channels, waivers }: Parts) {
    if (file !== undefined) this.file = file;
    this.rules = rules;
    this.channels = channels;
    this.waivers = waivers;
    this.#names = new Map([...channels].map(([name, id]) => [String(id), name]));
  }

  /** The rule as it is on, or undefined when it is off. */
  rule({ id }: RuleText): ActiveRule | undefined {
    return this.rules.find((rule) => rule.id === id);
  }

  /** The name that the rules give to a channel. */
  nameOf(id: string | number): string | undefined {
    return this.#names.get(String(id));
  }
}
