/** Matches channels with the selections of a rule file. */
import { matcherOf } from "../provider/expectations";
import { hasType, type JudgedChannel } from "./channel";
import type { ActiveRule, RuleSet } from "./ruleFile";
import type { Selection } from "./ruleFile/schema";

export type Selects = (channel: JudgedChannel) => boolean;

/** The selections of one audit, each compiled once. */
export class Selections {
  readonly #ruleSet: RuleSet;
  readonly #compiled = new Map<Selection, Selects>();
  /** The index of the last override that selects a channel, or -1, by the list of overrides that settings of one rule share. */
  readonly #last = new Map<readonly Selection[], Map<JudgedChannel, number>>();

  constructor(ruleSet: RuleSet) {
    this.#ruleSet = ruleSet;
  }

  /** Returns the first exclusion that selects the channel. */
  exclusionOf(channel: JudgedChannel): { readonly reason: string } | undefined {
    return this.#ruleSet.exclusions.find(({ select }) => this.selects(select)(channel));
  }

  /** Returns a function that is true for a channel to which the rule applies; undefined if the rule applies to all channels. */
  scopeOf({ select, overrides, firstLater }: ActiveRule): Selects | undefined {
    if (select.length + overrides.length === 0) return undefined;
    const lasts = this.#last.get(overrides) ?? new Map<JudgedChannel, number>();
    this.#last.set(overrides, lasts);
    return (channel) => {
      if (!select.every((selection) => this.selects(selection)(channel))) return false;
      const last = lasts.get(channel) ?? overrides.findLastIndex((each) => this.selects(each)(channel));
      lasts.set(channel, last);
      return last < firstLater;
    };
  }

  /** Returns a function that is true for a selected channel. */
  selects(selection: Selection): Selects {
    const compiled = this.#compiled.get(selection);
    if (compiled) return compiled;
    const { types, ids, names } = selection;
    const selectedIds = ids && new Set(ids.map(String));
    const isNamed = names?.map((name) => matcherOf(patternOf(name.normalize())));
    const selects: Selects = (channel) =>
      (!types || (!("reason" in channel) && hasType(channel, types))) &&
      (!selectedIds || selectedIds.has(String(channel.id))) &&
      (!isNamed || this.#ruleSet.namesOf(channel).some((name) => isNamed.some((matches) => matches(name))));
    this.#compiled.set(selection, selects);
    return selects;
  }
}

/** Converts `*` to a pattern that matches anything. `matcherOf` takes linear time, because a rule file is untrusted input. */
function patternOf(name: string): string {
  const parts = name.split("*").map((part) => part.replace(/[\\^$.+?()[\]{}|/]/g, "\\$&"));
  return `^${parts.join("[\\s\\S]*")}$`;
}
