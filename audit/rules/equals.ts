import type { AuditedChannel } from "../channel";
import type { Outcome, Verdict } from "../rule";

/** Something of a channel that no other channel should have: equal keys are equal things. */
export interface Mark {
  readonly field: string;
  /** Undefined when it isn't known. */
  readonly key: string | undefined;
  /** Why it isn't known. */
  readonly reason: string;
}

const mostNamed = 5;

/** A check that no two channels have the same mark. */
export function noEquals(
  channels: readonly AuditedChannel[],
  marksOf: (channel: AuditedChannel) => readonly Mark[],
  expected: string,
): (channel: AuditedChannel) => Verdict {
  const holders = new Map<string, AuditedChannel["id"][]>();
  for (const channel of channels) {
    for (const { key } of marksOf(channel)) {
      if (key === undefined) continue;
      const ids = holders.get(key);
      if (ids === undefined) holders.set(key, [channel.id]);
      else if (ids.at(-1) !== channel.id) ids.push(channel.id);
    }
  }
  return (channel) => {
    const marks = marksOf(channel);
    if (marks.length === 0) return undefined;
    return marks.flatMap(({ field, key, reason }): Outcome[] => {
      if (key === undefined) return [{ field, reason }];
      const ids = holders.get(key) ?? [];
      return ids.length < 2 ? [] : [{ field, actual: sameAs(ids, channel.id), expected }];
    });
  };
}

function sameAs(ids: readonly AuditedChannel["id"][], own: AuditedChannel["id"]): string {
  const named = ids
    .slice(0, mostNamed + 1)
    .filter((id) => id !== own)
    .slice(0, mostNamed);
  const more = ids.length - 1 - named.length;
  return `the same as in ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
