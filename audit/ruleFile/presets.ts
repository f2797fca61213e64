/** The presets for `extends`: rules that need no options. */
import type { PresetName } from "../definition/presetName";
import type { Options } from "../definition/rule";
import type { Severity } from "../definition/severity";
import { idsOf } from "../rules";

interface Preset {
  /** Ids of the rules. */
  readonly rules: readonly string[];
  /** Options by rule. Default: each rule's own. */
  readonly options?: Readonly<Record<string, Options>>;
  /** Default: each rule's own. */
  readonly severity?: Severity;
}

export const presets: Readonly<Record<PresetName, Preset>> = {
  recommended: { rules: idsOf("recommended"), options: { "ssl-expiry-threshold": { atLeast: 7 } } },
  // With the limits that are the defaults of the rules.
  strict: { rules: [...idsOf("recommended"), ...idsOf("strict")], severity: "error" },
};
