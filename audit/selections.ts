/** Matches channels with the exceptions and selections of a rule file, and finds the channels of a list that must be read individually. */
import { parseMs } from "../provider/api";
import { targetSettings } from "../provider/credentials";
import { createMatcher } from "../provider/expectations";
import { type AuditedChannel, hasType, isId, type CheckedChannel } from "./channel";
import { type Need } from "./rule";
import { type ActiveException, type ActiveRule, getSetting, isOff, type RuleSet } from "./ruleFile";
import { type Exception, type Selection } from "./ruleFile/schema";

type ChannelPredicate = (channel: CheckedChannel) => boolean;

/** Matches channels with the exceptions and selections of a rule file, on the day of an audit. */
export class Selections {
  /** The day in UTC, such as `2027-01-31`. */
  readonly today: string;
  readonly #compiled = new Map<Selection, ChannelPredicate>();
  /** Exceptions by channel. The key is undefined for all channels together. */
  readonly #exceptions = new Map<CheckedChannel | undefined, readonly ActiveException[]>();

  constructor(
    private readonly ruleSet: RuleSet,
    now: Date,
  ) {
    this.today = now.toISOString().slice(0, 10);
  }

  isExpired({ until }: Pick<Exception, "until">): boolean {
    return until !== undefined && until < this.today;
  }

  /** Returns the first exception that excludes the channel. */
  findExclusion(channel: CheckedChannel): ActiveException | undefined {
    return this.#listExceptions(channel).find((one) => one.rules === "off" && !this.isExpired(one));
  }

  /** Returns the exception that accepts the rule's findings on the channel. If several set the rule, the last one takes effect. */
  findAccepting(rule: string, channel?: CheckedChannel): ActiveException | undefined {
    const last = this.#listExceptions(channel).findLast(
      (one) => getSetting(one, rule) !== undefined && !this.isExpired(one),
    );
    return last && isOff(getSetting(last, rule)) ? last : undefined;
  }

  /** Returns the exceptions that accepted the rule's findings on the channel until a day that has passed. */
  listExpired(rule: string, channel?: CheckedChannel): ActiveException[] {
    return this.#listExceptions(channel).filter((one) => this.isExpired(one) && isOff(getSetting(one, rule)));
  }

  /** Returns a function that returns true for the channels that the rule applies to. Undefined if the rule applies to all channels. */
  getScope({ id, select, exception }: ActiveRule): ChannelPredicate | undefined {
    const isVariant = (one: ActiveException) => {
      const setting = getSetting(one, id);
      return setting !== undefined && !isOff(setting) && !this.isExpired(one);
    };
    if (!select && !exception && !this.ruleSet.exceptions.some(isVariant)) return undefined;
    return (channel) =>
      this.matches({ select }, channel) && this.#listExceptions(channel).findLast(isVariant) === exception;
  }

  /**
   * Returns true if the channel is selected. Without `named` and `select`, all channels are selected, and also all channels together.
   *
   * @param channel Undefined for all channels together.
   */
  matches(
    { channel: named, select }: Pick<Exception, "channel" | "select">,
    channel?: CheckedChannel,
  ): boolean {
    if (named === undefined && select === undefined) return true;
    if (channel === undefined) return false;
    if (select !== undefined) return this.#toPredicate(select)(channel);
    if ([String(channel.id), channel.origin].includes(String(named))) return true;
    return named !== undefined && !isId(named) && this.ruleSet.namesOf(channel).includes(named.normalize());
  }

  #listExceptions(channel?: CheckedChannel): readonly ActiveException[] {
    const known = this.#exceptions.get(channel);
    if (known) return known;
    const { exceptions } = this.ruleSet;
    if (exceptions.length === 0) return exceptions;
    const matching = exceptions.filter((one) => this.matches(one, channel));
    this.#exceptions.set(channel, matching);
    return matching;
  }

  #toPredicate(selection: Selection): ChannelPredicate {
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
  now: Date,
): AuditedChannel[] {
  const selections = new Selections(ruleSet, now);
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
