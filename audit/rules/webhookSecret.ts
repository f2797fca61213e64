import { isKnownIntegration, specificType } from "../channelTypes";
import { defineRule } from "../rule";

const field = "config.webhookSecret";

export const webhookSecret = defineRule({
  id: "webhook-secret",
  title: "The webhook signs its requests",
  why: "Without a secret, the receiver can't verify that a request comes from the service.",
  fix: "Configure a webhook secret as a reference such as {{WEBHOOK_SECRET}}, and verify the signature.",
  check: () => (channel) => {
    const type = specificType(channel);
    // Chats and incident services don't verify signatures.
    if (channel.type !== "WEBHOOK" || isKnownIntegration(type)) return undefined;
    if (channel.credentials.webhookSecret) return [];
    if (type !== "WEBHOOK") return [{ field, reason: `whether ${type} verifies signatures is unknown` }];
    return [{ field, actual: "none", expected: "a secret" }];
  },
});
