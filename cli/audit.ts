import type { Command } from "./command";

export const audit: Command = {
  summary: "check alert channels against rules",

  usage: `Usage: monitoring audit --rules FILE [--channel ID|NAME]… [--state FILE]
                        [--format FORMAT [--output FILE]]… [--fail-on LEVEL]

Reads alert channels and reports what the rules find.

  --rules FILE      rule file: YAML, JSON, or a module that exports the same
  --channel ID|NAME channel to audit, by id or by a name from the rule file or
                    from MONITORING_ALERT_CHANNELS (default: all with a name)
  --state FILE      audit what a stack knows instead, offline: the file that
                    \`pulumi stack export --file FILE\` writes
  --format FORMAT   text, json, markdown, sarif, junit or html (default: text);
                    may be given several times
  --output FILE     where the format before it goes (default: standard output)
  --fail-on LEVEL   error, warning or never (default: error)

The service is reached by MONITORING_BASE_URL, MONITORING_API_KEY and, if
wanted, MONITORING_ACCOUNT_ID.

Exit code: 0 nothing found from LEVEL on, 1 something found, 2 wrong usage or
configuration, 3 not all channels could be read.`,

  async run(args) {
    // Loaded when it is needed: `monitoring sandbox` starts without it.
    const { runAudit } = await import("./auditRun");
    const { env: environment, stdout, stderr } = process;
    return runAudit(args, { environment, stdout, stderr, now: new Date() });
  },
};
