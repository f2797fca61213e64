/** Replaces the credentials in an alert channel's `config`, which the service returns in clear text. */
import type { AlertChannel } from "../api";
import { isObject } from "../values/isObject";
import { isEmpty, isShownValue } from "./settingKinds";
import { redactCredential, type RedactedConfig } from "./redactedCredential";

/** Empty values stay as they are: they stand for none. */
export function redactConfig(
  { type, config }: Pick<AlertChannel, "type" | "config">,
  accountId?: string,
): RedactedConfig {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      isShownValue(key, value) || isEmpty(value) ? value : redactCredential(key, value, type, accountId),
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
