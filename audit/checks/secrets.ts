import type { AuditedChannel, Credential } from "../channels/channel";
import { type ChannelTypeName, hasType } from "../channels/specificType";

export interface Secret {
  readonly field: string;
  readonly credential: Credential;
}

/** Settings that are secrets as a whole. */
const wholeSecrets = ["apiKey", "serviceKey", "webhookSecret"];
/** Settings that may contain a secret. */
const partialSecrets = ["url", "template", "headers", "queryParameters"];

/** The types whose URL is a credential: whoever knows it can post. The others have headers or a secret for that. */
const secretUrlTypes: readonly ChannelTypeName[] = [
  "SLACK",
  "WEBHOOK_MSTEAMS",
  "WEBHOOK_TELEGRAM",
  "WEBHOOK_DISCORD",
  "WEBHOOK_FIREHYDRANT",
  "WEBHOOK_ILERT",
  "WEBHOOK_SPLUNK",
  "WEBHOOK_SPIKESH",
];

/** The settings that are secrets as a whole, and that each channel should have for itself. */
export function ownSecretsOf(channel: AuditedChannel): Secret[] {
  return found(channel, [...wholeSecrets, ...(channel.type === "SLACK" ? ["url"] : [])]);
}

/** The settings that contain a secret. Channels of one integration may share it, such as two chats of one bot. */
export function secretsOf(channel: AuditedChannel): Secret[] {
  const isSecretUrl = hasType(channel, secretUrlTypes);
  const whole = found(channel, [...wholeSecrets, ...(isSecretUrl ? ["url"] : [])]).map(
    ({ field, credential }) => ({
      field,
      // Nothing in them says that they are secrets.
      credential: {
        ...credential,
        secretPart: credential.secretPart === "reference" ? credential.secretPart : ("literal" as const),
      },
    }),
  );
  const partial = found(channel, partialSecrets).filter(
    ({ field, credential }) => !(isSecretUrl && field === "config.url") && credential.secretPart !== "none",
  );
  return [...whole, ...partial];
}

/** Without placeholders, and without a URL that only shows requests: there the problem is another one. */
function found({ credentials }: AuditedChannel, keys: readonly string[]): Secret[] {
  return keys.flatMap((key) => {
    const credential = credentials[key];
    if (credential === undefined || credential.isPlaceholder || credential.receiver === "inspection")
      return [];
    return [{ field: `config.${key}`, credential }];
  });
}
