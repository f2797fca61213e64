/** How custom rules address and show the values of a channel. */
import type { AuditedChannel } from "../channel";

/** The channel with the structure of the API: facts about credentials are in `config`. */
export function viewOf({
  credentials,
  origin: _,
  ...channel
}: AuditedChannel): Readonly<Record<string, unknown>> {
  return { ...channel, config: { ...channel.config, ...credentials } };
}

/** The fields of {@link viewOf}. */
export const fields = [
  "id",
  "name",
  "type",
  "config",
  "subscriptions",
  "sendFailure",
  "sendRecovery",
  "sendDegraded",
  "sslExpiry",
  "sslExpiryThreshold",
  "autoSubscribe",
  "createdAt",
  "updatedAt",
];

/** The value at a path such as `config.region` or `subscriptions.length`; null counts as missing. */
export function valueAt(view: unknown, path: string): unknown {
  let value = view;
  for (const name of path.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value ?? undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const maxShown = 100;

/** A value as a finding shows it. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return "not given";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
