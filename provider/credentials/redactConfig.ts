/** Replaces the credentials in an alert channel's `config`, which the service returns in clear text. */
import type { AlertChannel } from "../api";
import { isObject } from "../values/isObject";
import { isEmpty, isMalformedCredential, isShownValue } from "./settingKinds";
import { credentialFingerprint, credentialText } from "./credentialFingerprint";
import { hostClassOf } from "./hostClass";
import { isPlaceholder } from "./isPlaceholder";
import { receiverAt } from "./receiverHosts";
import { type RedactedConfig, type RedactedCredential } from "./redactedCredential";
import { addressOf, isReference } from "./references";
import { isPlaceholderInPairs, secretPartOf } from "./secretPart";

/** Empty values stay as they are: they stand for none. */
export function redactConfig(
  { type, config }: Pick<AlertChannel, "type" | "config">,
  accountId?: string,
): RedactedConfig {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      isShownValue(key, value) || isEmpty(value)
        ? value
        : {
            ...redactCredential(key, value, type, accountId),
            ...(isMalformedCredential(key, value) && { isMalformed: true }),
          },
    ]),
  );
}

/** A redacted `config` with only the fingerprint of each credential: what the service has, without the facts derived from it. */
export function fingerprintsOf(config: unknown): unknown {
  if (!isObject(config)) return config;
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, isObject(value) ? value.fingerprint : value]),
  );
}

function redactCredential(key: string, value: unknown, type: string, accountId?: string): RedactedCredential {
  const text = credentialText(value);
  const secretPart = secretPartOf(key, value);
  return {
    fingerprint: credentialFingerprint(text, type, accountId),
    ...urlFacts(text),
    isReference: isReference(text),
    ...(secretPart && { secretPart }),
    ...((isPlaceholder(key, value) || isPlaceholderInPairs(value)) && { isPlaceholder: true }),
  };
}

function urlFacts(text: string): Pick<RedactedCredential, "scheme" | "hostClass" | "receiver"> {
  const { scheme, hostname } = addressOf(text) ?? {};
  const receiver = hostname === undefined ? undefined : receiverAt(hostname);
  return {
    ...(scheme && { scheme }),
    ...(hostname && { hostClass: hostClassOf(hostname) }),
    ...(receiver && { receiver: receiver.kind }),
  };
}
