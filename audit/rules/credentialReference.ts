import { type Credential, plaintextDiscarded } from "../channel";
import { defineRule, type Outcome } from "../rule";
import { secretsOf } from "./secrets";

export const credentialReference = defineRule({
  id: "credential-reference",
  title: "Credentials are references, not literals",
  why: "Everyone with read access to the channel can read a literal, and rotating it means finding every copy.",
  fix: "Store it as a secret of the service, use a reference such as {{OPS_TOKEN}}, and rotate it: it may have been read.",
  check: () => (channel) => {
    const secrets = secretsOf(channel).filter(({ credential }) => credential.secretPart !== "none");
    if (secrets.length === 0) return undefined;
    return secrets.flatMap(({ field, credential }): Outcome[] => {
      if (credential.isReference === undefined) return [{ field, reason: plaintextDiscarded }];
      if (credential.isReference || credential.secretPart === "reference") return [];
      if (isUnknown(field, credential)) return [{ field, reason: notRecorded }];
      return [{ field, actual: "a literal", expected: "a reference" }];
    });
  },
});

const notRecorded = "nothing is recorded about its secrets; run `pulumi refresh`";

/** States of version 0.1 don't tell headers with a secret from others. */
function isUnknown(field: string, { secretPart }: Credential): boolean {
  return secretPart === undefined && ["config.headers", "config.queryParameters"].includes(field);
}
