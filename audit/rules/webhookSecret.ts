import { isKnownIntegration, specificType } from "../channels/specificType";
import { defineRule } from "../definition/rule";
import { whyHostUnknown } from "../checks/hook";

const field = "config.webhookSecret";

export const webhookSecret = defineRule({
  id: "webhook-secret",
  title: "A webhook to one's own endpoint signs its requests",
  why: "Without a secret, whoever finds the endpoint can send it alerts that never happened, or hide one that did.",
  fix: "Configure a webhook secret as a reference such as {{WEBHOOK_SECRET}}, and verify the signature.",
  asCode:
    'Set `webhookSecret: "{{WEBHOOK_SECRET}}"`, and store the secret in the service. The endpoint compares the signature in the request\'s header with its own HMAC of the body.',
  offWhen: "Turn it off for endpoints that only the service can reach, such as by its addresses.",
  check: () => (channel) => {
    const { url, webhookSecret, headers, queryParameters } = channel.credentials;
    const type = specificType(channel);
    // Chats, tickets and incident services don't verify signatures, and they have credentials of their own.
    if (channel.type !== "WEBHOOK" || isKnownIntegration(type) || url?.receiver) return undefined;
    if (url?.isPlaceholder) return undefined;
    if (webhookSecret) return [];
    // A token tells the endpoint who calls, too.
    if (
      [url, headers, queryParameters].some(
        (one) => one?.secretPart === "literal" || one?.secretPart === "reference",
      )
    )
      return [];
    if (type !== "WEBHOOK")
      return [{ field, reason: `whether ${type} verifies signatures is unknown; check its documentation` }];
    const reason = url && whyHostUnknown(url);
    if (reason !== undefined) return [{ field, reason: `config.url ${reason}` }];
    // The rule public-hook reports the others, and their URL changes.
    if (url?.hostClass !== "public") return undefined;
    return [{ field, actual: "none", expected: "a secret" }];
  },
});
