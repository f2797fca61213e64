/** The presets for `extends`: rules that need no options. */
import type { Options, Severity } from "./rule";

interface Preset {
  /** Ids of the rules. */
  readonly rules: readonly string[];
  /** Options by rule. Default: each rule's own. */
  readonly options?: Readonly<Record<string, Options>>;
  /** Default: each rule's own. */
  readonly severity?: Severity;
}

/** What is wrong in any account. Each cause has one rule. */
const recommended = [
  "send-failure",
  "send-recovery",
  "subscribed",
  "placeholder",
  "empty-target",
  "ssl-expiry",
  "ssl-expiry-threshold",
  "documented-bounds",
  "valid-settings",
  "known-type",
  "duplicate-target",
  "https-hook",
  "public-hook",
  "inspection-hook",
  "webhook-secret",
  "credential-reference",
  "on-call-type",
];

/** Limits that an auditor asks for. */
const strictOnly = ["stale", "single-recipient", "managed-as-code"];

export const presetNames = ["recommended", "strict"] as const;

/**
 * `recommended` has the rules on what is wrong in any account; `strict` has the same with lower limits, adds `stale`,
 * `single-recipient` and `managed-as-code`, and makes all of them errors.
 */
export type PresetName = (typeof presetNames)[number];

export const presets: Readonly<Record<PresetName, Preset>> = {
  recommended: { rules: recommended, options: { "ssl-expiry-threshold": { atLeast: 7 } } },
  strict: { rules: [...recommended, ...strictOnly], severity: "error" },
};
