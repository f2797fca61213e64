import type { AuditedChannel } from "../channels/channel";
import { channelLabel } from "../channels/channelReference";
import type { Outcome, Verdict } from "../definition/rule";

/** A value that only one channel may have. Values with equal keys are equal. */
export interface UniqueValue {
  readonly field: string;
  /** Undefined when the value is unknown. */
  readonly key: string | undefined;
  /** Why it is unknown. */
  readonly reason: string;
}

const maxNamed = 5;

/** A check that no two channels have the same value: the first one may keep it. */
export function checkUnique(
  channels: readonly AuditedChannel[],
  valuesOf: (channel: AuditedChannel) => readonly UniqueValue[],
  expected: string,
): (channel: AuditedChannel) => Verdict {
  const holders = new Map<string, AuditedChannel[]>();
  for (const channel of channels) {
    for (const { key } of valuesOf(channel)) {
      if (key === undefined) continue;
      const known = holders.get(key);
      if (known === undefined) holders.set(key, [channel]);
      else if (known.at(-1) !== channel) known.push(channel);
    }
  }
  return (channel) => {
    const values = valuesOf(channel);
    if (values.length === 0) return undefined;
    return values.flatMap(({ field, key, reason }): Outcome[] => {
      if (key === undefined) return [{ field, reason }];
      const same = holders.get(key) ?? [];
      return same[0] === channel ? [] : [{ field, actual: sameAs(same, channel), expected }];
    });
  };
}

function sameAs(channels: readonly AuditedChannel[], own: AuditedChannel): string {
  const named = channels
    .slice(0, maxNamed + 1)
    .filter((channel) => channel !== own)
    .slice(0, maxNamed)
    .map(channelLabel);
  const more = channels.length - 1 - named.length;
  return `same as in ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
