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
];

export const presetNames = ["recommended", "strict"] as const;

export const presets: Readonly<Record<(typeof presetNames)[number], Preset>> = {
  recommended: { rules: recommended },
  strict: { rules: [...recommended, "send-degraded"], severity: "error" },
};
