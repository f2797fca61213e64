/** The settings of an alert channel that the API documents, and where its target is. */
import { isObject } from "../values/isObject";
import { isDocumented, isEmpty } from "./settingKinds";
import type { RedactedConfig } from "./redactedCredential";

/** The setting that holds the target of each type. */
export const targetSettings: ReadonlyMap<string, string> = new Map([
  ["EMAIL", "address"],
  ["SLACK", "url"],
  ["SLACK_APP", "slackChannels"],
  ["WEBHOOK", "url"],
  ["SMS", "number"],
  ["CALL", "number"],
  ["PAGERDUTY", "serviceKey"],
  ["OPSGENIE", "apiKey"],
]);

interface Configured {
  readonly type: string;
  /** With its credentials or their replacements. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** The undocumented settings in which the target of the channel may be, where no rule on targets looks for it. */
export function undocumentedTargets({ type, config }: Configured): string[] {
  const target = targetSettings.get(type);
  if (target === undefined) return [];
  return Object.entries(config)
    .filter(([key, value]) => !isDocumented(key) && !isEmpty(value))
    .filter(([, value]) => isEmpty(config[target]) || isUrl(value))
    .map(([key]) => key);
}

function isUrl(value: unknown): boolean {
  if (typeof value === "string") return /^\s*https?:/i.test(value);
  return isObject(value) && value.scheme !== undefined;
}

/** Without undocumented settings. The target is marked as malformed if it may be in one of them. */
export function documentedConfig({ type, config }: Configured): RedactedConfig {
  const [other] = undocumentedTargets({ type, config });
  const kept = Object.fromEntries(Object.entries(config).filter(([key]) => isDocumented(key)));
  const target = targetSettings.get(type);
  if (other === undefined || target === undefined) return kept;
  const replacement = config[other];
  return { ...kept, [target]: { ...(isObject(replacement) && replacement), isMalformed: true } };
}
