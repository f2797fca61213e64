import type { Rules, RuleSet } from "../../audit";

/** Which alert channels to audit, and by which rules. Plain values, because the audit also decides in a preview. */
export interface AlertChannelAuditArgs {
  /**
   * Channels to audit: their ids, or their names in `monitoring:alertChannels` or under `channels` in the rules.
   * Default: all that have a name there.
   */
  channels?: (string | number)[];
  /**
   * Path of a rule file, seen from the program's folder, or what one says as an object.
   * Default: `{ extends: "recommended" }`.
   */
  rules?: string | Rules | RuleSet;
  /** Whether an error that is found, or a channel that can't be read, fails the run or is only told. Default: `mandatory`. */
  enforcement?: "mandatory" | "advisory";
  /**
   * File for the report, seen from the program's folder and written in previews too. Its ending says what it is:
   * `.html`, `.json`, `.md`, `.sarif`, `.txt`, or `.xml` for JUnit. Default: none.
   */
  report?: string;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}
