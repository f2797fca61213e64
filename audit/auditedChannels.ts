/** The channels to audit, each once. What isn't as the API documents isn't evaluable: no rule may pass over it. */
import {
  type AlertChannel,
  type AuditedChannel,
  type GivenChannel,
  type NotEvaluableChannel,
  toAuditedChannel,
} from "./channels/channel";
import { contractProblem } from "./channels/contract";
import { byNumber } from "./channels/channelReference";
import type { RuleSet } from "./ruleFile/ruleSet";

interface AuditedChannels {
  readonly audited: AuditedChannel[];
  readonly notEvaluable: NotEvaluableChannel[];
}

export function toAuditedChannels(channels: Iterable<GivenChannel>, ruleSet: RuleSet): AuditedChannels {
  /** By id, then by origin. */
  const byId = new Map<string, Map<string, GivenChannel>>();
  for (const given of channels) {
    const channel = checked(given);
    const id = String(channel.id);
    const origins = byId.get(id) ?? new Map<string, GivenChannel>();
    byId.set(id, origins);
    const known = origins.get(channel.origin ?? "");
    origins.set(channel.origin ?? "", known === undefined ? channel : merged(known, channel));
  }
  const audited: AuditedChannel[] = [];
  const notEvaluable: NotEvaluableChannel[] = [];
  for (const [id, origins] of byId) {
    for (const channel of origins.values()) {
      const name = ruleSet.nameOf(id) ?? channel.name;
      // Only where it distinguishes channels.
      const shown = { name, origin: origins.size > 1 ? channel.origin : undefined };
      if ("reason" in channel) notEvaluable.push({ ...channel, ...shown });
      else audited.push(toAuditedChannel(channel, shown));
    }
  }
  return { audited: audited.sort(byNumber), notEvaluable: notEvaluable.sort(byNumber) };
}

function checked(channel: GivenChannel): GivenChannel {
  if ("reason" in channel) return channel;
  const reason = contractProblem(channel, true);
  return reason === undefined ? channel : withReason(channel, reason);
}

function withReason({ id, name, origin }: GivenChannel, reason: string): NotEvaluableChannel {
  return { id, name, origin, reason };
}

/** Of two records of one channel, the first one, unless they differ in what is audited. */
function merged(first: GivenChannel, second: GivenChannel): GivenChannel {
  if ("reason" in first) return first;
  if ("reason" in second) return { ...second, name: first.name };
  const content = (channel: AlertChannel) => JSON.stringify(toAuditedChannel(channel, {}));
  if (content(first) === content(second)) return first;
  return withReason(first, "it is recorded twice, and the records differ; run `pulumi refresh`");
}
