import { defineRule } from "../rule";
import { isSubscribed } from "./delivery";

export const subscribed = defineRule({
  id: "subscribed",
  title: "Checks are subscribed to the channel, or new ones will be",
  why: "A channel without active subscriptions never alerts.",
  fix: "Subscribe checks to the channel, turn autoSubscribe on, or delete the channel.",
  severity: "error",
  check: () => (channel) => {
    const subscribed = isSubscribed(channel);
    if (typeof subscribed === "object") return [subscribed];
    if (subscribed) return [];
    const { subscriptions = [] } = channel;
    const actual = subscriptions.length === 0 ? "none" : `${subscriptions.length}, none of them active`;
    return [{ field: "subscriptions", actual, expected: "an active subscription, or autoSubscribe" }];
  },
});
