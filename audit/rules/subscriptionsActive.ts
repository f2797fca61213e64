import { isActive, type Subscription } from "../channel";
import { defineRule } from "../rule";
import { notReturned } from "./flag";

export const subscriptionsActive = defineRule({
  id: "subscriptions-active",
  title: "Not all subscriptions of the channel are paused",
  why: "Subscriptions that were paused for maintenance are easily forgotten, and nothing alerts.",
  fix: "Activate the subscriptions, or remove those that aren't needed.",
  severity: "error",
  check:
    () =>
    ({ subscriptions }) => {
      if (subscriptions === undefined) return [{ field: "subscriptions", reason: notReturned }];
      if (subscriptions.length === 0) return undefined;
      if (subscriptions.some(isActive)) return [];
      return [
        {
          field: "subscriptions",
          actual: allPaused(subscriptions),
          expected: "an active subscription",
        },
      ];
    },
});

/** Names the group when the channel depends on that one alone. */
function allPaused(subscriptions: readonly Subscription[]): string {
  const [first, ...others] = new Set(subscriptions.map(({ groupId }) => groupId));
  return first !== undefined && first !== null && first !== "" && others.length === 0
    ? `only group ${first}, whose subscription is paused`
    : `all ${subscriptions.length} paused`;
}
