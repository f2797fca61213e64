import { plaintextDiscarded } from "../channel";
import { defineRule } from "../rule";
import { checkUnique } from "./unique";
import { ownSecretsOf } from "./secrets";

export const credentialShared = defineRule({
  id: "credential-shared",
  title: "No other channel has the same credential",
  why: "A shared credential can't be revoked for one channel, and a leak of one is a leak of all.",
  fix: "Give each channel its own credential.",
  check: (_, { channels }) =>
    checkUnique(
      channels,
      (channel) =>
        ownSecretsOf(channel).map(({ field, credential: { fingerprint } }) => ({
          field,
          key: fingerprint && `${channel.type} ${fingerprint}`,
          reason: plaintextDiscarded,
        })),
      "a unique credential",
    ),
});
