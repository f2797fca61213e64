import { formatNames } from "../audit/formats";
import type { Subcommand } from "./command/command";

export const auditCommand: Subcommand = {
  summary: "check alert channels against rules",

  usage: `Usage: monitoring audit [--rules FILE] [--channel ID|NAME]… [--state FILE]
                        [--format FORMAT [--output FILE]]… [--quiet]
                        [--fail-on LEVEL] [--max-warnings NUMBER]
                        [--baseline FILE [--prune-baseline]]
       monitoring audit --write-baseline FILE
       monitoring audit --init | --list-rules | --explain RULE | --version

Reads alert channels and reports violations of the rules.

  --rules FILE      rule file: YAML, JSON, or a module that exports the rules
                    (default: audit.yaml in this folder or above)
  --channel ID|NAME channel to audit, by id or by a name from the rule file or
                    from MONITORING_ALERT_CHANNELS (default: all with a name);
                    can be repeated
  --state FILE      audit the channels in a stack's state instead, offline: the
                    file that \`pulumi stack export --file FILE\` writes; one
                    that the rule file names and FILE lacks isn't evaluable
  --format FORMAT   ${formatNames.join(", ")} (default: text);
                    can be repeated
  --output FILE     file for the preceding format (default: standard output)
  --quiet           leave warnings out of the reports
  --fail-on LEVEL   lowest level that fails: error, warning, not-evaluable or
                    never (default: error)
  --max-warnings NUMBER
                    fail if there are more warnings
  --baseline FILE   report the findings in FILE as known; only others fail
  --prune-baseline  remove the findings that are fixed from the baseline
  --write-baseline FILE
                    write all findings to FILE as known
  --init            write audit.yaml for MONITORING_ALERT_CHANNELS
  --list-rules      list the built-in rules
  --explain RULE    explain a rule: why, how to fix it, when to turn it off
  --version         print the version

Set MONITORING_BASE_URL and MONITORING_API_KEY, and optionally
MONITORING_ACCOUNT_ID, to connect to the service.

Exit code: 0 no findings of LEVEL or above, 1 findings, 2 invalid usage or
configuration, 3 some channels could not be read.`,

  async run(args) {
    // Loaded on demand, so that `monitoring sandbox` starts faster.
    const { runAudit } = await import("./audit/auditRun");
    const { env: environment, stdout, stderr } = process;
    return runAudit(args, { environment, stdout, stderr, now: new Date() });
  },
};
