// Watches the channel that wakes people up: fails when it doesn't deliver, or holds its key in clear text.
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
