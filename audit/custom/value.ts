/** Values inside a channel, as custom rules name and show them. */
import type { AuditedChannel } from "../channel";

/** The channel as the API lays it out: what is known of credentials stands in `config`. */
export function viewOf({ credentials, ...channel }: AuditedChannel): Readonly<Record<string, unknown>> {
  return { ...channel, config: { ...channel.config, ...credentials } };
}

/** What {@link viewOf} may hold. */
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

/** The value at a path such as `config.region` or `subscriptions.length`; null counts as not given. */
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

const longestShown = 100;

/** A value in a finding. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return "not given";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
