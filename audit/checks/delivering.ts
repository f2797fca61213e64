/** Which channels deliver failures. The others don't count where channels make up for each other. */
import { type AuditedChannel, isActive } from "../channels/channel";
import { notReturned } from "../definition/notEvaluable";
import { channelLabel } from "../channels/channelReference";
import type { FleetAudit, NotEvaluable, Verdict } from "../definition/rule";

/** Whether checks alert through the channel, or why that isn't evaluable. */
export function isSubscribed({ subscriptions }: AuditedChannel): boolean | NotEvaluable {
  if (subscriptions === undefined) return { field: "subscriptions", reason: notReturned };
  return subscriptions.some(isActive);
}

function sendsFailures(channel: AuditedChannel): boolean | NotEvaluable {
  const { sendFailure } = channel;
  const subscribed = isSubscribed(channel);
  if (sendFailure === false || subscribed === false) return false;
  return sendFailure === true ? subscribed : { field: "sendFailure", reason: notReturned };
}

/** The rules that report why a channel delivers nothing. */
const reasons = ["subscribed", "send-failure", "empty-target"];

/**
 * The verdict of a rule on the channels that deliver failures, with at most one outcome. Not evaluable when it depends
 * on a channel of which that isn't evaluable. A channel that delivers nothing counts if another rule reports that: its fix is
 * the fix of both.
 */
export function checkDelivering(
  channels: readonly AuditedChannel[],
  { isReported }: Pick<FleetAudit, "isReported">,
  evaluate: (delivering: readonly AuditedChannel[]) => Verdict,
): Verdict {
  const all = channels.map((channel) => ({
    channel,
    sends: isReported(reasons, channel) || sendsFailures(channel),
  }));
  const verdict = evaluate(all.flatMap(({ channel, sends }) => (sends === true ? channel : [])));
  const [notEvaluable] = all.flatMap(({ channel, sends }) =>
    typeof sends === "object" ? { ...sends, reason: `${channelLabel(channel)}: ${sends.reason}` } : [],
  );
  if (notEvaluable === undefined) return verdict;
  const atMost = evaluate(all.flatMap(({ channel, sends }) => (sends === false ? [] : channel)));
  return atMost?.length === verdict?.length ? verdict : [notEvaluable];
}

/** Explains in a finding why some channels don't count. */
export function withoutSilent(channels: readonly AuditedChannel[]): string {
  const count = channels.filter((channel) => sendsFailures(channel) === false).length;
  return count === 0 ? "" : `, without ${count} that ${count === 1 ? "sends" : "send"} no failures`;
}
