import { plaintextDiscarded } from "../definition/notEvaluable";
import { defineRule } from "../definition/rule";
import { checkUnique } from "../checks/unique";
import { ownSecretsOf } from "../checks/secrets";

export const credentialShared = defineRule({
  id: "credential-shared",
  title: "No other channel has the same credential",
  why: "A shared credential can't be revoked for one channel, and a leak of one is a leak of all.",
  fix: "Give each channel its own credential.",
  asCode:
    "Create a key for each channel at the receiving service, and declare each as a reference of its own.",
  offWhen:
    "It is in no preset: a shared literal is a finding of `credential-reference`, and one secret may be meant for several channels.",
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
