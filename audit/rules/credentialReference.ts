import { plaintextDiscarded } from "../definition/notEvaluable";
import { defineRule, type Outcome } from "../definition/rule";
import { secretsOf } from "../checks/secrets";

export const credentialReference = defineRule({
  id: "credential-reference",
  title: "Credentials are references, not literals",
  why: "Everyone with read access to the channel, to the code that declares it or to its state can read a literal, and rotating it means finding every copy.",
  fix: "Rotate it, because it may have been read; store the new one as a secret of the service, and enter a reference such as {{OPS_TOKEN}}.",
  asCode:
    'Set the value to `"{{OPS_TOKEN}}"`, and create the secret OPS_TOKEN in the service. A secret of Pulumi or a variable of a pipeline isn\'t enough: the service stores what they resolve to. A channel of type SLACK_APP needs no hook.',
  offWhen:
    "Turn it off if few people can read the account, and the literals are in a secret store that rotates them.",
  check: () => (channel) => {
    const secrets = secretsOf(channel);
    if (secrets.length === 0) return undefined;
    return secrets.flatMap(({ field, credential }): Outcome[] => {
      if (credential.isReference === undefined) return [{ field, reason: plaintextDiscarded }];
      if (credential.isReference || credential.secretPart === "reference") return [];
      if (credential.secretPart === undefined) return [{ field, reason: notRecognized }];
      return [{ field, actual: "a secret in plain text", expected: "a reference to it" }];
    });
  },
});

/** Of a URL that is no web address. */
const notRecognized = "whether it contains a secret is unknown; enter a web address";
