/** Matches channels with the selections of a rule file, and finds the channels of a list that must be read individually. */
import { parseMs } from "../provider/api";
import { targetSettings } from "../provider/credentials";
import { createMatcher } from "../provider/expectations";
import { type AuditedChannel, hasType, type CheckedChannel } from "./channel";
import { type Need } from "./rule";
import { type ActiveRule, type RuleSet } from "./ruleFile";
import { type Selection } from "./ruleFile/schema";

export type ChannelPredicate = (channel: CheckedChannel) => boolean;

/** Compiles each selection of an audit once. */
export class Selections {
  readonly #compiled = new Map<Selection, ChannelPredicate>();
  /** Index of the last override that selects a channel, or -1. The key is the list of overrides that all settings of a rule share. */
  readonly #last = new Map<readonly Selection[], Map<CheckedChannel, number>>();

  constructor(private readonly ruleSet: RuleSet) {}

  /** Returns the first exclusion that selects the channel. */
  findExclusion(channel: CheckedChannel): { readonly reason: string } | undefined {
    return this.ruleSet.exclusions.find(({ select }) => this.toPredicate(select)(channel));
  }

  /** Returns a function that returns true for the channels that the rule applies to. Undefined if the rule applies to all channels. */
  getScope({ select, overrides, firstLater }: ActiveRule): ChannelPredicate | undefined {
    if (select.length + overrides.length === 0) return undefined;
    const lasts = this.#last.get(overrides) ?? new Map<CheckedChannel, number>();
    this.#last.set(overrides, lasts);
    return (channel) => {
      if (!select.every((selection) => this.toPredicate(selection)(channel))) return false;
      const last = lasts.get(channel) ?? overrides.findLastIndex((each) => this.toPredicate(each)(channel));
      lasts.set(channel, last);
      return last < firstLater;
    };
  }

  /** Returns a function that returns true for the selected channels. */
  toPredicate(selection: Selection): ChannelPredicate {
    const compiled = this.#compiled.get(selection);
    if (compiled) return compiled;
    const { types, ids, names } = selection;
    const selectedIds = ids && new Set(ids.map(String));
    const isNamed = names?.map((name) => createMatcher(toPattern(name.normalize())));
    const predicate: ChannelPredicate = (channel) =>
      (!types || (!("reason" in channel) && hasType(channel, types))) &&
      (!selectedIds || selectedIds.has(String(channel.id))) &&
      (!isNamed || this.ruleSet.namesOf(channel).some((name) => isNamed.some((matches) => matches(name))));
    this.#compiled.set(selection, predicate);
    return predicate;
  }
}

/**
 * Converts `*` to a pattern that matches any characters. `createMatcher` runs in linear time, which is required because a rule file is
 * untrusted input.
 */
function toPattern(name: string): string {
  const parts = name.split("*").map((part) => part.replace(/[\\^$.+?()[\]{}|/]/g, "\\$&"));
  return `^${parts.join("[\\s\\S]*")}$`;
}

/**
 * Finds the channels that must be read individually, because the list omits fields that a rule needs.
 *
 * @param isSparse True if the list may omit settings of webhooks.
 */
export function listIncompleteChannels(
  channels: readonly CheckedChannel[],
  ruleSet: RuleSet,
  isSparse: boolean,
): AuditedChannel[] {
  const selections = new Selections(ruleSet);
  const rules = ruleSet.rules.flatMap((rule) => {
    const { check } = rule;
    return check === undefined ? [] : { needs: check.needs, isFor: selections.getScope(rule) };
  });
  const isIncomplete = (channel: AuditedChannel) =>
    rules.some(
      ({ needs, isFor }) =>
        needs.some((need) => isLeftOut(channel, need, isSparse)) && (isFor === undefined || isFor(channel)),
    );
  return channels.flatMap((channel) =>
    "reason" in channel || selections.findExclusion(channel) || !isIncomplete(channel) ? [] : channel,
  );
}

/** Returns true if an individual read of the channel may return a field that the list omits. */
function isLeftOut(channel: AuditedChannel, need: Need, isSparse: boolean): boolean {
  const { config, credentials, sslExpiry, createdAt, updatedAt } = channel;
  switch (need) {
    case "config": {
      const target = targetSettings.get(channel.type);
      const isWithoutTarget = target !== undefined && !(target in config || target in credentials);
      const isHidden = Object.values(credentials).some(({ secretPart }) => secretPart === "hidden");
      return isWithoutTarget || isHidden || (isSparse && channel.type === "WEBHOOK");
    }
    case "updatedAt":
      // `updatedAt` is null for a channel that was never changed.
      return updatedAt === undefined || (parseMs(updatedAt) ?? parseMs(createdAt)) === undefined;
    case "sslExpiryThreshold":
      // An old channel without alerts for certificates may have no threshold.
      return sslExpiry !== false && isMissing(channel.sslExpiryThreshold);
    default:
      return isMissing(channel[need]);
  }
}

const isMissing = (value: unknown) => value === undefined || value === null;
