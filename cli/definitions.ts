/** Defines the options and the help of each subcommand of `monitoring`. */
import { formatNames } from "../audit/formats/names";
import { type Definition } from "./command";

const stack = { value: "STACK", help: "read the settings of a stack too, by `pulumi config`" } as const;
const pulumi = {
  value: "COMMAND",
  help: "command that runs Pulumi, words between spaces, without a shell",
  default: "pulumi",
  mustBe: ["a command", /\S/],
} as const;
const pulumiOfStack = {
  ...pulumi,
  help: "command that runs Pulumi for --stack, words between spaces",
} as const;
const account = { value: "NAME", help: "account in monitoring:accounts (default: the default one)" } as const;
const statusPage = {
  value: "PAGE",
  help: "id of the status page that has the incident, if it is a page with components",
} as const;

export const audit = {
  name: "audit",
  summary: "check alert channels against rules",
  intro: "Reads alert channels and reports violations of the rules.",
  options: {
    rules: {
      value: "FILE",
      help:
        "rule file: YAML or JSON (default: audit.yaml, audit.yml or audit.json in this folder or above, up to the root of " +
        "the repository)",
    },
    all: {
      help:
        "audit all channels of the account, also without a rule file, by the preset recommended; with --state, those that the " +
        "stack declares are compared with them",
    },
    channel: {
      value: "ID|NAME",
      help:
        "channel to audit: its id, a name in the rule file or in MONITORING_ALERT_CHANNELS, or what its settings call it " +
        "(default: all with a name)",
      isList: true,
    },
    stack,
    pulumi: pulumiOfStack,
    state: {
      value: "FILE",
      help:
        "audit the channels in a stack's state instead, offline: the file that `pulumi stack export --file FILE` writes; " +
        "one that the rule file names and FILE lacks isn't evaluable",
    },
    channels: {
      value: "FILE",
      help:
        "audit the channels in FILE instead, offline: a JSON list of channels as the API has them, such as of a plan that " +
        "creates them; one without an id is called by its place",
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
      help: "file for the preceding format (default: -, standard output)",
      isList: true,
    },
    "fail-on": {
      value: "LEVEL",
      help: "lowest level that fails",
      choices: ["error", "warning", "not-evaluable", "never"],
      default: "error",
    },
    "max-warnings": {
      value: "NUMBER",
      help: "fail if there are more warnings",
      mustBe: ["a whole number", /^\d{1,9}$/],
    },
    accept: {
      value: "DAY",
      help: "print waivers of all findings until DAY, for the rule file, so that only new ones fail",
      mustBe: ["a day, such as 2027-01-31", /^\d{4}-\d\d-\d\d$/],
    },
    init: {
      help: "write audit.yaml for the channels that the service lists, or for MONITORING_ALERT_CHANNELS",
    },
    "list-rules": { help: "list the built-in rules" },
    explain: { value: "RULE", help: "explain a rule: why, how to fix it, when to turn it off" },
  },
  notes: [
    "Set MONITORING_BASE_URL and MONITORING_API_KEY to connect to the service, and MONITORING_ACCOUNT_ID for a key of several accounts. " +
      "Checkly needs the account, and MONITORING_ACCOUNT_HEADER=x-checkly-account.",
    "Exit code: 0 no findings of LEVEL or above, 1 findings, 2 invalid usage or configuration, 3 some channels could not be read.",
  ],
  page: [
    "[A first report](../guides/auditing.md#a-first-report) shows what it prints. It sends `GET /v1/alert-channels/{id}` for each " +
      "channel, or `GET /v1/alert-channels` for all.",
  ],
} as const satisfies Definition;

export const preview = {
  name: "preview",
  summary: "preview which updates a stack would post",
  intro:
    "Runs `pulumi preview`, and says which updates would be posted to which incidents, whether subscribers are emailed, and the " +
    "text of each, as it will be public: on standard output for a terminal, and in a file as the comment of a pull request. " +
    'Standard error has each step and message of Pulumi as it comes, after "| ".',
  options: {
    stack: { value: "NAME", help: "stack to preview (default: the selected one)" },
    output: { value: "FILE", help: "file that is written too (- is standard output)" },
    format: {
      value: "FORMAT",
      help: "format of the file, or of standard output if there is none (default: markdown in a file, otherwise text)",
      choices: ["text", "markdown", "json"],
    },
    pulumi,
  },
  rest: { value: "ARGUMENTS", help: "further arguments of `pulumi preview`" },
  notes: [
    "Exit code: 0 success, 1 the preview failed or an update is refused, 2 invalid usage, 3 the service could not be read, so that the texts are not " +
      "compared with what is public: run it again before anybody approves them.",
  ],
  page: [
    "[Publish updates from pull requests](../guides/github-actions.md#preview-a-pull-request) shows the output and the workflow that writes the comment.",
  ],
} as const satisfies Definition;

export const comment = {
  name: "comment",
  summary: "write a comment on the pull request of the job",
  intro:
    "Creates a comment on the pull request of this job, or replaces the one that an earlier job wrote. " +
    "A job of a commit that is no longer the last one of the pull request writes nothing. Without FILE, the comment says that " +
    "the commit has no result yet.",
  options: {
    host: {
      value: "HOST",
      help: "code host of the pull request, which needs GITHUB_TOKEN or GH_TOKEN (also for Gitea and Forgejo), or GITLAB_TOKEN",
      choices: ["github", "gitlab"],
      isRequired: true,
    },
    about: {
      value: "NAME",
      help: "tells comments of several jobs apart (default: preview, and the stack in PULUMI_STACK)",
      mustBe: ["a line of at most 300 characters, without < and >", /^[^<>\p{Cc}]{1,300}$/u],
    },
    "pull-request": {
      value: "NUMBER",
      help: "pull request to comment on (default: that of the job's event or, on GitLab, of its pipeline)",
      mustBe: ["the number of a pull request, such as 7", /^[1-9]\d{0,14}$/],
    },
  },
  operand: {
    value: "FILE",
    help:
      "the comment, in Markdown, such as `monitoring preview` writes; one that doesn't exist, is empty or too long counts " +
      "as none",
  },
  notes: [
    "Exit code: 0 success, or the job is not for a pull request, 2 invalid usage, 3 the comment was not written.",
  ],
  page: [
    "```sh\nnpx --no monitoring comment --host gitlab preview.md\n```",
    "The guides on [GitHub Actions](../guides/github-actions.md) and on [other pipelines](../guides/other-pipelines.md) contain jobs that run it.",
  ],
} as const satisfies Definition;

export const adopt = {
  name: "adopt",
  summary: "write a program that declares the public updates of an incident",
  intro:
    "Reads an incident, and prints a program whose timeline is what is public, so that its first `pulumi up` adopts the updates and " +
    "posts nothing. Standard error says what the program leaves out.",
  options: {
    format: {
      value: "FORMAT",
      help: "language of the program; for markdown, a file is written for each update, as the example incident-files reads them",
      choices: ["typescript", "javascript", "yaml", "markdown"],
      default: "typescript",
    },
    "status-page": statusPage,
    output: { value: "FOLDER", help: "folder of the Markdown files, which get a new folder in it" },
    stack: { ...stack, help: `${stack.help} (default: the environment variables alone)` },
    pulumi: pulumiOfStack,
    account,
  },
  operand: { value: "INCIDENT", help: "id of a status-page incident", isRequired: true },
  notes: [
    "Exit code: 0 success, 1 there is no such incident, or no update that a program can declare, 2 invalid usage or configuration, " +
      "or the files can't be written, 3 the service could not be read.",
  ],
  page: [
    "[Adopting existing objects](../guides/adopting.md#generate-a-program) shows what it prints. It sends " +
      "`GET /v1/status-pages/incidents/{incidentId}` or, with `--status-page`, `GET /v3/status-pages/{statusPageId}/incidents/{incidentId}`.",
  ],
} as const satisfies Definition;

export const doctor = {
  name: "doctor",
  summary: "check the settings and the service",
  intro:
    "Checks the settings, the way to the service, the key, the account, the alert channels that the service lists or " +
    "that have a name, and this machine's clock, and lists the open incidents of all status pages. It only reads, and prints no secret.",
  options: {
    stack: { ...stack, help: `${stack.help} (default: the environment variables alone)` },
    pulumi: pulumiOfStack,
    account,
    format: { value: "FORMAT", help: "format of the report", choices: ["text", "json"], default: "text" },
  },
  notes: ["Exit code: 0 nothing is wrong, 1 something is, 2 invalid usage."],
  page: [
    "It sends `GET /v1/status-pages`, `GET /v3/status-pages`, `GET /v3/status-pages/{statusPageId}/incidents` for each page with " +
      "components, `GET /v1/alert-channels`, and `GET /v1/alert-channels/{id}` for each channel that has a name.",
  ],
} as const satisfies Definition;

export const sandbox = {
  name: "sandbox",
  summary: "run a local monitoring service with sample data",
  intro: "Runs a local monitoring service until Ctrl-C.",
  options: {
    port: {
      value: "PORT",
      help: "port of 127.0.0.1, 0 for any free port",
      default: "4010",
      mustBe: [
        "a number from 0 to 65535",
        { test: (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535 },
      ],
    },
    data: { value: "FILE", help: "JSON file that stores the data between runs (default: in memory)" },
    ids: {
      value: "KIND",
      help: "what it does with the id of a posted update",
      choices: ["ignored", "honoured", "honoured-idempotent", "rejected"],
      default: "ignored",
    },
  },
  notes: [],
  page: [],
} as const satisfies Definition;
