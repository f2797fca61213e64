import type { Subscription } from "../channels/channel";
import { defineRule } from "../definition/rule";
import { isSubscribed } from "../checks/delivering";

export const subscribed = defineRule({
  id: "subscribed",
  title: "Checks are subscribed to the channel",
  why: "A channel without active subscriptions never alerts. autoSubscribe doesn't count: it subscribes only checks that someone creates in the web interface, not those of a program.",
  fix: "Subscribe checks or groups to the channel, activate the subscriptions that were paused, or delete the channel.",
  asCode:
    "Add the channel to `alertChannels` of each check or group that has to alert through it, or to the defaults of the project.",
  offWhen:
    "Turn it off where another program subscribes its checks to shared channels, and use `checks-covered` there.",
  severity: "error",
  check: () => (channel) => {
    const subscribed = isSubscribed(channel);
    if (typeof subscribed === "object") return [subscribed];
    if (subscribed) return [];
    const { subscriptions = [], autoSubscribe } = channel;
    const actual = subscriptions.length === 0 ? "none" : allPaused(subscriptions);
    const relies = autoSubscribe === true ? ", only autoSubscribe" : "";
    return [{ field: "subscriptions", actual: actual + relies, expected: "an active subscription" }];
  },
});

/** Names the group when the channel depends on that one alone. */
function allPaused(subscriptions: readonly Subscription[]): string {
  const [first, ...others] = new Set(subscriptions.map(({ groupId }) => groupId));
  return first !== undefined && first !== null && first !== "" && others.length === 0
    ? `only group ${first}, whose subscription is paused`
    : `all ${subscriptions.length} paused`;
}
