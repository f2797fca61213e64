/** Finds the channels of a list that have to be read alone, because the list leaves out what a rule needs. */
import { msOf } from "../provider/api";
import { targetSettings } from "../provider/credentials";
import type { AuditedChannel, JudgedChannel } from "./channel";
import type { Need } from "./rule";
import type { RuleSet } from "./ruleFile";
import { Selections } from "./selections";

/** @param isSparse True if the list may leave out settings of webhooks. */
export function incompleteChannels(
  channels: readonly JudgedChannel[],
  ruleSet: RuleSet,
  isSparse = false,
): AuditedChannel[] {
  const selections = new Selections(ruleSet);
  const rules = ruleSet.rules.flatMap((rule) => {
    const { check } = rule;
    return check === undefined ? [] : { needs: check.needs, isFor: selections.scopeOf(rule) };
  });
  const isIncomplete = (channel: AuditedChannel) =>
    rules.some(
      ({ needs, isFor }) =>
        needs.some((need) => isLeftOut(channel, need, isSparse)) && (isFor === undefined || isFor(channel)),
    );
  return channels.flatMap((channel) =>
    "reason" in channel || selections.exclusionOf(channel) || !isIncomplete(channel) ? [] : channel,
  );
}

/** Returns true if a read of the channel alone may tell what the list doesn't. */
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
      // It is null for a channel that was never changed.
      return updatedAt === undefined || (msOf(updatedAt) ?? msOf(createdAt)) === undefined;
    case "sslExpiryThreshold":
      // An old channel without such alerts may have no threshold.
      return sslExpiry !== false && isMissing(channel.sslExpiryThreshold);
    default:
      return isMissing(channel[need]);
  }
}

const isMissing = (value: unknown) => value === undefined || value === null;
