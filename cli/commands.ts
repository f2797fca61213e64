/**
 * Lists the subcommands of `monitoring` and their help. Each loads what it runs on demand: the others, and the help, need
 * neither zod nor axios.
 */
import { formatNames } from "../audit/formats/names";
import { type Subcommand } from "./command";

const audit: Subcommand = {
  summary: "check alert channels against rules",

  usage: `Usage: monitoring audit [--rules FILE] [--channel ID|NAME]…
                        [--stack STACK | --state FILE]
                        [--format FORMAT [--output FILE]]… [--quiet]
                        [--suppressed]
                        [--fail-on LEVEL] [--max-warnings NUMBER]
                        [--baseline FILE | --write-baseline FILE]
       monitoring audit --init | --list-rules | --explain RULE | --version

Reads alert channels and reports violations of the rules.

  --rules FILE      rule file: YAML or JSON (default: audit.yaml, audit.yml or
                    audit.json in this folder or above, up to the root of the
                    repository)
  --channel ID|NAME channel to audit, by id or by a name from the rule file or
                    from MONITORING_ALERT_CHANNELS (default: all with a name);
                    can be repeated
  --stack STACK     read the settings of a stack too, by \`pulumi config\`
  --state FILE      audit the channels in a stack's state instead, offline: the
                    file that \`pulumi stack export --file FILE\` writes; one
                    that the rule file names and FILE lacks isn't evaluable
  --format FORMAT   ${formatNames.join(", ")} (default: text);
                    can be repeated
  --output FILE     file for the preceding format (default: standard output)
  --quiet           leave warnings out of the reports
  --suppressed      SARIF also has waived and known findings, each with a
                    suppression, which code scanning ignores
  --fail-on LEVEL   lowest level that fails: error, warning, not-evaluable or
                    never (default: error)
  --max-warnings NUMBER
                    fail if there are more warnings
  --baseline FILE   report the findings in FILE as known; only others fail
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
    const { runAudit } = await import("./audit");
    const { env: environment, stdout, stderr } = process;
    return runAudit(args, { environment, stdout, stderr, now: new Date() });
  },
};

const preview: Subcommand = {
  summary: "preview a stack as a comment on a pull request",

  usage: `Usage: monitoring preview [--stack NAME] [--output FILE] [--log URL]
                          [--commit SHA] [--pulumi COMMAND] [-- ARGUMENTS]

Runs \`pulumi preview\`, and writes a comment in Markdown: which updates would be
posted to which incidents, whether subscribers are emailed, and the text of each,
as it will be public.

  --stack NAME      stack to preview (default: the selected one)
  --output FILE     file for the comment (default: standard output); standard
                    output then shows the steps and messages of the preview,
                    each line after "| ": the log that the comment refers to
  --log URL         address of the job's log, and
  --commit SHA      commit that is previewed, for the comment (default: those of
                    the job on GitHub, GitLab and Jenkins)
  --pulumi COMMAND  command that runs Pulumi (default: pulumi): words between
                    spaces, without a shell
  ARGUMENTS         further arguments of \`pulumi preview\`

Exit code: 0 success, 1 the preview failed, 2 invalid usage, 3 the service could
not be read, so that the texts are not compared with what is public: run it again
before anybody approves them.`,

  async run(args) {
    const { runPreview } = await import("./preview");
    const { env: environment, stdout, stderr } = process;
    return runPreview(args, { environment, stdout, stderr });
  },
};

const comment: Subcommand = {
  summary: "write a comment on the pull request of the job",

  usage: `Usage: monitoring comment --host HOST [--about NAME] [--pull-request NUMBER]
                          [FILE]

Creates a comment on the pull request of this job, or replaces the one that an
earlier job wrote, and deletes duplicates. A job of a commit that is no longer the
last one of the pull request writes nothing. Without FILE, the comment says that
the commit has no result yet.

  FILE            the comment, in Markdown, such as \`monitoring preview\` writes;
                  one that doesn't exist, is empty or too long counts as none
  --host HOST     github, also for Gitea and Forgejo, with GH_TOKEN or
                  GITHUB_TOKEN; or gitlab, with GITLAB_TOKEN
  --about NAME    tells comments of several jobs apart (default: preview)
  --pull-request NUMBER
                  pull request to comment on (default: that of the job's event
                  or, on GitLab, of its pipeline)

Exit code: 0 success, or the job is not for a pull request, 2 invalid usage, 3
the comment was not written.`,

  async run(args) {
    const { runComment } = await import("./comment");
    const { env: environment, stdout, stderr } = process;
    return runComment(args, { environment, stdout, stderr });
  },
};

const doctor: Subcommand = {
  summary: "check the settings, the service and its use of ids",

  usage: `Usage: monitoring doctor [--stack STACK] [--account NAME] [--format FORMAT]
                         [--post-to INCIDENT [--yes]]

Checks the settings, the way to the service, the key, the account, the alert
channels that it has by name, and this machine's clock. Without --post-to, it
only reads. It prints no secret.

  --stack STACK     read the settings of a stack too, by \`pulumi config\`
                    (default: the environment variables alone)
  --account NAME    account in monitoring:accounts (default: the default one)
  --post-to INCIDENT
                    find out what the service does with ids of updates, which
                    decides about the guarantee, and with their dates: post an
                    update on this test incident, then the same one with the
                    same id again, which may become a second line; the status
                    stays, and nobody is emailed
  --yes             post without a question
  --format FORMAT   text or json (default: text)

Exit code: 0 nothing is wrong, 1 something is, or the posts failed or proved
nothing, 2 invalid usage.`,

  async run(args) {
    const { runDoctor } = await import("./doctor");
    const { env: environment, stdin, stdout, stderr } = process;
    return runDoctor(args, { environment, stdin, stdout, stderr });
  },
};

const sandbox: Subcommand = {
  summary: "run a local monitoring service with sample data",

  usage: `Usage: monitoring sandbox [--port PORT] [--data FILE] [--account-header NAME] [--ids KIND]

Runs a local monitoring service until Ctrl-C.

  --port PORT             port of 127.0.0.1, 0 for any free port (default: 4010)
  --data FILE             JSON file that stores the data between runs (default: in memory)
  --account-header NAME   header that names the account (default: x-service-account)
  --ids KIND              what it does with the id of a posted update: ignored, honoured, honoured-500,
                          honoured-idempotent or rejected (default: ignored)`,

  async run(args) {
    const { runSandbox } = await import("./sandbox");
    return runSandbox(args);
  },
};

/** All subcommands, in the order of the help. */
export const commands = { audit, preview, comment, doctor, sandbox };
