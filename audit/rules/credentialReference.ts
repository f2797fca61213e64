import { plaintextDiscarded } from "../channel";
import { defineRule, type Outcome } from "../rule";
import { secretsOf } from "./secrets";

export const credentialReference = defineRule({
  id: "credential-reference",
  title: "Credentials are references, not literals",
  why: "Everyone with read access to the channel can read a literal, and rotating it means finding every copy.",
  fix: "Store it as a secret of the service, use a reference such as {{OPS_TOKEN}}, and rotate it: it may have been read.",
  check: () => (channel) => {
    const secrets = secretsOf(channel);
    if (secrets.length === 0) return undefined;
    return secrets.flatMap(({ field, credential: { isReference } }): Outcome[] => {
      if (isReference === undefined) return [{ field, reason: plaintextDiscarded }];
      return isReference ? [] : [{ field, actual: "a literal", expected: "a reference" }];
    });
  },
});
