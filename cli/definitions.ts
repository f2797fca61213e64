/** Defines the options and the help of each subcommand of `monitoring`. */
import { formatNames } from "../audit/formats/names";
import { type Definition } from "./command";

/** Returns true for a day such as `2027-01-31`, and false for a day that doesn't exist, such as `2027-02-30`. */
const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(Date.parse(text) || 0).toJSON().startsWith(text);

const stack = { value: "STACK", help: "also read the settings of a stack, with `pulumi config`" } as const;
const pulumi = {
  value: "COMMAND",
  help: "command that runs Pulumi; split at spaces, run in a shell only on Windows",
  default: "pulumi",
  mustBe: ["a command", /\S/],
} as const;
const pulumiOfStack = {
  ...pulumi,
  help: "command that runs Pulumi for --stack; split at spaces, run in a shell only on Windows",
} as const;
const account = { value: "NAME", help: "name of an account in monitoring:accounts" } as const;
const statusPage = {
  value: "PAGE",
  help: "ID of the incident's status page, if it is a page with components",
} as const;

export const audit = {
  name: "audit",
  summary: "check alert channels against rules",
  intro: "Reads alert channels and reports violations of the rules.",
  options: {
    rules: {
      value: "FILE",
      help:
        "rule file in YAML or JSON (default: audit.yaml, audit.yml or audit.json in this folder or a parent folder within " +
        "the repository)",
    },
    all: { help: "audit all channels of the account; without a rule file, use the preset recommended" },
    channel: {
      value: "ID|NAME",
      help:
        "channel to audit: its ID, its name in the rule file or in MONITORING_ALERT_CHANNELS, or the name in its settings " +
        "(default: all named channels)",
      isList: true,
    },
    stack,
    pulumi: pulumiOfStack,
    plan: {
      value: "FILE",
      help:
        "audit the channels in a plan instead, offline, before they are created. FILE (- for standard input) is written by " +
        "`terraform show -json PLAN` or `pulumi preview --json`, with the vendor's packages. It contains credentials in plain text",
    },
    format: {
      value: "FORMAT",
      help: "format of a report",
      choices: formatNames,
      default: "text",
      isList: true,
    },
    output: {
      value: "FILE",
      help: "file for the preceding --format (default: -, standard output)",
      isList: true,
    },
    "fail-on": {
      value: "LEVEL",
      help: "lowest level of a finding that fails the command",
      choices: ["error", "warning", "not-evaluable", "never"],
      default: "error",
    },
    "max-warnings": {
      value: "NUMBER",
      help: "fail if there are more than NUMBER warnings",
      mustBe: ["a whole number", /^\d{1,9}$/],
    },
    accept: {
      value: "DAY",
      help: "print exceptions for all findings, valid until DAY; add them to the rule file so that only new findings fail",
      mustBe: ["a date, such as 2027-01-31", { test: isDay }],
    },
    init: {
      help: "write audit.yaml with the channels that the service lists, or those in MONITORING_ALERT_CHANNELS",
    },
    "list-rules": { help: "list the built-in rules" },
    explain: {
      value: "RULE",
      help: "explain a rule: its reason, how to fix a finding, when to turn the rule off",
    },
  },
  notes: [
    "Set MONITORING_BASE_URL and MONITORING_API_KEY to connect to the service. If the key can access several accounts, also set " +
      "MONITORING_ACCOUNT_ID. Checkly requires MONITORING_ACCOUNT_ID and MONITORING_ACCOUNT_HEADER=x-checkly-account.",
    "Exit code: 0 no findings of LEVEL or above, 1 findings, 2 invalid usage or configuration, 3 some channels could not be read.",
  ],
  page: [
    "[A first report](../guides/auditing.md#a-first-report) shows the output. The command sends `GET /v1/alert-channels/{id}` for each " +
      "channel, or `GET /v1/alert-channels` for all.",
  ],
} as const satisfies Definition;

export const preview = {
  name: "preview",
  summary: "preview which updates a stack would post",
  intro:
    "Runs `pulumi preview` and shows which updates would be posted to which incidents, whether subscribers are emailed, and the " +
    "public text of each update. Prints the report for a terminal on standard output, or writes the comment of a pull request to a " +
    'file. Steps and messages of Pulumi appear on standard error, each after "| ".',
  options: {
    stack: { value: "NAME", help: "stack to preview (default: the selected stack)" },
    output: { value: "FILE", help: "also write the report to FILE (- for standard output)" },
    format: {
      value: "FORMAT",
      help: "format of the file, or of standard output without a file (default: markdown for a file, otherwise text)",
      choices: ["text", "markdown", "json"],
    },
    pulumi,
  },
  rest: { value: "ARGUMENTS", help: "additional arguments for `pulumi preview`" },
  notes: [
    "Exit code: 0 success, 1 the preview failed or an update is rejected, 2 invalid usage, 3 the service could not be read. With exit code " +
      "3, the report wasn't compared with the public page. Run the preview again before anyone approves it.",
  ],
  page: [
    "[Publish from pull requests](../guides/publish-from-pull-requests.md#preview-a-pull-request) shows the output and the workflow that writes the comment.",
  ],
} as const satisfies Definition;

export const comment = {
  name: "comment",
  summary: "write a comment on the pull request of the job",
  intro:
    "Creates a comment on the pull request of this job, or replaces the comment of an earlier job. " +
    "Writes nothing if the job's commit is no longer the last commit of the pull request. Without FILE, the comment shows that " +
    "the commit doesn't have a result yet.",
  options: {
    host: {
      value: "HOST",
      help: "code host of the pull request: github (also Gitea and Forgejo; token in GITHUB_TOKEN or GH_TOKEN) or gitlab (token in GITLAB_TOKEN)",
      choices: ["github", "gitlab"],
      isRequired: true,
    },
    about: {
      value: "NAME",
      help: "name that distinguishes the comments of several jobs (default: preview, with the stack in PULUMI_STACK)",
      mustBe: ["a line of at most 300 characters, without < or >", /^[^<>\p{Cc}]{1,300}$/u],
    },
    "pull-request": {
      value: "NUMBER",
      help: "pull request to comment on (default: the pull request of the job's event or, on GitLab, of its pipeline)",
      mustBe: ["the number of a pull request, such as 7", /^[1-9]\d{0,14}$/],
    },
  },
  operand: {
    value: "FILE",
    help:
      "the comment in Markdown, for example from `monitoring preview`; if FILE is missing, empty or too long, the comment " +
      "shows that there isn't a result",
  },
  notes: [
    "Exit code: 0 success, or the job doesn't belong to a pull request, 2 invalid usage, 3 writing the comment failed.",
  ],
  page: [
    "```sh\nnpx --no monitoring comment --host gitlab preview.md\n```",
    "The guides on [pull requests](../guides/publish-from-pull-requests.md) and on [other pipelines](../guides/other-pipelines.md) contain jobs that run it.",
  ],
} as const satisfies Definition;

export const adopt = {
  name: "adopt",
  summary: "write a program that declares the public updates of an incident",
  intro:
    "Reads an incident and prints a program that declares its public updates and, on request, the incident. The first `pulumi up` of the program adopts them " +
    "(an import without IDs) and posts nothing. Standard error lists everything that the program omits.",
  options: {
    format: {
      value: "FORMAT",
      help: "language of the program",
      choices: ["typescript", "yaml"],
      default: "typescript",
    },
    "status-page": statusPage,
    "with-incident": {
      help: "also declare the incident with its first update, as an `Incident`; needs --status-page",
    },
    stack: { ...stack, help: `${stack.help} (default: only the environment variables)` },
    pulumi: pulumiOfStack,
    account,
  },
  operand: { value: "INCIDENT", help: "ID of a status-page incident", isRequired: true },
  notes: [
    "Exit code: 0 success, 1 the incident doesn't exist or contains no update that a program can declare, 2 invalid usage or configuration, " +
      "3 the service could not be read.",
  ],
  page: [
    "[Adopting existing objects](../guides/adopting.md#generate-a-program) shows the output. The command sends " +
      "`GET /v1/status-pages/incidents/{incidentId}` or, with `--status-page`, `GET /v3/status-pages/{statusPageId}/incidents/{incidentId}`. " +
      "With `--with-incident`, it also sends `GET /v3/status-pages/{statusPageId}` and `GET /v3/status-pages/{statusPageId}/incidents`, and " +
      "reads each open incident, to verify which incident a declaration adopts.",
  ],
} as const satisfies Definition;

export const doctor = {
  name: "doctor",
  summary: "check the settings and the service",
  intro:
    "Checks the settings, the connection to the service, the key, the account, the alert channels (listed by the service or named in " +
    "the settings), and this machine's clock. Lists the open incidents of all status pages. Sends only read requests and prints no secrets.",
  options: {
    stack: { ...stack, help: `${stack.help} (default: only the environment variables)` },
    pulumi: pulumiOfStack,
    account,
    format: { value: "FORMAT", help: "format of the report", choices: ["text", "json"], default: "text" },
  },
  notes: ["Exit code: 0 all checks passed, 1 a check failed, 2 invalid usage."],
  page: [
    "The command sends `GET /v1/status-pages`, `GET /v3/status-pages`, `GET /v3/status-pages/{statusPageId}/incidents` for each page with " +
      "components, `GET /v1/alert-channels`, and `GET /v1/alert-channels/{id}` for each channel that has a name.",
  ],
} as const satisfies Definition;

export const sandbox = {
  name: "sandbox",
  summary: "run a local mock of the monitoring service with sample data",
  intro: "Runs a local mock of the monitoring service's API until Ctrl-C.",
  options: {
    port: {
      value: "PORT",
      help: "port on 127.0.0.1, 0 for any free port",
      default: "4010",
      mustBe: [
        "a number from 0 to 65535",
        { test: (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535 },
      ],
    },
    data: { value: "FILE", help: "JSON file that stores the data between runs (default: in memory)" },
    ids: {
      value: "KIND",
      help: "how the mock handles the ID of a posted update",
      choices: ["ignored", "honored", "honored-idempotent", "rejected"],
      default: "ignored",
    },
  },
  notes: [],
  page: [],
} as const satisfies Definition;
