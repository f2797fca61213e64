/** Which channels deliver failures. The others don't count where channels make up for each other. */
import { type AuditedChannel, idAndOrigin, isActive } from "../channel";
import type { Unknown, Verdict } from "../rule";
import { notReturned } from "./flag";

/** Whether checks alert through the channel, or why that is unknown. */
export function isSubscribed({ subscriptions, autoSubscribe }: AuditedChannel): boolean | Unknown {
  if (autoSubscribe === true || subscriptions?.some(isActive)) return true;
  if (subscriptions === undefined) return { field: "subscriptions", reason: notReturned };
  return autoSubscribe === false ? false : { field: "autoSubscribe", reason: notReturned };
}

function sendsFailures(channel: AuditedChannel): boolean | Unknown {
  const { sendFailure } = channel;
  const subscribed = isSubscribed(channel);
  if (sendFailure === false || subscribed === false) return false;
  return sendFailure === true ? subscribed : { field: "sendFailure", reason: notReturned };
}

/**
 * The verdict of a rule on the channels that deliver failures, with at most one outcome. Not evaluable when it depends
 * on a channel of which that is unknown.
 */
export function checkDelivering(
  channels: readonly AuditedChannel[],
  evaluate: (delivering: readonly AuditedChannel[]) => Verdict,
): Verdict {
  const all = channels.map((channel) => ({ channel, sends: sendsFailures(channel) }));
  const verdict = evaluate(all.flatMap(({ channel, sends }) => (sends === true ? channel : [])));
  const [unknown] = all.flatMap(({ channel, sends }) =>
    typeof sends === "object"
      ? { ...sends, reason: `${sends.reason} for channel ${idAndOrigin(channel)}` }
      : [],
  );
  if (unknown === undefined) return verdict;
  const atMost = evaluate(all.flatMap(({ channel, sends }) => (sends === false ? [] : channel)));
  return atMost?.length === verdict?.length ? verdict : [unknown];
}

/** Explains in a finding why some channels don't count. */
export function withoutSilent(channels: readonly AuditedChannel[]): string {
  const count = channels.filter((channel) => sendsFailures(channel) === false).length;
  return count === 0 ? "" : `, without ${count} that ${count === 1 ? "sends" : "send"} no failures`;
}
