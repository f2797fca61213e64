/** The channels that each rule applies to. */
import type { AuditedChannel } from "../channels/channel";
import type { ActiveRule, RuleSet } from "./ruleSet";
import { type Selection, selector } from "../definition/selection";

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
