/** Which channels deliver failures. The others don't count where channels make up for each other. */
import { type AuditedChannel, isActive } from "../channel";

export function sendsFailures({ sendFailure, autoSubscribe, subscriptions }: AuditedChannel): boolean {
  return sendFailure !== false && (autoSubscribe === true || subscriptions.some(isActive));
}

/** Explains in a finding why some channels don't count. */
export function withoutSilent(count: number): string {
  return count === 0 ? "" : `, without ${count} that ${count === 1 ? "sends" : "send"} no failures`;
}
