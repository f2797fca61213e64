// Observes an on-call channel. Fails if the channel does not send failures, or if its key is not a reference to a secret.
import { AlertChannel } from "pulumi-monitoring-service";

const onCall = new AlertChannel("on-call", {
  channelId: 4101,
  expect: {
    sendFailure: true,
    sslExpiryThreshold: { atLeast: 14 },
    config: { serviceKey: { isReference: true } },
  },
});

export const type = onCall.type;
export const subscriptions = onCall.subscriptions.length;
