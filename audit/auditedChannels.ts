/** The channels to audit, each once. What isn't as the API documents is unreadable: no rule may pass over it. */
import { type AlertChannel, type AuditedChannel, toAuditedChannel, type UnreadableChannel } from "./channel";
import { contractProblem } from "./contract";
import type { ChannelReference } from "./report";
import type { RuleSet } from "./ruleSet";

interface AuditedChannels {
  readonly audited: AuditedChannel[];
  readonly unreadable: UnreadableChannel[];
}

type Channel = AlertChannel | UnreadableChannel;

export function toAuditedChannels(channels: Iterable<Channel>, ruleSet: RuleSet): AuditedChannels {
  /** By id, then by origin. */
  const byId = new Map<string, Map<string, Channel>>();
  for (const given of channels) {
    const channel = checked(given);
    const id = String(channel.id);
    const origins = byId.get(id) ?? new Map<string, Channel>();
    byId.set(id, origins);
    const known = origins.get(channel.origin ?? "");
    origins.set(channel.origin ?? "", known === undefined ? channel : merged(known, channel));
  }
  const audited: AuditedChannel[] = [];
  const unreadable: UnreadableChannel[] = [];
  for (const [id, origins] of byId) {
    for (const channel of origins.values()) {
      const name = ruleSet.nameOf(id) ?? channel.name;
      // Only where it distinguishes channels.
      const shown = { name, origin: origins.size > 1 ? channel.origin : undefined };
      if ("reason" in channel) unreadable.push({ ...channel, ...shown });
      else audited.push(toAuditedChannel(channel, shown));
    }
  }
  return { audited: audited.sort(byNumber), unreadable };
}

function checked(channel: Channel): Channel {
  if ("reason" in channel) return channel;
  const reason = contractProblem(channel, true);
  return reason === undefined ? channel : unreadableFor(channel, reason);
}

function unreadableFor({ id, name, origin }: Channel, reason: string): UnreadableChannel {
  return { id, ...(name !== undefined && { name }), ...(origin !== undefined && { origin }), reason };
}

/** Of two records of one channel, the first one, unless they differ in what is audited. */
function merged(first: Channel, second: Channel): Channel {
  if ("reason" in first) return first;
  if ("reason" in second) return { ...second, name: first.name };
  const content = (channel: AlertChannel) => JSON.stringify(toAuditedChannel(channel, {}));
  if (content(first) === content(second)) return first;
  return unreadableFor(first, "it is recorded twice, and the records differ");
}

/** By number, so that 9 is before 10, from whatever source the channels are. */
export function byNumber({ id: a }: ChannelReference, { id: b }: ChannelReference): number {
  return Number(a) - Number(b) || String(a).localeCompare(String(b), "en");
}
