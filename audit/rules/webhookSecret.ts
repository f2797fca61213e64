import { defineRule } from "../rule";

export const webhookSecret = defineRule({
  id: "webhook-secret",
  title: "The webhook signs its requests",
  why: "Without a secret, the receiver can't verify that a request comes from the service.",
  fix: "Configure a webhook secret as a reference such as {{WEBHOOK_SECRET}}, and verify the signature.",
  check:
    () =>
    ({ type, credentials }) => {
      if (type !== "WEBHOOK") return undefined;
      if (credentials.webhookSecret) return [];
      return [{ field: "config.webhookSecret", actual: "none", expected: "a secret" }];
    },
});
