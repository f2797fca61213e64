import type { AuditedChannel, Credential } from "../channel";

const secretSettings = ["apiKey", "serviceKey", "webhookSecret"];

/**
 * The settings that are secrets through and through, by field. A webhook's address, headers, query and template are
 * not among them: they may hold a secret and other things besides, and which of them do can't be seen from outside.
 * The address of a Slack hook is one.
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
