import type { AuditedChannel } from "../channel";
import type { Outcome, Verdict } from "../rule";

/** A value that only one channel may have. Values with equal keys are equal. */
export interface UniqueValue {
  readonly field: string;
  /** Undefined when the value is unknown. */
  readonly key: string | undefined;
  /** Why it is unknown. */
  readonly reason: string;
}

const maxNamed = 5;

/** A check that no two channels have the same value. */
export function checkUnique(
  channels: readonly AuditedChannel[],
  valuesOf: (channel: AuditedChannel) => readonly UniqueValue[],
  expected: string,
): (channel: AuditedChannel) => Verdict {
  const holders = new Map<string, AuditedChannel["id"][]>();
  for (const channel of channels) {
    for (const { key } of valuesOf(channel)) {
      if (key === undefined) continue;
      const ids = holders.get(key);
      if (ids === undefined) holders.set(key, [channel.id]);
      else if (ids.at(-1) !== channel.id) ids.push(channel.id);
    }
  }
  return (channel) => {
    const values = valuesOf(channel);
    if (values.length === 0) return undefined;
    return values.flatMap(({ field, key, reason }): Outcome[] => {
      if (key === undefined) return [{ field, reason }];
      const ids = holders.get(key) ?? [];
      return ids.length < 2 ? [] : [{ field, actual: sameAs(ids, channel.id), expected }];
    });
  };
}

function sameAs(ids: readonly AuditedChannel["id"][], own: AuditedChannel["id"]): string {
  const named = ids
    .slice(0, maxNamed + 1)
    .filter((id) => id !== own)
    .slice(0, maxNamed);
  const more = ids.length - 1 - named.length;
  return `same as in ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
