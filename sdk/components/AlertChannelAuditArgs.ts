import type { Rules, RuleSet } from "../../audit";
import type { AccountArgs } from "../dataSources/dataSource";

/** The alert channels to audit, and the rules. Plain values, because the audit also runs in a preview. */
export interface AlertChannelAuditArgs extends AccountArgs {
  /**
   * Channels to audit: their ids, or their names in `monitoring:alertChannels` or under `channels` in the rules. With an
   * explicit provider (in Python, Go and YAML), its `alertChannels` count instead of `monitoring:alertChannels`.
   * Default: all named channels.
   */
  channels?: (string | number)[];
  /**
   * Path of a rule file, relative to the program's folder, or its content as an object.
   * Default: `{ extends: "recommended" }`.
   */
  rules?: string | Rules | RuleSet;
  /** Whether errors, and channels that can't be evaluated, fail the run (`mandatory`) or are only reported (`advisory`). Default: `mandatory`. */
  enforcement?: "mandatory" | "advisory";
  /**
   * File for the report, relative to the program's folder; also written in previews. The extension sets the format:
   * `.html`, `.json`, `.md`, `.sarif`, `.txt`, or `.xml` for JUnit. SARIF locates findings of rules that are an object
   * in `Pulumi.yaml`. Default: none.
   */
  report?: string;
}
