import { isActive } from "../channel";
import { defineRule } from "../rule";

export const subscriptionsActive = defineRule({
  id: "subscriptions-active",
  title: "Not all subscriptions of the channel are paused",
  why: "Subscriptions that were paused for maintenance are easily forgotten, and nothing alerts.",
  fix: "Activate the subscriptions, or remove those that aren't needed.",
  severity: "error",
  check:
    () =>
    ({ subscriptions }) => {
      if (subscriptions.length === 0) return undefined;
      if (subscriptions.some(isActive)) return [];
      return [
        {
          field: "subscriptions",
          actual: `all ${subscriptions.length} paused`,
          expected: "an active subscription",
        },
      ];
    },
});
