/** The presets for `extends`: rules that need no options. */
import type { Severity } from "./rule";

interface Preset {
  /** Ids of the rules. */
  readonly rules: readonly string[];
  /** Default: each rule's own. */
  readonly severity?: Severity;
}

const recommended = [
  "send-failure",
  "send-recovery",
  "subscribed",
  "subscriptions-active",
  "ssl-expiry",
  "ssl-expiry-threshold",
  "documented-bounds",
  "known-type",
  "duplicate-target",
  "https-hook",
  "public-hook",
  "webhook-secret",
  "credential-reference",
  "credential-shared",
  "stale",
  "on-call-type",
  "independent-types",
  "single-recipient",
];

/**
 * What some teams do otherwise on purpose. `recovery-matches-failure` is in no preset: with `send-failure` and
 * `send-recovery`, each of its findings would be the second one for a channel.
 */
const strictOnly = ["send-degraded", "consistent-thresholds", "on-call-auto-subscribe"];

export const presetNames = ["recommended", "strict"] as const;

/**
 * `recommended` has the rules that need no options; `strict` adds those that some teams break on purpose, and makes all of
 * them errors.
 */
export type PresetName = (typeof presetNames)[number];

export const presets: Readonly<Record<PresetName, Preset>> = {
  recommended: { rules: recommended },
  strict: { rules: [...recommended, ...strictOnly], severity: "error" },
};
