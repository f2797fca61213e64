import type { AuditedChannel, Credential } from "../channel";
import { hasType, secretUrlTypes } from "../channelTypes";

export interface Secret {
  readonly field: string;
  readonly credential: Credential;
}

/** The settings that are secrets as a whole, and that each channel should have for itself. */
export function ownSecretsOf(channel: AuditedChannel): Secret[] {
  return found(channel, [
    "apiKey",
    "serviceKey",
    "webhookSecret",
    ...(channel.type === "SLACK" ? ["url"] : []),
  ]);
}

/** The settings that contain a secret. Channels of one integration may share it, such as two chats of one bot. */
export function secretsOf(channel: AuditedChannel): Secret[] {
  const url = hasType(channel, secretUrlTypes) ? ["url"] : [];
  return found(channel, ["apiKey", "serviceKey", "webhookSecret", ...url, "headers", "queryParameters"]);
}

function found({ credentials }: AuditedChannel, keys: readonly string[]): Secret[] {
  return keys.flatMap((key) => {
    const credential = credentials[key];
    return credential === undefined ? [] : [{ field: `config.${key}`, credential }];
  });
}
