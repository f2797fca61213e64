import { sslExpiryThresholdBounds } from "../../provider/api/alertChannel";
import type { AuditedChannel } from "../channel";
import { specificType } from "../channelTypes";
import { defineRule } from "../rule";
import { notReturned } from "./flag";

const { least, most } = sslExpiryThresholdBounds;
const field = "sslExpiryThreshold";

export const consistentThresholds = defineRule({
  id: "consistent-thresholds",
  title: "Channels of one type report expiring certificates equally early",
  why: "When the thresholds differ, some teams learn of an expiring certificate weeks after others.",
  fix: "Set the threshold that most channels of the type have, or waive the finding for a channel that differs on purpose.",
  check: (_, { channels }) => {
    const usual = mostCommonByType(channels);
    return (channel) => {
      const { sslExpiry, sslExpiryThreshold: days } = channel;
      if (sslExpiry === false) return undefined;
      if (days === undefined || days === null) return [{ field, reason: notReturned }];
      if (!isDocumented(days)) return undefined;
      const type = specificType(channel);
      const expected = usual.get(type);
      if (days === expected) return [];
      const actual = `${days} days`;
      return [{ field, actual, expected: `${expected} days, as in most channels of type ${type}` }];
    };
  },
});

/** The rule documented-bounds reports the others. */
function isDocumented(days: number | null | undefined): days is number {
  return typeof days === "number" && days >= least && days <= most;
}

/** The higher one of two that are equally common. */
function mostCommonByType(channels: readonly AuditedChannel[]): ReadonlyMap<string, number | undefined> {
  const counts = new Map<string, Map<number, number>>();
  for (const channel of channels) {
    const { sslExpiry, sslExpiryThreshold: days } = channel;
    if (sslExpiry === false || !isDocumented(days)) continue;
    const type = specificType(channel);
    const ofType = counts.get(type) ?? new Map<number, number>();
    counts.set(type, ofType.set(days, (ofType.get(days) ?? 0) + 1));
  }
  const mostCommon = (ofType: ReadonlyMap<number, number>) =>
    [...ofType].sort(([a, many], [b, more]) => more - many || b - a)[0]?.[0];
  return new Map([...counts].map(([type, ofType]) => [type, mostCommon(ofType)]));
}
