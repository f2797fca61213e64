import type { AuditedChannel, Credential } from "../channel";

const secretSettings = ["apiKey", "serviceKey", "webhookSecret"];

/**
 * The settings that are secrets as a whole, by field, such as the URL of a Slack hook. A webhook's URL, headers, query
 * and template are not among them: they may contain a secret, but not only, and redacted values don't tell.
 */
export function secretsOf({
  type,
  credentials,
}: AuditedChannel): { field: string; credential: Credential }[] {
  const keys = type === "SLACK" ? [...secretSettings, "url"] : secretSettings;
  return keys.flatMap((key) => {
    const credential = credentials[key];
    return credential === undefined ? [] : [{ field: `config.${key}`, credential }];
  });
}
