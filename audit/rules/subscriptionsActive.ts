import { isActive } from "../channel";
import { defineRule } from "../rule";

export const subscriptionsActive = defineRule({
  id: "subscriptions-active",
  title: "Not all subscriptions of the channel are paused",
  why: "Subscriptions are paused for a maintenance and then forgotten: the list looks full, and nothing alerts.",
  fix: "Activate the subscriptions, or remove those that nobody needs.",
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
          expected: "an active one",
        },
      ];
    },
});
