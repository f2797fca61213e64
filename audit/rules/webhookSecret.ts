import { defineRule } from "../rule";

export const webhookSecret = defineRule({
  id: "webhook-secret",
  title: "The webhook signs what it sends",
  why: "Without a secret the receiver can't tell an alert from a forgery.",
  fix: "Give the webhook a secret, kept as a reference such as {{WEBHOOK_SECRET}}, and check the signature.",
  check:
    () =>
    ({ type, credentials }) => {
      if (type !== "WEBHOOK") return undefined;
      if (credentials.webhookSecret) return [];
      return [{ field: "config.webhookSecret", actual: "none", expected: "a secret" }];
    },
});
