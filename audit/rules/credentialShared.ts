import { plaintextDiscarded } from "../channel";
import { defineRule } from "../rule";
import { noEquals } from "./equals";
import { secretsOf } from "./secrets";

export const credentialShared = defineRule({
  id: "credential-shared",
  title: "No other channel has the same credential",
  why: "A shared credential can't be revoked for one channel, and a leak of one is a leak of all.",
  fix: "Give each channel a credential of its own.",
  check: (_, { channels }) =>
    noEquals(
      channels,
      (channel) =>
        secretsOf(channel).map(({ field, credential: { fingerprint } }) => ({
          field,
          key: fingerprint && `${channel.type} ${fingerprint}`,
          reason: plaintextDiscarded,
        })),
      "one of its own",
    ),
});
